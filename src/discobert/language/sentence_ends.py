"""Where the sentences of a paragraph end: rules over marks and the words on either side."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from discobert.data.document import Span
from discobert.language.sentence_lexicon import (
    ALSO_WORDS,
    BEFORE,
    DATES,
    DOMAINS,
    EXCLAIMED_NAMES,
    OPENERS,
    SHOUTED,
    SPEECH_VERBS,
    After,
    Before,
)

_OTHER_SCRIPTS = "。！？｡؟।॥"
_QUOTES = "'\"“‘«"
_WRAPPING = "'\"“”‘’«»()[]{}*_-–—,;:"

# Brackets come first: what they hold is passed over, but for the marks before the closing one, so
# that no sentence ends inside. Every part is bounded or cannot hold what follows it, so the scan is
# linear.
_MARK = re.compile(
    rf"""
    [(\[][^()\[\]]{{0,300}}?(?=[.!?…]{{0,8}}['"”’]{{0,4}}[)\]])
    |
    (?P<mark>[.!?…‼⁇⁈⁉]+(?:[ \xa0][.!?…]+)*|[{_OTHER_SCRIPTS}]+)
    (?P<closer>['"”’»)\]}}]*)
    (?P<note>(?:\ ?\[\d[\d,\ –-]{{0,9}}\])*)
    (?P<gap>\s*)
    (?P<opener>['"“”‘’«(\[{{¿¡*_•·–—-]*)
    """,
    re.VERBOSE,
)
_WORD = re.compile(r"[^\W_]")
_INITIALS = re.compile(r"[^\W\d_]{1,2}(?:\.[^\W\d_]{1,2})+")
_LIST_MARKER = re.compile(r"\d{1,3}(?:\.\d{1,3})*|[a-zA-Z]|[ivx]{2,4}|[IVX]{2,4}")
_CAPITALISED = re.compile(r"[^\W\d_][^\W\d_]+|[AI]\b")
_ADDRESS = re.compile(r"[@/]|www\.")
_SPEAKER = re.compile(rf"(?:\w[\w.'’-]*\s+){{0,4}}(?:{SPEECH_VERBS})\b")

LOOK_BEHIND = 32
LOOK_AHEAD = 64
LONGEST_QUOTE = 400
"""Characters to look back in for the quotation mark that a mark without spaces would close."""

_CAPITALS = frozenset({After.OPENER, After.NAME, After.DATE, After.QUOTE})
_NEW_START = frozenset({After.OPENER, After.QUOTE})
ENDS_BEFORE: dict[Before, frozenset[After]] = {
    Before.WORD: _CAPITALS | {After.NUMBER, After.OTHER},
    Before.TITLE: frozenset(),
    Before.STREET: frozenset({After.OPENER}),
    Before.NUMBERED: frozenset({After.OPENER}),
    Before.INNER: frozenset(),
    Before.TIME: _CAPITALS - {After.DATE},
    Before.MEASURE: _CAPITALS,
    Before.NAME_END: _NEW_START,
    Before.DATE: _NEW_START,
    Before.STATE: _NEW_START,
    Before.INITIAL: frozenset({After.OPENER}),
    Before.MARKER: frozenset(),
}
"""What must follow a full stop for it to end the sentence, by the word that carries it."""


@dataclass(frozen=True, slots=True)
class Stop:
    """A mark that may end a sentence, with what stands around it."""

    mark: str
    closer: str
    opener: str
    last: str
    """The word before the mark without quotes and brackets; empty after a space."""
    opens: bool
    """Whether that word is the first of its sentence."""
    in_lower: bool
    """Whether the sentence so far began with a small letter."""
    following: str
    """The text after the mark, cut at a limit."""


def split_paragraph(text: str, paragraph: Span) -> Iterator[Span]:
    """Yield the trimmed sentences, each with a letter or digit if the paragraph has one."""
    last_word = _last_word(text, paragraph)
    start = paragraph.start
    first_word = _first_word(text, start, paragraph.end)
    for match in _MARK.finditer(text, paragraph.start, paragraph.end):
        gap = _find_gap(text, match) if first_word < match.start() else None
        if gap is None or gap[1] > last_word:
            continue
        if ends_sentence(_read_stop(text, start, paragraph.end, match)):
            yield Span(start, gap[0])
            start = gap[1]
            first_word = _first_word(text, start, paragraph.end)
    yield Span(start, paragraph.end)


def _first_word(text: str, start: int, end: int) -> int:
    match = _WORD.search(text, start, end)
    return match.start() if match else end


def _last_word(text: str, paragraph: Span) -> int:
    for index in range(paragraph.end - 1, paragraph.start - 1, -1):
        if text[index].isalnum():
            return index
    return -1


def _find_gap(text: str, match: re.Match[str]) -> tuple[int, int] | None:
    """Return the space between the two sentences, or nothing where the mark is inside a word."""
    if match["mark"] is None:
        return None
    if match["gap"] or match["note"] or match["mark"][0] in _OTHER_SCRIPTS:
        return match.start("gap"), match.end("gap")
    if not _lacks_space(text, match):
        return None
    cut = match.end("closer")
    quotes = text.count('"', max(0, match.start() - LONGEST_QUOTE), match.start())
    if match["closer"].endswith('"') and quotes % 2 == 0:
        cut -= 1
    return cut, cut


def _lacks_space(text: str, match: re.Match[str]) -> bool:
    """Tell a forgotten space, as in "the end.The next", from the inside of a word or address."""
    word = _CAPITALISED.match(text, match.end(), match.end() + LOOK_BEHIND)
    if word is None or not word[0].istitle() or word[0].lower() in DOMAINS:
        return False
    if match["opener"].strip(_QUOTES) or _is_address(text, match):
        return False
    before = text[match.start() - 1]
    return before.islower() or before.isdigit() or bool(match["closer"])


def _is_address(text: str, match: re.Match[str]) -> bool:
    behind = text[max(0, match.start() - LOOK_BEHIND) : match.start()].rsplit(maxsplit=1)
    ahead = text[match.end() : match.end() + LOOK_BEHIND].split(maxsplit=1)
    return bool(_ADDRESS.search(".".join([*behind[-1:], *ahead[:1]])))


def _read_stop(text: str, start: int, end: int, match: re.Match[str]) -> Stop:
    behind = text[max(start, match.start() - LOOK_BEHIND) : match.start()]
    words = behind.split()
    attached = bool(words) and not behind[-1].isspace()
    return Stop(
        mark=match["mark"],
        closer=match["closer"],
        opener=match["opener"],
        last=words[-1].strip(_WRAPPING) if attached else "",
        opens=len(words) < 2 and match.start() - start < LOOK_BEHIND,
        in_lower=text[start].islower(),
        following=text[match.end() : min(end, match.end() + LOOK_AHEAD)],
    )


def ends_sentence(stop: Stop) -> bool:
    """Decide whether a mark that is followed by more text ends its sentence."""
    if stop.mark[0] in _OTHER_SCRIPTS:
        return True
    before = _classify_before(stop)
    after = _classify_after(stop)
    if after is After.LOWER:
        return stop.in_lower and before is Before.WORD and not stop.closer and not stop.opener
    if after is After.NUMBER and stop.opener.startswith(("(", "[")):
        return False
    if "!" in stop.mark or "?" in stop.mark:
        return not _belongs_to_name(stop, after) and not _is_reported(stop)
    if stop.mark != ".":
        return after in _CAPITALS and not _is_reported(stop)
    return after in ENDS_BEFORE[before]


def _belongs_to_name(stop: Stop, after: After) -> bool:
    """Recognise Yahoo! and E!, where the mark is part of a name."""
    last = stop.last.lower()
    return (
        last in EXCLAIMED_NAMES or (len(last) == 1 and stop.mark == "!")
    ) and after is After.NAME


def _is_reported(stop: Stop) -> bool:
    """Recognise a quotation that its speaker follows: "Stop!" Smith said."""
    return (
        bool(stop.closer) and stop.closer[-1] not in ")]}" and bool(_SPEAKER.match(stop.following))
    )


def _classify_before(stop: Stop) -> Before:
    if stop.opens and _LIST_MARKER.fullmatch(stop.last):
        return Before.MARKER
    kind = BEFORE.get(stop.last.lower())
    if kind is not None:
        return kind if _is_abbreviation(stop, kind) else Before.WORD
    if len(stop.last) == 1 and stop.last.isupper():
        return Before.INITIAL
    return Before.NAME_END if _INITIALS.fullmatch(stop.last) else Before.WORD


def _is_abbreviation(stop: Stop, kind: Before) -> bool:
    """Tell the No. of No. 10 from the word no, and the i.e. of prose from IE, the browser."""
    if kind is Before.NUMBERED and stop.following[:1].isdigit():
        return True
    if stop.last.islower():
        return stop.last not in ALSO_WORDS
    if stop.last.isupper():
        return "." in stop.last or kind in SHOUTED
    return not (stop.opens and stop.last == "No")


def _classify_after(stop: Stop) -> After:
    word = stop.following.split(maxsplit=1)[0] if stop.following.strip() else ""
    first = word[:1]
    if first.islower() and not any(letter.isupper() for letter in word):
        return After.LOWER
    if first.isdigit():
        return After.NUMBER
    if not first.isalpha():
        return After.OTHER
    if stop.opener[:1] and stop.opener[0] in _QUOTES:
        return After.QUOTE
    lower = re.split(r"['’.,;:!?…)\]\"”]", word, maxsplit=1)[0].lower()
    if lower in DATES:
        return After.DATE
    return After.OPENER if lower in OPENERS else After.NAME
