"""E-mails (.eml): subject and text, with quoted text and signature apart."""

import re
from collections.abc import Iterator
from email import message_from_bytes, policy
from email.errors import MessageError
from email.message import EmailMessage

from discobert.data.document import SourceText
from discobert.data.markup import SegmentKind
from discobert.errors import InputError
from discobert.store.inputs.builder import Role, TextBuilder
from discobert.store.inputs.markdown_inline import Part, Piece, html_pieces

_QUOTED = re.compile(r"(?:[ \t]*>)+ ?")
_SIGNATURE = re.compile(r"-- ?\Z|--\Z|_{5,}\s*\Z|Sent from my \w+")
_INTRODUCES = re.compile(
    r"On\b.{4,200}\bwrote:\s*\Z|-{2,}\s*(?:Original|Forwarded) Message\s*-{2,}\s*\Z"
    r"|Begin forwarded message:\s*\Z",
    re.IGNORECASE,
)


def read_email(data: bytes, name: str = "text") -> SourceText:
    """Return subject and text of a message; its quoted text and signature are marked as such."""
    try:
        message = message_from_bytes(data, policy=policy.default)
        text, is_html = _body(message)
        subject = str(message.get("subject") or "")
    except (LookupError, MessageError, UnicodeError, ValueError) as error:
        raise InputError(f"{name}: cannot be read as an e-mail: {error}") from error
    if not message.keys():
        raise InputError(f"{name}: not an e-mail: it has no header")
    builder = TextBuilder()
    builder.add(subject)
    builder.end_block(Role(SegmentKind.HEADING))
    _add_lines(builder, "\n".join(_html_lines(text)) if is_html else text)
    attached = sum(1 for _ in message.iter_attachments()) if message.is_multipart() else 0
    if attached:
        files = "1 attachment was" if attached == 1 else f"{attached} attachments were"
        builder.note("attachments-skipped", f"{files} left out")
    return builder.build(name, "email")


def _body(message: EmailMessage) -> tuple[str, bool]:
    """Return the text of a message, and whether it is HTML; plain text is preferred."""
    part = message.get_body(preferencelist=("plain", "html"))
    if part is None:
        return "", False
    content = part.get_content()
    text = content if isinstance(content, str) else ""
    return text.replace("\0", "\ufffd"), part.get_content_subtype() == "html"


def _html_lines(html: str) -> Iterator[str]:
    """Yield the lines of HTML text, quoted ones with the mark that they have in plain text."""
    line, depth = "", 0
    for found in html_pieces(html):
        if isinstance(found, Piece):
            line += found.text if found.part is not Part.LINE_END else ""
        if not isinstance(found, Piece) or found.part is Part.LINE_END:
            if line.strip():
                yield f"{'> ' if depth else ''}{line.strip()}"
                yield "> " if depth else ""
            line = ""
        if not isinstance(found, Piece) and found.name == "blockquote":
            depth = max(0, depth + (-1 if found.closes else 1))
    yield line


def _add_lines(builder: TextBuilder, text: str) -> None:
    """Add lines as they are wrapped; the kind of a line ends with the block."""
    kind: SegmentKind | None = None
    in_signature = False
    for raw in text.splitlines():
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
