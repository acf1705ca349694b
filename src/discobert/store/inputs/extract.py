"""Text of HTML, PDF, Word files and e-mails, extracted in a child process within limits.

The files are untrusted: a few kilobytes of PDF can take hours or gigabytes to read. The child
imports nothing from the working directory, where a downloaded file may lie beside a ``pypdf.py``.
"""

import json
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.machinery import PathFinder
from pathlib import Path
from types import MappingProxyType
from typing import Any

from discobert.data.document import SourceText
from discobert.data.markup import SegmentKind
from discobert.errors import InputError, MissingExtra
from discobert.store.inputs.builder import Role, TextBuilder
from discobert.store.inputs.email_message import build_email
from discobert.store.inputs.kinds import InputKind

_MEGABYTE = 1_000_000
_STOPPED = tuple(
    -getattr(signal, limit).value for limit in ("SIGXCPU", "SIGKILL") if hasattr(signal, limit)
)
"""How the child ends at a limit."""
_UNREADABLE_LETTERS = (
    "many letters of this PDF are unknown, as its fonts do not say which they are; run text "
    "recognition (OCR) and summarise what that gives"
)
_CHILD = Path(__file__).with_name("child.py")


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadingLimits:
    """Bounds on what reading one file may take."""

    file: int = 100 * _MEGABYTE
    """Bytes of the file."""
    seconds: int = 60
    """CPU seconds."""
    memory: int = 1500 * _MEGABYTE
    characters: int = 5 * _MEGABYTE
    """Characters of its text."""


LIMITS: Mapping[InputKind, ReadingLimits] = MappingProxyType(
    {
        InputKind.HTML: ReadingLimits(file=20 * _MEGABYTE),
        InputKind.PDF: ReadingLimits(),
        InputKind.DOCX: ReadingLimits(),
        InputKind.EMAIL: ReadingLimits(),
    }
)
_PACKAGES: Mapping[InputKind, tuple[str, ...]] = MappingProxyType(
    {
        InputKind.HTML: ("trafilatura", "lxml_html_clean"),
        InputKind.PDF: ("pypdf",),
        InputKind.DOCX: ("docx",),
        InputKind.EMAIL: (),
    }
)


def extract_text(
    data: bytes, *, name: str, kind: InputKind, limits: ReadingLimits | None = None
) -> SourceText:
    """Return the text of an HTML page, a PDF or a Word file; its places there are not known."""
    bounds = limits or LIMITS[kind]
    folders = import_folders()
    for package in _PACKAGES[kind]:
        if PathFinder.find_spec(package, folders) is None:
            raise MissingExtra(package, "inputs")
    check_size(len(data), name=name, kind=kind, limits=bounds)
    answer = _run_child(data, folders, name=name, kind=kind, limits=bounds)
    if "error" in answer:
        raise InputError(f"{name}: {answer['error']}")
    return _built(answer, name, kind)


def _built(answer: Mapping[str, Any], name: str, kind: InputKind) -> SourceText:
    if kind is InputKind.EMAIL:
        return build_email(answer, name)
    builder = TextBuilder()
    blocks = answer.get("blocks", ())
    if "pages" in answer:
        from discobert.store.inputs.pdf_layout import Chunk, blocks_of
        from discobert.store.inputs.pdf_letters import is_unreadable

        if is_unreadable("".join(chunk[-1] for page in answer["pages"] for chunk in page)):
            builder.note("unreadable-letters", _UNREADABLE_LETTERS)
        blocks = blocks_of([[Chunk(*chunk) for chunk in page] for page in answer["pages"]])
    for role, text in blocks:
        builder.add(text)
        builder.end_block(None if role is None else Role(SegmentKind(role)))
    for code, message in answer.get("notes", ()):
        builder.note(code, message)
    return builder.build(name, kind.value)


def check_size(
    size: int, *, name: str, kind: InputKind, limits: ReadingLimits | None = None
) -> None:
    """Raise an error if a file is larger than its kind may be."""
    most = (limits or LIMITS[kind]).file
    if size > most:
        raise InputError(
            f"{name}: {size:,} bytes of {kind.value.upper()}, of which at most {most:,} are read; "
            "extract its text first"
        )


def import_folders() -> list[str]:
    """Return the folders of ``sys.path`` without the working directory and relative folders."""
    return [folder for folder in sys.path if Path(folder).is_absolute() and not _is_here(folder)]


def _is_here(folder: str) -> bool:
    return Path(folder).is_dir() and Path(folder).samefile(".")


def _run_child(
    data: bytes, folders: Sequence[str], *, name: str, kind: InputKind, limits: ReadingLimits
) -> dict[str, Any]:
    bounds = [str(limits.seconds), str(limits.memory), str(limits.characters)]
    # -I: neither the working directory nor PYTHONPATH is searched for modules.
    command = [sys.executable, "-I", str(_CHILD), kind.value, *bounds, *folders]
    try:
        ran = subprocess.run(  # noqa: S603 - our own file, no shell
            command,
            input=data,
            capture_output=True,
            check=False,
            timeout=2 * limits.seconds + 30,  # of the clock, on a machine that does other things
        )
    except subprocess.TimeoutExpired as error:
        raise InputError(_over_limits(name, kind, limits)) from error
    if ran.returncode in _STOPPED:
        raise InputError(_over_limits(name, kind, limits))
    if ran.returncode != 0:
        raise InputError(_crashed(ran, name, kind))
    answer: dict[str, Any] = json.loads(ran.stdout)
    return answer


def _crashed(ran: subprocess.CompletedProcess[bytes], name: str, kind: InputKind) -> str:
    """Say how the child ended, with the last line that it wrote."""
    how = f"ended with code {ran.returncode}"
    if ran.returncode < 0:
        known = {each.value: each.name for each in signal.Signals}
        how = f"was ended by {known.get(-ran.returncode, f'signal {-ran.returncode}')}"
    last = " ".join(ran.stderr.decode("utf-8", "replace").strip().rpartition("\n")[2].split())
    said = f": {last[:200]}" if last else ""
    return (
        f"{name}: the process that reads this {kind.value.upper()} {how}{said}; "
        "extract its text first"
    )


def _over_limits(name: str, kind: InputKind, limits: ReadingLimits) -> str:
    return (
        f"{name}: reading this {kind.value.upper()} took more than {limits.seconds} s or "
        f"{limits.memory // _MEGABYTE:,} MB, so it was stopped; extract its text first"
    )
