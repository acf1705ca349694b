"""Counts of readability faults in summaries made of clauses.

Some faults are visible in the lines alone; others need the document. Whole sentences of the source
can have the former but not the latter. Verbs, subjects, attributions and references are detected by
the same code as in the rules that prevent these faults, so a count of zero means that a rule was
applied, not that no such fault is left.
"""

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from types import MappingProxyType

from discobert.data.document import Document, Span
from discobert.data.rst import RstTree
from discobert.discourse.dependencies import attributions
from discobert.discourse.units import by_sentence
from discobert.language.quotes import BRACKETS, delimiters
from discobert.language.verbs import has_finite_verb
from discobert.language.wordlists import RELATIVE_PRONOUNS, any_of

_FIRST_WORD = re.compile(r"[^\w@#]*([^\W\d_])(\S*)")
_END = re.compile(r"[.!?…][\"'”’»)\]}\s]*(?:\[\w{1,4}\])*$")
_BACKWARD_CONNECTIVE = re.compile(
    r"(?:And|But|So|However|Meanwhile|Moreover|Instead)\b|[^\"“‘]*\salso\s"
)
_RELATIVE = re.compile(rf"[\W_]*(?:{any_of(RELATIVE_PRONOUNS)}|that|where)\b", re.IGNORECASE)


def unbalanced_quotes(lines: Sequence[str]) -> int:
    """Count quotation marks of a summary that have no partner in it."""
    return sum(mark not in BRACKETS for mark in _orphans(lines))


def unbalanced_brackets(lines: Sequence[str]) -> int:
    """Count brackets of a summary that have no partner in it."""
    return sum(mark in BRACKETS for mark in _orphans(lines))


def _orphans(lines: Sequence[str]) -> Iterator[str]:
    text = " ".join(lines)
    found = delimiters(text, Span(0, len(text))) if text else ()
    return (text[mark.start] for mark in found if mark.partner is None)


def lower_case_starts(lines: Sequence[str]) -> int:
    """Count lines that start with a small letter, names as "iPhone" aside."""
    firsts = filter(None, map(_FIRST_WORD.match, lines))
    return sum(first[1].islower() and first[2] == first[2].lower() for first in firsts)


def missing_stops(lines: Sequence[str]) -> int:
    """Count lines that do not end as sentences do."""
    return sum(not _END.search(line) for line in lines)


LINE_FAULTS: Mapping[str, Callable[[Sequence[str]], int]] = MappingProxyType(
    {
        "unbalanced-quotes": unbalanced_quotes,
        "unbalanced-brackets": unbalanced_brackets,
        "lower-case-starts": lower_case_starts,
        "missing-stops": missing_stops,
    }
)
"""Faults that are visible in the lines of a summary."""


def stranded_relatives(document: Document, edus: Collection[int], lines: Sequence[str]) -> int:
    """Count lines that start with "who", "which" or "that" because the words before were cut."""
    everything = document.edus_by_sentence()
    starts = tuple(map(_start, lines))
    firsts = (
        document.edu_text(chosen[0])
        for sentence, chosen in by_sentence(document, edus).items()
        if chosen[0] > everything[sentence].start
    )
    return sum(
        _RELATIVE.match(text) is not None and any(s.startswith(_start(text)) for s in starts)
        for text in firsts
    )


def _start(text: str) -> str:
    """Return the first letters and digits, to match a line with its EDU."""
    return "".join(filter(str.isalnum, text[:40])).lower()[:12]


def missing_subjects(document: Document, edus: Collection[int]) -> int:
    """Count lines that start with a clause whose subject was cut off before it."""
    return sum(
        not document.edus[chosen[0]].has_subject
        and any(document.edus[edu].has_subject for edu in everything)
        and not any(document.edus[edu].has_subject for edu in chosen)
        for chosen, everything in _cut_lines(document, edus)
    )


def missing_verbs(document: Document, edus: Collection[int]) -> int:
    """Count lines without a verb although their sentence has one."""
    return sum(
        not any(has_finite_verb(document.edu_text(edu)) for edu in chosen)
        and any(has_finite_verb(document.edu_text(edu)) for edu in everything)
        for chosen, everything in _cut_lines(document, edus)
    )


def _cut_lines(
    document: Document, edus: Collection[int]
) -> Iterator[tuple[tuple[int, ...], range]]:
    everything = document.edus_by_sentence()
    for sentence, chosen in by_sentence(document, edus).items():
        if len(chosen) < len(everything[sentence]):
            yield chosen, everything[sentence]


def split_attributions(document: Document, tree: RstTree, edus: Collection[int]) -> int:
    """Count statements without their source in the same sentence, or the reverse."""
    chosen = frozenset(edus)
    pairs = attributions(document, tree)
    return sum((source in chosen) != (content in chosen) for source, content in pairs)


def lone_connectives(document: Document, edus: Collection[int], lines: Sequence[str]) -> int:
    """Count lines with "But" at the start, or "also", if the sentence before is not shown."""
    chosen = by_sentence(document, edus)
    if len(chosen) != len(lines):
        return 0
    pairs = zip(chosen, lines, strict=True)
    return sum(
        sentence > 0 and sentence - 1 not in chosen and _BACKWARD_CONNECTIVE.match(line) is not None
        for sentence, line in pairs
    )
