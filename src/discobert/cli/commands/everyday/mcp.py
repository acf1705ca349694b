"""``discobert mcp``: tools for agents over standard input and output."""

import sys
from typing import Annotated

from discobert.cli.declare import Option
from discobert.cli.options import Debug, Model, Quiet
from discobert.errors import MissingExtra, UsageError


def mcp_command(
    *,
    model: Model = None,
    max_chars: Annotated[
        int, Option(min=1, metavar="N", help="Characters of a text, at most.")
    ] = 200_000,
    deadline: Annotated[float, Option(metavar="N", help="Seconds that one call may take.")] = 60.0,
    quiet: Quiet = False,
    debug: Debug = False,
) -> None:
    """Offer the tools summarize and analyze to agents (Model Context Protocol, stdio)."""
    try:
        from discobert.serve.mcp.stdio import run_stdio
    except ImportError as error:
        raise MissingExtra(error.name or "mcp", "mcp") from error
    from discobert.serve.settings import ServiceSettings

    settings = ServiceSettings(model=model, workers=1, max_chars=max_chars, deadline=deadline)
    if sys.stdin is None or sys.stdout is None:
        raise UsageError("standard input or output is closed; messages go over both")
    try:
        run_stdio(settings, quiet=quiet)
    except ExceptionGroup as errors:  # of the tasks that read and write
        if errors.split(OSError)[1] is not None:
            raise
        raise UsageError("standard output: cannot be written any more") from errors
