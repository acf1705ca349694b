"""How much a line counts at least, known without writing it out.

Repairs take marks away, and a few words of which each rule has its own; what is left of a clause
without the words of all rules in use bounds the length of every line that shows it. A rule that is
not listed here may take anything away, so with it nothing is known. Lines are bounded as selection
counts them, with something of every other sentence shown.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from types import MappingProxyType

from discobert.data.document import Document
from discobert.logic import line_ends, seams
from discobert.logic.budget import LengthUnit
from discobert.logic.repairs import Repair, Repairs

_MARKS_ONLY = (
    seams.ENDED_QUOTATION,
    seams.ORPHAN_MARKS,
    seams.SPLIT_QUOTATION,
    seams.COMMA_PAIRS,
    seams.INHERITED_PUNCTUATION,
    seams.DOUBLED_PUNCTUATION,
    seams.SPACING,
    line_ends.LEADING_PUNCTUATION,
    line_ends.FINAL_STOP,
    line_ends.TRAILING_PUNCTUATION,
    line_ends.HEADING_STOP,
    line_ends.CAPITAL,
    line_ends.DISCOURSE_CONNECTIVE,  # these two wait for a sentence before that is not shown
    line_ends.ALSO,
    line_ends.PAPER_SHORT,  # all or nothing, and a line that is left out counts as it is
    line_ends.PAPER_LAST_TOKEN,
    line_ends.PAPER_FIRST_TOKEN,
)

WORDS_LOST: Mapping[Repair, frozenset[str]] = MappingProxyType(
    {
        **dict.fromkeys(_MARKS_ONLY, frozenset[str]()),
        line_ends.LEADING_CONNECTIVE: frozenset(["and", "but", "or", "so", "yet"]),
        line_ends.COMPLEMENTISER: frozenset(["that"]),
        line_ends.LONE_SUBORDINATOR: frozenset(
            ["even", "though", "although", "because", "whereas", "while", "as"]
        ),
        line_ends.TRAILING_CONNECTIVE: frozenset(["and", "but", "or"]),
        line_ends.PAPER_CONJUNCTION: frozenset(["and", "or", "but"]),
    }
)
"""The words, in lower case, that each rule may take away."""


@dataclass(frozen=True, slots=True)
class LineBounds:
    """What the lines of one document count at least, in words or characters."""

    lasting: tuple[int, ...]
    """What every line keeps of each EDU that it shows."""

    spaced: tuple[bool, ...]
    """Whether a space parts each EDU from the one before."""

    def least(self, edus: tuple[int, ...]) -> int:
        """Bound the cost of the line of some EDUs of one sentence, given in reading order."""
        if len(edus) == 1:
            return self.lasting[edus[0]]
        # Where something was cut out, a repair may close two words up.
        closed_up = [b for a, b in pairwise(edus) if b > a + 1 or not self.spaced[b]]
        return sum(self.lasting[edu] for edu in edus) - len(closed_up)


def line_bounds(document: Document, unit: LengthUnit, repairs: Repairs) -> LineBounds | None:
    """Bound the lines of a document; ``None`` if some rule is not known.

    A word counts one. In characters it counts its letters and one for the space after it.
    """
    if not all(repair in WORDS_LOST for repair in repairs):
        return None
    lost = frozenset[str]().union(*(WORDS_LOST[repair] for repair in repairs))
    no_word, no_letter = _patterns(lost)
    lasting = []
    for edu in range(len(document.edus)):
        text = document.edu_text(edu)
        n_letters = 0 if unit is LengthUnit.WORDS else len(no_letter.sub("", text))
        lasting.append(n_letters + len(text.split()) - len(no_word.findall(text)))
    return LineBounds(tuple(lasting), tuple(_spaced(document)))


@cache
def _patterns(lost: frozenset[str]) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Match words that may go, marks among them, and all but the letters of those that stay."""
    words = rf"\b(?:{'|'.join(sorted(lost))})\b" if lost else r"\b\B"
    return (
        re.compile(rf"(?<!\S)(?:[^\w\s]|{words})+(?!\S)", re.IGNORECASE),
        re.compile(rf"\W|{words}", re.IGNORECASE),
    )


def _spaced(document: Document) -> Iterable[bool]:
    yield True
    for before, after in pairwise(document.edus):
        gap = document.text[before.span.end - 1 : after.span.start + 1]
        yield any(map(str.isspace, gap))
