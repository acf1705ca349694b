"""E-mails (.eml): subject and text, with greeting, quoted text and signature apart."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import takewhile
from typing import Any

from discobert.data.document import SourceText
from discobert.data.markup import SegmentKind
from discobert.store.inputs.builder import Role, TextBuilder

_QUOTED = re.compile(r"(?:[ \t]*>)+ ?")
_SIGNATURE = re.compile(r"-- ?\Z|--\Z|_{5,}\s*\Z|Sent from my \w+")
_WROTE = re.compile(r".{0,200}\b(?:wrote|writes):\s*\Z", re.IGNORECASE)
_ON_WROTE = re.compile(r"On\b.{4,200}\bwrote:\s*\Z", re.IGNORECASE)
_ORIGINAL = re.compile(r"-{2,}\s*Original Message\s*-{2,}\s*\Z", re.IGNORECASE)
_FORWARDED = re.compile(
    r"-{2,}\s*Forwarded Message\s*-{2,}\s*\Z|Begin forwarded message:\s*\Z", re.IGNORECASE
)
_HEADER = re.compile(r"\W*(?:From|Sent|Date|To|Cc|Subject|Reply-To)\W*:", re.IGNORECASE)
_GREETING = re.compile(
    r"(?:hi|hello|hey|dear|greetings|good (?:morning|afternoon|evening|day))\b[^.?]{0,60}\Z",
    re.IGNORECASE,
)
_CLOSING = re.compile(
    r"(?:(?:(?:with )?(?:best|kind|kindest|warm|many) )?(?:regards|wishes|thanks)|all the best|"
    r"best|thanks(?: a lot| again)?|thank you|cheers|yours(?: \w+)?|sincerely|take care)"
    r"[,.!]?\s*\Z",
    re.IGNORECASE,
)
_NAME = re.compile(r"[-–—~ ]*[A-Z][\w.’'-]*(?: [A-Z][\w.’'-]*){0,2}(?<!\.)\s*\Z")
_GREETING_WORDS = 8
_CLOSING_LINES, _CLOSING_WORDS = 4, 5
"""Lines below "Best regards" that belong to it, and the words of each, at most."""


def build_email(parts: Mapping[str, Any], name: str) -> SourceText:
    """Return subject and text of a message; what is not its own words is marked as such."""
    builder = TextBuilder()
    builder.add(parts["subject"])
    builder.end_block(Role(SegmentKind.HEADING))
    text: str = parts["text"]
    _add_lines(builder, list(_html_lines(text) if parts["is_html"] else text.splitlines()))
    attached = parts["attachments"]
    if attached:
        files = "1 attachment was" if attached == 1 else f"{attached} attachments were"
        builder.note("attachments-skipped", f"{files} left out")
    return builder.build(name, "email")


def _html_lines(html: str) -> Iterator[str]:
    """Yield the lines of HTML text, quoted ones with the mark that they have in plain text."""
    from discobert.store.inputs.markdown_inline import InlineKind, InlineText, html_texts

    parts, depth = list[str](), 0
    for found in html_texts(html):
        if isinstance(found, InlineText) and found.kind is not InlineKind.LINE_END:
            parts.append(found.text)
            continue
        line = "".join(parts).strip()
        parts = []
        if line:
            yield f"{'> ' if depth else ''}{line}"
            yield "> " if depth else ""
        if not isinstance(found, InlineText) and found.name == "blockquote":
            depth = max(0, depth + (-1 if found.closes else 1))
    yield "".join(parts)


def _add_lines(builder: TextBuilder, raw: Sequence[str]) -> None:
    """Add lines as they are wrapped; the kind of a line ends with the block."""
    lines = [_QUOTED.sub("", line, count=1) if _QUOTED.match(line) else line for line in raw]
    kinds = _kinds(raw, lines)
    last: SegmentKind | None = None
    for line, kind in zip(lines, kinds, strict=True):
        if kind is not last or not line.strip():
            builder.end_block(None if last is None else Role(last))
        last = kind
        if not (kind is SegmentKind.SIGNATURE and not line.strip("-_ ")):
            builder.add_line_end()
            builder.add(line)
    builder.end_block(None if last is None else Role(last))


def _kinds(raw: Sequence[str], lines: Sequence[str]) -> list[SegmentKind | None]:
    """Return the role of each line; the writer's own words have none."""
    kinds = list(_quotes_and_signatures(raw))
    for at, kind in enumerate(kinds):
        if kind is SegmentKind.QUOTE and (at == 0 or kinds[at - 1] is not kind):
            _mark_attribution(lines, kinds, at)
    own = [at for at, kind in enumerate(kinds) if kind is None and lines[at].strip()]
    if own and _is_greeting(lines, own[0]):
        kinds[own.pop(0)] = SegmentKind.GREETING
    for at in _closing(lines, own):
        kinds[at] = SegmentKind.SIGNATURE
    return kinds


def _quotes_and_signatures(raw: Sequence[str]) -> Iterator[SegmentKind | None]:
    """Yield what each line is by its own mark, or by one above it that holds up to the end."""
    state: SegmentKind | None = None
    in_headers = False
    for line in raw:
        if _QUOTED.match(line):
            state = None if state is SegmentKind.SIGNATURE else state
            yield SegmentKind.QUOTE
            continue
        in_headers = in_headers and (not line.strip() or bool(_HEADER.match(line)))
        if _ORIGINAL.match(line) or _FORWARDED.match(line):
            in_headers = True
            state = SegmentKind.QUOTE if _ORIGINAL.match(line) else None
            yield SegmentKind.ATTRIBUTION
        elif in_headers or _ON_WROTE.match(line):
            yield SegmentKind.ATTRIBUTION
        else:
            state = SegmentKind.SIGNATURE if state is None and _SIGNATURE.match(line) else state
            yield state


def _mark_attribution(lines: Sequence[str], kinds: list[SegmentKind | None], quote: int) -> None:
    """Mark "Tom wrote:" before a quotation, also if it goes over two lines."""
    at = quote - 1
    while at >= 0 and not lines[at].strip():
        at -= 1
    if at < 0 or not _WROTE.match(lines[at]):
        return
    kinds[at] = SegmentKind.ATTRIBUTION
    if at and not lines[at].startswith("On ") and _ON_WROTE.match(f"{lines[at - 1]} {lines[at]}"):
        kinds[at - 1] = SegmentKind.ATTRIBUTION


def _is_greeting(lines: Sequence[str], at: int) -> bool:
    line = lines[at].strip()
    alone = at + 1 == len(lines) or not lines[at + 1].strip()
    ended = line.endswith((",", "!", ":")) or alone
    return bool(_GREETING.match(line)) and len(line.split()) <= _GREETING_WORDS and ended


def _closing(lines: Sequence[str], own: Sequence[int]) -> Iterable[int]:
    """Return the last of the writer's own lines if they are "Best regards" and a name."""
    short = takewhile(lambda at: len(lines[at].split()) <= _CLOSING_WORDS, reversed(own))
    ending = list(short)[: _CLOSING_LINES + 1]
    found = [place for place, at in enumerate(ending) if _CLOSING.match(lines[at].strip())]
    if found:
        return ending[: found[0] + 1]
    is_name = len(own) > 1 and _NAME.match(lines[own[-1]]) and not lines[own[-1] - 1].strip()
    return ending[:1] if is_name else ()
