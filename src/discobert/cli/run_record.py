"""What made a result: the command as it was given, and the model with its checksum.

Results that carry it can be published with their origin (``discobert report``).
"""

import shlex
from collections.abc import Sequence
from contextvars import ContextVar
from typing import TYPE_CHECKING

from discobert import __version__

if TYPE_CHECKING:
    from discobert.data.codecs.json_text import JsonObject

_ARGUMENTS: ContextVar[tuple[str, ...]] = ContextVar("arguments", default=())


def record_arguments(arguments: Sequence[str]) -> None:
    """Keep the arguments of the command that runs."""
    _ARGUMENTS.set(tuple(arguments))


def command_line() -> str:
    """Return the command that runs; of paths only the last part, which is the same elsewhere."""
    return shlex.join(["discobert", *map(_without_folders, _ARGUMENTS.get())])


def _without_folders(argument: str) -> str:
    name, mark, path = argument.rpartition("=")
    return f"{name}{mark}{path.rstrip('/').rpartition('/')[2]}"


def run_record(model: "JsonObject | None") -> "JsonObject":
    """Return the origin of a result; ``model`` has name, version and digest (``model_identity``).

    The digest is the SHA-256 of the bundle's list of checksums.
    """
    return {"command": command_line(), "discobert": __version__, "model": model}
