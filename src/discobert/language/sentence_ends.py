"""Sentence boundaries of a paragraph: rules over punctuation and the words on either side."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from discobert.data.document import Span
from discobert.language.sentence_lexicon import (
    ALSO_WORDS,
    BEFORE,
    CONTINUATIONS,
    DATES,
    DOMAINS,
    EXCLAIMED_NAMES,
    KEPT_IN_CAPITALS,
    LOWER_CASE_NAMES,
    OPENERS,
    REPORTING_VERBS,
    After,
    Before,
)

_OTHER_SCRIPTS = "。！？｡؟।॥"
_QUOTES = "'\"“‘«"
_WRAPPING = "'\"“”‘’«»()[]{}*_-–—,;:"

# Brackets come first: their content is skipped, except punctuation before the closing bracket, so
# that no sentence ends inside. Every part is bounded or cannot match what follows it, so the scan
# is linear. The signs of emphasis in "*restored.* This" close only after a word and before a space.
_END_MARK = re.compile(
    rf"""
    [(\[][^()\[\]]{{0,300}}?(?=[.!?…]{{0,8}}['"”’]{{0,4}}[)\]])
    |
    (?P<mark>[.!?…‼⁇⁈⁉]+(?:[ \xa0][.!?…]+)*|[{_OTHER_SCRIPTS}]+)
    (?P<closer>['"”’»)\]}}]*)
    (?P<emphasis>(?:(?<=[\w.!?…][.!?…'"”’)])[*_]{{1,3}}(?=\s))?)
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
_CODE_NAME = re.compile(r"[a-z]\w*(?:_\w|\(\))")
_CODE_BEFORE = re.compile(
    r"[^`]{0,32}`|v\d+(?:\.[\dx]+)+\w*|\d+(?:\.[\dx]+){2,}\w*|\d+\.x|\w+_\w+"
    r"|[\w-]+\.(?:cfg|conf|css|csv|go|html?|ini|js|json|md|py|rs|sh|toml|ts|txt|xml|ya?ml)"
)
"""The end of code in backticks, a version, an identifier, the name of a file."""
_DECIMAL = re.compile(r"\d+\.\d+")
_SUBJECT_AND_VERB = re.compile(
    r"[a-z][\w-]*\s+(?:is|are|was|were|has|have|had|can|could|will|would|does|did|must|should)\b"
)
_BRACKETED_SENTENCE = re.compile(r"\([A-Z][^()\s]*\s+[^()\s]+\s[^()]*\Z")
_SPEAKER = re.compile(rf"(?:\w[\w.'’-]*\s+){{0,4}}(?:{REPORTING_VERBS})\b")

LOOK_BEHIND = 32
LOOK_AHEAD = 64
LONGEST_QUOTE = 400
"""Characters searched backwards for the opening partner of a quote without spaces around it."""

_CAPITALS = frozenset({After.OPENER, After.NAME, After.DATE, After.QUOTE})
_NEW_START = frozenset({After.OPENER, After.QUOTE})
ENDS_BEFORE: dict[Before, frozenset[After]] = {
    Before.WORD: _CAPITALS | {After.CODE, After.NUMBER, After.OTHER},
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
"""Which following words make a full stop a sentence end, by the class of the word before it."""


@dataclass(frozen=True, slots=True)
class PossibleEnd:
    """Punctuation that may end a sentence, with its context."""

    mark: str
    closer: str
    """Quotes and brackets right after the mark."""
    opener: str
    """Quotes, brackets and list signs right before the next word."""
    last: str
    """The word before the mark without quotes and brackets; empty after a space."""
    opens: bool
    """Whether that word is the first of its sentence."""
    in_lower: bool
    """Whether the sentence so far began with a small letter."""
    is_bracketed: bool
    """Whether the sentence so far is one pair of brackets: "(It rained.)"."""
    following: str
    """The text after the mark, cut at a limit."""


def split_paragraph(text: str, paragraph: Span) -> Iterator[Span]:
    """Yield the trimmed sentences, each with a letter or digit if the paragraph has one."""
    last_word = _last_word(text, paragraph)
    start = paragraph.start
    first_word = _first_word(text, start, paragraph.end)
    for match in _END_MARK.finditer(text, paragraph.start, paragraph.end):
        gap = _find_gap(text, match) if first_word < match.start() else None
        if gap is None or gap[1] > last_word:
            continue
        if ends_sentence(_read_context(text, start, paragraph.end, match)):
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
    """Return start and end of the space after the mark, or nothing if it is inside a word."""
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
    """Check for a forgotten space, as in "the end.The next"; names and addresses have none."""
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


def _read_context(text: str, start: int, end: int, match: re.Match[str]) -> PossibleEnd:
    behind = text[max(start, match.start() - LOOK_BEHIND) : match.start()]
    words = behind.split()
    attached = bool(words) and not behind[-1].isspace()
    return PossibleEnd(
        mark=match["mark"],
        closer=match["closer"],
        opener=match["opener"],
        last=words[-1].strip(_WRAPPING) if attached else "",
        opens=len(words) < 2 and match.start() - start < LOOK_BEHIND,
        in_lower=text[start].islower(),
        is_bracketed=_is_bracketed(text, start, match),
        following=text[match.end() : min(end, match.end() + LOOK_AHEAD)],
    )


def _is_bracketed(text: str, start: int, match: re.Match[str]) -> bool:
    """Check for a sentence of three words or more that fills one pair of brackets."""
    is_closed = text[start] == "(" and match["closer"] == ")"
    is_short = match.start() - start < LONGEST_QUOTE
    return is_closed and is_short and bool(_BRACKETED_SENTENCE.match(text, start, match.start()))


def ends_sentence(end: PossibleEnd) -> bool:
    """Decide whether punctuation that is followed by more text ends its sentence."""
    if end.mark[0] in _OTHER_SCRIPTS:
        return True
    before = _classify_before(end)
    after = _classify_after(end)
    if after is After.LOWER:
        return before is Before.WORD and _may_precede_lower_case(end)
    if after is After.NUMBER and end.opener.startswith(("(", "[")):
        return False
    if "!" in end.mark or "?" in end.mark:
        return not _belongs_to_name(end, after) and not _is_reported(end)
    if end.mark != ".":
        return after in _CAPITALS and not _is_reported(end)
    return after in ENDS_BEFORE[before] and not _continues_in_capitals(end, before)


def _may_precede_lower_case(end: PossibleEnd) -> bool:
    """Accept a lower-case start after a lower-case sentence, one in brackets, or code."""
    if end.opener:
        return False
    if end.mark == "." and _CODE_BEFORE.fullmatch(end.last):
        return _following_word(end) not in CONTINUATIONS
    if end.mark == "." and _DECIMAL.fullmatch(end.last):  # a version, or "2.1. percent"
        return bool(_SUBJECT_AND_VERB.match(end.following))
    return (end.in_lower and not end.closer) or (end.is_bracketed and end.mark == ".")


def _continues_in_capitals(end: PossibleEnd, before: Before) -> bool:
    """Recognise "8 A.M. AND 2 P.M.", where the capitals do not show a sentence start."""
    word = _following_word(end)
    is_abbreviation = before not in {Before.WORD, Before.INITIAL}
    return is_abbreviation and word.isupper() and word.lower() in CONTINUATIONS


def _belongs_to_name(end: PossibleEnd, after: After) -> bool:
    """Recognise Yahoo! and E!, where the mark is part of a name."""
    last = end.last.lower()
    return (last in EXCLAIMED_NAMES or (len(last) == 1 and end.mark == "!")) and after is After.NAME


def _is_reported(end: PossibleEnd) -> bool:
    """Recognise a quotation that its speaker follows: "Stop!" Smith said."""
    is_quoted = bool(end.closer) and end.closer[-1] not in ")]}"
    return is_quoted and bool(_SPEAKER.match(end.following))


def _classify_before(end: PossibleEnd) -> Before:
    if end.opens and _LIST_MARKER.fullmatch(end.last):
        return Before.MARKER
    kind = BEFORE.get(end.last.lower())
    if kind is not None:
        return kind if _is_abbreviation(end, kind) else Before.WORD
    if _is_compound_title(end.last):
        return Before.TITLE
    if len(end.last) == 1 and end.last.isupper():
        return Before.INITIAL
    return Before.NAME_END if _INITIALS.fullmatch(end.last) else Before.WORD


def _is_abbreviation(end: PossibleEnd, kind: Before) -> bool:
    """Separate the No. of No. 10 from the word no, and i.e. from IE, the browser."""
    if kind is Before.NUMBERED and end.following[:1].isdigit():
        return True
    if end.last.islower():
        return end.last not in ALSO_WORDS
    if end.last.isupper():
        return "." in end.last or kind in KEPT_IN_CAPITALS
    return not (end.opens and end.last == "No")


def _is_compound_title(word: str) -> bool:
    """Recognise then-Sen. and ex-Gov."""
    prefix, _, title = word.rpartition("-")
    return bool(prefix) and title[:1].isupper() and BEFORE.get(title.lower()) is Before.TITLE


def _classify_after(end: PossibleEnd) -> After:
    word = end.following.split(maxsplit=1)[0] if end.following.strip() else ""
    first = word[:1]
    if first.islower() and not any(letter.isupper() for letter in word):
        return After.CODE if _is_code(end) else After.LOWER
    if first.isdigit():
        return After.NUMBER
    if not first.isalpha():
        return After.OTHER
    if end.opener[:1] and end.opener[0] in _QUOTES:
        return After.QUOTE
    lower = _following_word(end).lower()
    if lower in DATES:
        return After.DATE
    return After.OPENER if lower in OPENERS else After.NAME


def _is_code(end: PossibleEnd) -> bool:
    """Recognise programs and identifiers, which keep their small letter at a sentence start."""
    is_name = _following_word(end) in LOWER_CASE_NAMES or _CODE_NAME.match(end.following)
    return bool(is_name) and not end.opener


def _following_word(end: PossibleEnd) -> str:
    """Return the first word after the mark without its punctuation."""
    return re.split(r"[\s'’.,;:!?…)\]\"”]", end.following.lstrip(), maxsplit=1)[0]
