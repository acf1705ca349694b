"""Quotation marks and brackets of a text, paired, and the quotations between them.

Apostrophes and signs for feet or inches are left out. Delimiters are paired within a paragraph: a
quotation may cover several sentences, and one that covers several paragraphs is opened again in
each of them.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum
from typing import NamedTuple

from discobert.data.document import Span

_DELIMITER = re.compile(r"``|''|[\"“”„«»‘’'()\[\]{}]")
_ELISION = re.compile(
    r"['’‘](?:\d\ds?\b|(?:em|tis|twas|til|till|cause|cos|cuz|bout|round|n|neath)\b)", re.IGNORECASE
)
_ENUMERATOR = re.compile(r"(?:^|\s)\(?\w{1,3}$")
_POSSESSIVE = re.compile(r"(?:(?<=s)|(?<=in))['’]\s+[^\W\d_A-Z]")
_BEFORE_OPENING = frozenset(" \n\r\t\xa0([{-–—/\"“‘'«`")
_KINDS = {
    **dict.fromkeys(['"', "“", "”", "„", "``", "''"], "double"),
    **dict.fromkeys(["'", "‘", "’"], "single"),
    **dict.fromkeys(["«", "»"], "angle"),
    **dict.fromkeys(["(", ")"], "round"),
    **dict.fromkeys(["[", "]"], "square"),
    **dict.fromkeys(["{", "}"], "curly"),
}
_OPENING = frozenset(["“", "„", "``", "«", "(", "[", "{"])
_CLOSING = frozenset(["”", "»", ")", "]", "}"])
BRACKETS = frozenset("()[]{}")


class Delimiter(NamedTuple):
    """A quotation mark or bracket, by offsets, and the offset of its partner if it has one."""

    start: int
    end: int
    partner: int | None


class _Role(Enum):
    OPENS = "opens"
    CLOSES = "closes"
    MAY_CLOSE = "may close"
    NONE = "none"


@dataclass(slots=True)
class _PairingState:
    """What has been paired so far in one paragraph."""

    open: dict[str, list[int]] = field(default_factory=dict)
    doubtful: list[int] = field(default_factory=list)
    partners: dict[int, int | None] = field(default_factory=dict)
    ends: dict[int, int] = field(default_factory=dict)

    def pair(self, first: int, second: int) -> None:
        self.partners[first], self.partners[second] = second, first

    def close_at_doubtful(self) -> None:
        """Close an open single quotation at its first possible end, if no certain one came."""
        opened = self.open.get("single")
        if opened and self.doubtful:
            self.pair(opened.pop(), self.doubtful[0])
        self.doubtful.clear()


def delimiters(text: str, paragraph: Span) -> Iterator[Delimiter]:
    """Yield the quotation marks and brackets of a paragraph in reading order."""
    state = _PairingState()
    for match in _DELIMITER.finditer(text, paragraph.start, paragraph.end):
        kind = _KINDS[match.group()]
        opened = state.open.setdefault(kind, [])
        role = _role(text, match, paragraph, is_open=bool(opened))
        if role is not _Role.NONE:
            state.ends[match.start()] = match.end()
            _step(state, kind, role, match.start())
    state.close_at_doubtful()
    for start, partner in sorted(state.partners.items()):
        yield Delimiter(start, state.ends[start], partner)


def _step(state: _PairingState, kind: str, role: _Role, start: int) -> None:
    opened = state.open[kind]
    if role is _Role.MAY_CLOSE:
        state.doubtful.append(start)
        return
    if kind == "single":
        if role is _Role.OPENS:
            state.close_at_doubtful()
        state.doubtful.clear()
    state.partners[start] = None
    if role is _Role.OPENS:
        opened.append(start)
    elif opened:
        state.pair(opened.pop(), start)


def _role(text: str, match: re.Match[str], paragraph: Span, *, is_open: bool) -> _Role:
    mark, start, end = match.group(), match.start(), match.end()
    before = text[start - 1] if start > paragraph.start else " "
    after = text[end] if end < paragraph.end else " "
    kind = _KINDS[mark]
    if kind == "single":
        return _single_role(text, start, before, after, is_open=is_open)
    if mark in _OPENING:
        return _Role.NONE if kind == "round" and before in ":;" else _Role.OPENS
    if mark in _CLOSING:
        stray = not is_open and _is_other_sign(text[max(paragraph.start, start - 5) : start], kind)
        return _Role.NONE if stray else _Role.CLOSES
    return _straight_role(before, after, is_open=is_open)


def _is_other_sign(before: str, kind: str) -> bool:
    """Recognise list numbers ("a)"), smileys and signs for inches, which close nothing."""
    if kind == "round":
        return bool(_ENUMERATOR.search(before)) or before.endswith((":", ";", ":-", ";-"))
    return kind == "double" and before[-1:].isdigit()


def _straight_role(before: str, after: str, *, is_open: bool) -> _Role:
    opens, closes = before in _BEFORE_OPENING, not after.isalnum()
    if opens and not closes:
        return _Role.OPENS
    if is_open:
        return _Role.CLOSES
    if before.isdigit():
        return _Role.NONE
    return _Role.CLOSES if closes and not opens else _Role.OPENS


def _single_role(text: str, start: int, before: str, after: str, *, is_open: bool) -> _Role:
    opens, closes = before in _BEFORE_OPENING, not after.isalnum()
    if text[start] == "‘" or (opens and not closes):
        elision = text[start] == "’" or _ELISION.match(text, start)
        return _Role.NONE if elision else _Role.OPENS
    if not closes:
        return _Role.NONE
    if is_open:
        return _Role.MAY_CLOSE if _POSSESSIVE.match(text, start) else _Role.CLOSES
    quote_follows = opens and not after.isspace() and text[start] == "'"
    return _Role.OPENS if quote_follows else _Role.NONE


def quotations(text: str, paragraph: Span) -> Iterator[Span]:
    """Yield the quotations of a paragraph; one that it opens with and never closes fills it."""
    for mark in delimiters(text, paragraph):
        if text[mark.start] in BRACKETS:
            continue
        if mark.partner is None and mark.start == paragraph.start:
            yield paragraph
        elif mark.partner is not None and mark.start < mark.partner:
            yield Span(mark.start, mark.partner + 1)
