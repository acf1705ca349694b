"""What a file is, by its content and its name."""

import re
from collections.abc import Mapping
from enum import Enum

from discobert.data.fields import Field
from discobert.data.json_text import loads
from discobert.errors import FormatError


class InputKind(Enum):
    """The forms that texts are read from."""

    TEXT = "text"
    MARKDOWN = "markdown"
    HTML = "html"
    PDF = "pdf"
    STORY = "story"
    JSONL = "jsonl"


_SUFFIXES: Mapping[str, InputKind] = {
    ".txt": InputKind.TEXT,
    ".text": InputKind.TEXT,
    ".md": InputKind.MARKDOWN,
    ".markdown": InputKind.MARKDOWN,
    ".html": InputKind.HTML,
    ".htm": InputKind.HTML,
    ".xhtml": InputKind.HTML,
    ".pdf": InputKind.PDF,
    ".story": InputKind.STORY,
    ".jsonl": InputKind.JSONL,
    ".ndjson": InputKind.JSONL,
}
_COMPRESSED = (".gz", ".xz")
_PDF = b"%PDF-"
_LOOK = 1024
"""Bytes at the start in which a PDF must say so, as readers agree."""

_HTML = re.compile(
    rb"(?:\xef\xbb\xbf)?\s*(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)*<(?:!doctype\s+)?html\b",
    re.IGNORECASE | re.DOTALL,
)


def recognise(name: str, data: bytes) -> InputKind:
    """Tell what a file is; only a PDF is not believed to be what its name says.

    ``data`` is its content or the start of it. Without a telling name the content decides.
    """
    if _PDF in data[:_LOOK]:
        return InputKind.PDF
    lowered = name.lower()
    for suffix in _COMPRESSED:
        lowered = lowered.removesuffix(suffix)
    named = next((kind for suffix, kind in _SUFFIXES.items() if lowered.endswith(suffix)), None)
    if named is not None:
        return named
    if _HTML.match(data[:_LOOK]):
        return InputKind.HTML
    return InputKind.JSONL if _holds_text(data) else InputKind.TEXT


def _holds_text(data: bytes) -> bool:
    """Tell whether the first line is an object of ours."""
    line = data.lstrip().split(b"\n", 1)[0]
    if not line.startswith(b"{"):
        return False
    try:
        members = Field(loads(line.decode("utf-8", "replace"), name=""), "").object()
    except FormatError:
        return False
    return "text" in members or "article" in members
