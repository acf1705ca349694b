"""HTML and PDF to text, in a process of their own that is killed if it takes too much.

Such files come from strangers, and a few kilobytes of PDF can ask for hours or gigabytes.
"""

import json
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from types import MappingProxyType

from discobert.errors import InputError, MissingExtra
from discobert.store.inputs.kinds import InputKind

_MEGABYTE = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What reading one file may take."""

    file: int = 100 * _MEGABYTE
    """Bytes of the file."""
    seconds: int = 60
    """Of computing time."""
    memory: int = 1500 * _MEGABYTE
    characters: int = 5 * _MEGABYTE
    """Characters of its text."""


LIMITS: Mapping[InputKind, Limits] = MappingProxyType(
    {InputKind.HTML: Limits(file=20 * _MEGABYTE), InputKind.PDF: Limits()}
)
_PACKAGES: Mapping[InputKind, tuple[str, ...]] = MappingProxyType(
    {InputKind.HTML: ("trafilatura", "lxml_html_clean"), InputKind.PDF: ("pypdf",)}
)


def extract_text(data: bytes, *, name: str, kind: InputKind, limits: Limits | None = None) -> str:
    """Return the text of an HTML page or a PDF."""
    bounds = limits or LIMITS[kind]
    for package in _PACKAGES[kind]:
        if find_spec(package) is None:
            raise MissingExtra(package, "inputs")
    check_size(len(data), name=name, kind=kind, limits=bounds)
    answer = _run(data, name=name, kind=kind, limits=bounds)
    if "error" in answer:
        raise InputError(f"{name}: {answer['error']}")
    return answer["text"]


def check_size(size: int, *, name: str, kind: InputKind, limits: Limits | None = None) -> None:
    """Refuse a file that is too large before it is read."""
    most = (limits or LIMITS[kind]).file
    if size > most:
        raise InputError(
            f"{name}: {size:,} bytes of {kind.value.upper()}, of which at most {most:,} are read; "
            "extract its text first"
        )


def _run(data: bytes, *, name: str, kind: InputKind, limits: Limits) -> dict[str, str]:
    bounds = [str(limits.seconds), str(limits.memory), str(limits.characters)]
    module = f"{__package__}.child"
    try:
        ran = subprocess.run(  # noqa: S603 - our own module, no shell
            [sys.executable, "-m", module, kind.value, *bounds],
            input=data,
            capture_output=True,
            check=False,
            timeout=2 * limits.seconds + 30,  # of the clock, on a machine that does other things
        )
    except subprocess.TimeoutExpired as error:
        raise InputError(_too_much(name, kind, limits)) from error
    if ran.returncode != 0:  # killed by the system at a limit, or beyond help
        raise InputError(_too_much(name, kind, limits))
    answer: dict[str, str] = json.loads(ran.stdout)
    return answer


def _too_much(name: str, kind: InputKind, limits: Limits) -> str:
    return (
        f"{name}: reading this {kind.value.upper()} took more than {limits.seconds} s or "
        f"{limits.memory // _MEGABYTE:,} MB, so it was stopped; extract its text first"
    )
