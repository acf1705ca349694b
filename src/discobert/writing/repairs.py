"""The sets of repair rules, and their application to a line."""

from discobert.writing import rules_edges, rules_inside
from discobert.writing.fragments import DROPPED, LineFragments, Repairs

DEFAULT: Repairs = (
    rules_inside.ENDED_QUOTATION,  # these two first: they use offsets into the unchanged text
    rules_inside.ORPHAN_MARKS,
    rules_edges.DATELINE,
    rules_edges.DISCOURSE_CONNECTIVE,
    rules_edges.ALSO,
    rules_edges.LEADING_PUNCTUATION,
    rules_edges.LEADING_CONNECTIVE,
    rules_edges.COMPLEMENTISER,
    rules_edges.LONE_SUBORDINATOR,
    rules_inside.SPLIT_QUOTATION,
    rules_inside.COMMA_PAIRS,
    rules_inside.INHERITED_PUNCTUATION,
    rules_inside.DOUBLED_PUNCTUATION,
    rules_edges.TRAILING_CONNECTIVE,
    rules_edges.FINAL_STOP,
    rules_edges.TRAILING_PUNCTUATION,
    rules_edges.HEADING_STOP,
    rules_inside.SPACING,
    rules_edges.CAPITAL,
)
"""Rules that turn clauses into readable sentences.

A sentence shown whole stays verbatim, except for the dateline of an agency, connectives to a
sentence that is not shown, the stop after a heading, and the end of a quotation that continues
elsewhere.
"""

OF_LINES: Repairs = tuple(repair for repair in DEFAULT if not repair.excerpt)
"""The default rules that need the line alone and do not change whole sentences."""

PAPER: Repairs = (
    rules_edges.PAPER_SHORT,
    rules_edges.PAPER_LAST_TOKEN,
    rules_edges.PAPER_FIRST_TOKEN,
    rules_edges.PAPER_CONJUNCTION,
)
"""The rules of the paper's released code, for comparisons; they change whole sentences, too."""

NONE: Repairs = ()
"""Verbatim slices of the source."""

_MAX_PASSES = 5


def apply_repairs(line: LineFragments, repairs: Repairs) -> LineFragments:
    """Apply the rules in order, repeatedly until none changes anything.

    A change that would leave no letter or digit is not made. Most rules do not apply to sentences
    of which nothing was cut.
    """
    if line.is_whole:
        repairs = tuple(repair for repair in repairs if repair.whole)
    first = _one_pass(line, repairs)
    if first is line or not first.shown:
        return first
    line, repairs = first, tuple(repair for repair in repairs if not repair.once)
    for _ in range(_MAX_PASSES):
        changed = _one_pass(line, repairs)
        if changed is line:
            break
        line = changed
    return line


def _one_pass(line: LineFragments, repairs: Repairs) -> LineFragments:
    for repair in repairs:
        if repair.joins and len(line.shown) < 2:
            continue
        changed = repair.apply(line)
        if not changed.shown:
            return DROPPED
        if changed is not line and _has_word(changed):
            line = changed
    return line


def _has_word(line: LineFragments) -> bool:
    return any(character.isalnum() for text in line.shown for character in text)
