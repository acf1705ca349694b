"""E-mails (.eml): subject and text, with quoted text and signature apart."""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from discobert.data.document import SourceText
from discobert.data.markup import SegmentKind
from discobert.store.inputs.builder import Role, TextBuilder

_QUOTED = re.compile(r"(?:[ \t]*>)+ ?")
_SIGNATURE = re.compile(r"-- ?\Z|--\Z|_{5,}\s*\Z|Sent from my \w+")
_INTRODUCES = re.compile(
    r"On\b.{4,200}\bwrote:\s*\Z|-{2,}\s*(?:Original|Forwarded) Message\s*-{2,}\s*\Z"
    r"|Begin forwarded message:\s*\Z",
    re.IGNORECASE,
)


def build_email(parts: Mapping[str, Any], name: str) -> SourceText:
    """Return subject and text of a message; its quoted text and signature are marked as such."""
    builder = TextBuilder()
    builder.add(parts["subject"])
    builder.end_block(Role(SegmentKind.HEADING))
    text: str = parts["text"]
    _add_lines(builder, _html_lines(text) if parts["is_html"] else text.splitlines())
    attached = parts["attachments"]
    if attached:
        files = "1 attachment was" if attached == 1 else f"{attached} attachments were"
        builder.note("attachments-skipped", f"{files} left out")
    return builder.build(name, "email")


def _html_lines(html: str) -> Iterator[str]:
    """Yield the lines of HTML text, quoted ones with the mark that they have in plain text."""
    from discobert.store.inputs.markdown_inline import Part, Piece, html_pieces

    parts, depth = list[str](), 0
    for found in html_pieces(html):
        if isinstance(found, Piece) and found.part is not Part.LINE_END:
            parts.append(found.text)
            continue
        line = "".join(parts).strip()
        parts = []
        if line:
            yield f"{'> ' if depth else ''}{line}"
            yield "> " if depth else ""
        if not isinstance(found, Piece) and found.name == "blockquote":
            depth = max(0, depth + (-1 if found.closes else 1))
    yield "".join(parts)


def _add_lines(builder: TextBuilder, lines: Iterable[str]) -> None:
    """Add lines as they are wrapped; the kind of a line ends with the block."""
    kind: SegmentKind | None = None
    in_signature = False
    for raw in lines:
        quoted = _QUOTED.match(raw)
        line = raw[quoted.end() :] if quoted else raw
        in_signature = not quoted and (in_signature or bool(_SIGNATURE.match(line)))
        found = SegmentKind.SIGNATURE if in_signature else None
        if quoted or _INTRODUCES.match(line):
            found = SegmentKind.QUOTE
        if found is not kind or not line.strip():
            builder.end_block(None if kind is None else Role(kind))
        kind = found
        if not (in_signature and _SIGNATURE.match(line) and not line.strip("-_ ")):
            builder.add_line_end()
            builder.add(line)
    builder.end_block(None if kind is None else Role(kind))
