"""The sets of repairs that users choose from by name."""

from collections.abc import Mapping
from types import MappingProxyType

from discobert.logic import line_ends, seams
from discobert.logic.repairs import Repairs

DEFAULT: Repairs = (
    seams.ENDED_QUOTATION,  # these two first: their offsets hold for the untouched text
    seams.ORPHAN_MARKS,
    line_ends.DISCOURSE_CONNECTIVE,
    line_ends.ALSO,
    line_ends.LEADING_PUNCTUATION,
    line_ends.LEADING_CONNECTIVE,
    line_ends.COMPLEMENTISER,
    line_ends.LONE_SUBORDINATOR,
    seams.SPLIT_QUOTATION,
    seams.COMMA_PAIRS,
    seams.INHERITED_PUNCTUATION,
    seams.DOUBLED_PUNCTUATION,
    line_ends.TRAILING_CONNECTIVE,
    line_ends.FINAL_STOP,
    line_ends.TRAILING_PUNCTUATION,
    line_ends.HEADING_STOP,
    seams.SPACING,
    line_ends.CAPITAL,
)
"""What makes readable sentences of clauses.

A sentence shown whole stays verbatim, but for words that lead back to one that is not shown, for
the stop of a heading, and for the end of a quotation that goes on elsewhere.
"""

OF_LINES: Repairs = tuple(repair for repair in DEFAULT if not repair.excerpt)
"""Those of them that look at nothing but the line, and leave whole sentences alone."""

PAPER: Repairs = (
    line_ends.PAPER_SHORT,
    line_ends.PAPER_LAST_TOKEN,
    line_ends.PAPER_FIRST_TOKEN,
    line_ends.PAPER_CONJUNCTION,
)
"""What the paper's released code does, for comparisons; it touches whole sentences too."""

NONE: Repairs = ()
"""Slices of the source, nothing else."""

WITHOUT_DATELINES: Repairs = (line_ends.DATELINE, *DEFAULT)
"""The default, and "LONDON (CNN) --" goes, from whole sentences too."""

REPAIR_SETS: Mapping[str, Repairs] = MappingProxyType(
    {"default": DEFAULT, "no-datelines": WITHOUT_DATELINES, "paper": PAPER, "none": NONE}
)
