"""``discobert serve``: the HTTP service and its page."""

import os
from pathlib import Path
from typing import Annotated

from discobert.cli.declare import Option
from discobert.cli.options import Debug, Model, Quiet
from discobert.errors import InputError, MissingExtra

_LIMITS = "Limits"


def _limit(explanation: str) -> Option:
    return Option(metavar="N", help=explanation, panel=_LIMITS)


def serve_command(
    *,
    host: Annotated[
        str, Option(help="Address to listen to; 0.0.0.0 is every one of this machine.")
    ] = "127.0.0.1",
    port: Annotated[int, Option(help="Port to listen to; 0 takes a free one.")] = 8000,
    model: Model = None,
    workers: Annotated[
        int,
        Option(
            min=0,
            metavar="N",
            help="Processes that compute, one thread each.",
            show_default="one a core, four at most",
        ),
    ] = 0,
    token_file: Annotated[
        Path | None,
        Option(
            metavar="FILE",
            help="Ask clients for the token in FILE, or in the variable DISCOBERT_TOKEN.",
            show_default=False,
        ),
    ] = None,
    allow_host: Annotated[
        list[str] | None,
        Option(
            metavar="NAME",
            help="A further name by which clients may call the service, such as that of a proxy.",
            show_default=False,
        ),
    ] = None,
    queue: Annotated[int, _limit("Requests that wait for a worker; more get 429.")] = 64,
    deadline: Annotated[float, _limit("Seconds for a request.")] = 60.0,
    max_body: Annotated[int, _limit("Bytes of a request.")] = 2_000_000,
    max_upload: Annotated[int, _limit("Bytes of a file to extract the text of.")] = 20_000_000,
    max_chars: Annotated[int, _limit("Characters of a text.")] = 1_000_000,
    max_connections: Annotated[int, _limit("Open connections.")] = 900,
    receive_seconds: Annotated[float, _limit("Seconds to send headers, or a body.")] = 30.0,
    cache_mb: Annotated[int, _limit("Megabytes of kept analyses and scores.")] = 64,
    drain_seconds: Annotated[float, _limit("Seconds to finish requests after SIGTERM.")] = 30.0,
    quiet: Quiet = False,
    debug: Debug = False,
) -> None:
    """Serve summaries over HTTP, with a page to try them.

    Logs are lines of JSON on standard error, without any text of a request; --quiet leaves
    warnings and errors.
    """
    try:
        from discobert.serve.http.server import run_service
    except ImportError as error:
        raise MissingExtra(error.name or "fastapi", "serve") from error
    from discobert.serve.settings import ServiceSettings

    settings = ServiceSettings(
        host=host,
        port=port,
        model=model,
        workers=workers,
        token=_token(token_file),
        allowed_hosts=tuple(allow_host or ()),
        queue=queue,
        deadline=deadline,
        max_body=max_body,
        max_upload=max_upload,
        max_chars=max_chars,
        max_connections=max_connections,
        receive_seconds=receive_seconds,
        cache_bytes=cache_mb * 1_000_000,
        drain_seconds=drain_seconds,
    )
    run_service(settings, quiet=quiet)


def _token(file: Path | None) -> str | None:
    if file is None:
        return os.environ.get("DISCOBERT_TOKEN") or None
    try:
        return file.read_text("utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{file}: the token cannot be read: {error}") from error
