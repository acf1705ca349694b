"""The kinds of input files, and recognition by name and content."""

import re
from collections.abc import Mapping
from enum import Enum

from discobert.data.codecs.fields import Field
from discobert.data.codecs.json_text import loads
from discobert.errors import FormatError, InputError


class InputKind(Enum):
    """The kinds of files that texts are read from."""

    TEXT = "text"
    MARKDOWN = "markdown"
    HTML = "html"
    PDF = "pdf"
    STORY = "story"
    JSONL = "jsonl"
    DOCX = "docx"
    EMAIL = "email"
    TRANSCRIPT = "transcript"
    """Subtitles: SubRip (.srt) or WebVTT (.vtt)."""


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
    ".docx": InputKind.DOCX,
    ".eml": InputKind.EMAIL,
    ".srt": InputKind.TRANSCRIPT,
    ".vtt": InputKind.TRANSCRIPT,
}
_COMPRESSED = (".gz", ".xz")
_PDF = b"%PDF-"
RECOGNISED_BYTES = 1024
"""How far into a file the marks of PDF and HTML are looked for."""

_HTML = re.compile(
    rb"(?:\xef\xbb\xbf)?\s*(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)*<(?:!doctype\s+)?html\b",
    re.IGNORECASE | re.DOTALL,
)
_CUES = re.compile(
    rb"(?:\xef\xbb\xbf)?\s*(?:WEBVTT(?:[ \t\r\n]|\Z)|\d+[ \t]*\r?\n\d+:\d\d:\d\d,\d{3} --> )"
)
_BINARY: Mapping[bytes, str] = {
    b"\x89PNG": "a PNG picture",
    b"\xff\xd8\xff": "a JPEG picture",
    b"GIF8": "a GIF picture",
    b"II*\0": "a TIFF picture",
    b"MM\0*": "a TIFF picture",
    b"BM": "a BMP picture",
    b"\xd0\xcf\x11\xe0": "an old Office file (.doc, .xls, .ppt); save it as .docx",
    b"PK\x03\x04": "a ZIP archive",
    b"\x1f\x8b\x08": "gzip data; unpack it first",
    b"\xfd7zXZ\0": "xz data; unpack it first",
    b"BZh": "bzip2 data; unpack it first",
    b"\x28\xb5\x2f\xfd": "Zstandard data; unpack it first",
    b"7z\xbc\xaf": "a 7z archive",
    b"Rar!": "a RAR archive",
    b"\x7fELF": "a program",
    b"MZ": "a Windows program",
    b"SQLite format 3": "an SQLite database",
    b"PAR1": "a Parquet table",
    b"ID3": "MP3 audio",
    b"OggS": "Ogg audio or video",
    b"RIFF": "WAV audio, AVI video or a WebP picture",
    b"{\\rtf": "RTF; save it as .docx or plain text",
    b"%!PS": "PostScript; convert it to PDF",
}
"""What files that hold no plain text begin with."""
_ZIPPED: Mapping[bytes, str] = {
    b"word/": "a Word document; name it .docx, or add --input docx",
    b"xl/": "an Excel workbook; export the text first",
    b"ppt/": "a PowerPoint presentation; export the text first",
    b"application/epub": "an EPUB book; convert it to HTML or text first",
    b"opendocument": "an OpenDocument file (.odt, .ods); save it as .docx",
}
_SHORT_MARK = 2
"""Marks of that length may also begin a text, so the rest must be binary as well."""


def refuse_binary(name: str, data: bytes) -> None:
    """Raise an error that names what a file looks like, if that is no text."""
    mark = next((mark for mark in _BINARY if data.startswith(mark)), None)
    what = _BINARY[mark] if mark else "MP4 audio or video" if data[4:8] == b"ftyp" else None
    if what is None or (mark and len(mark) <= _SHORT_MARK and b"\0" not in data):
        return
    if mark == b"PK\x03\x04":
        what = next((found for part, found in _ZIPPED.items() if part in data), what)
    raise InputError(f"{name}: not text; it looks like {what}")


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
    if _CUES.match(data[:RECOGNISED_BYTES]):
        return InputKind.TRANSCRIPT
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
