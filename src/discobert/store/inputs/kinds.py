"""The kinds of input files, and recognition by name and content."""

import re
from collections.abc import Mapping
from enum import Enum

from discobert.data.fields import Field
from discobert.data.json_text import loads
from discobert.errors import FormatError


class InputKind(Enum):
    """The kinds of files that texts are read from."""

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
RECOGNISED_BYTES = 1024
"""How far into a file the marks of PDF and HTML are looked for."""

_HTML = re.compile(
    rb"(?:\xef\xbb\xbf)?\s*(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)*<(?:!doctype\s+)?html\b",
    re.IGNORECASE | re.DOTALL,
)


def recognise(name: str, data: bytes) -> InputKind:
    """Return the kind of a file with this name and content.

    The mark of a PDF outranks the name; otherwise the suffix decides, then the content.
    """
    if _PDF in data[:RECOGNISED_BYTES]:
        return InputKind.PDF
    lowered = name.lower()
    for suffix in _COMPRESSED:
        lowered = lowered.removesuffix(suffix)
    named = next((kind for suffix, kind in _SUFFIXES.items() if lowered.endswith(suffix)), None)
    if named is not None:
        return named
    if _HTML.match(data[:RECOGNISED_BYTES]):
        return InputKind.HTML
    return InputKind.JSONL if _starts_with_article(data) else InputKind.TEXT


def _starts_with_article(data: bytes) -> bool:
    """Return whether the first line is a JSON object with the text of an article."""
    line = data.lstrip().split(b"\n", 1)[0]
    if not line.startswith(b"{"):
        return False
    try:
        members = Field(loads(line.decode("utf-8", "replace"), name=""), "").object()
    except FormatError:
        return False
    return "text" in members or "article" in members
