"""The sets of repairs that users choose from by name."""

from discobert.writing import rules_edges, rules_inside
from discobert.writing.repairs import Repairs

DEFAULT: Repairs = (
    rules_inside.ENDED_QUOTATION,  # these two first: their offsets hold for the untouched text
    rules_inside.ORPHAN_MARKS,
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
"""What makes readable sentences of clauses.

A sentence shown whole stays verbatim, but for words that lead back to one that is not shown, for
the stop of a heading, and for the end of a quotation that goes on elsewhere.
"""

OF_LINES: Repairs = tuple(repair for repair in DEFAULT if not repair.excerpt)
"""Those of them that look at nothing but the line, and leave whole sentences alone."""

PAPER: Repairs = (
    rules_edges.PAPER_SHORT,
    rules_edges.PAPER_LAST_TOKEN,
    rules_edges.PAPER_FIRST_TOKEN,
    rules_edges.PAPER_CONJUNCTION,
)
"""What the paper's released code does, for comparisons; it touches whole sentences too."""

NONE: Repairs = ()
"""Slices of the source, nothing else."""

WITHOUT_DATELINES: Repairs = (rules_edges.DATELINE, *DEFAULT)
"""The default, and "LONDON (CNN) --" goes, from whole sentences too."""
