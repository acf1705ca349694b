"""Sentences that tell nothing by themselves: headings, lists after a label, calls to scroll down.

They are short, so they fit where nothing else does, and end summaries with "THURSDAY." or "Scroll
down for video."
"""

import re
from dataclasses import dataclass, replace
from enum import Enum
from itertools import pairwise

from discobert.data.document import Document
from discobert.language.boilerplate import is_notice
from discobert.language.verbs import has_finite_verb
from discobert.selection.problem import Reasons, SelectionMethod, SelectionProblem

_FEW_WORDS = 3
_TITLE_WORDS = 12
"""More words, with neither verb nor stop, are a list or a caption rather than a title."""
_ENDED = re.compile(r"[.!?…:;,][\W_]*$")
_LABEL = re.compile(r"[A-Z][\w’'-]*(?:\s+[\w’'-]+){0,2}:\s")
"""What stands before a list: "Present: A. Bell, C. Dunn." """


class Headings(Enum):
    """What happens to sentences that tell nothing."""

    KEEP = "keep"
    """They are chosen like all others."""

    SKIP = "skip"
    """They are chosen only if there is nothing else, or if the whole text is shown."""


@dataclass(frozen=True, slots=True)
class WithoutHeadings:
    """Another method that is asked again, without headings, if it has chosen one."""

    method: SelectionMethod

    def choose(self, problem: SelectionProblem) -> Reasons:
        """Choose EDUs; a whole text keeps its headings, and so does a text of headings alone."""
        reasons = self.method.choose(problem)
        if len(reasons) == len(problem.scores):
            return reasons
        unwanted = headings(problem.document) - problem.lead
        if unwanted.isdisjoint(reasons):
            return reasons
        order = tuple(edu for edu in problem.order if edu not in unwanted)
        return self.method.choose(replace(problem, order=order)) if order else reasons


def telling(method: SelectionMethod, policy: Headings) -> SelectionMethod:
    """Keep headings from a method if that is asked for."""
    return WithoutHeadings(method) if policy is Headings.SKIP else method


def headings(document: Document) -> frozenset[int]:
    """Find the EDUs of sentences that tell nothing."""
    alone = _alone(document)
    return frozenset(
        edu
        for sentence, edus in enumerate(document.edus_by_sentence())
        if (len(edus) == 1 and _is_scrap(document.edu_text(edus[0])))
        or _is_label_or_title(
            document.sentences[sentence].of(document.text), is_paragraph=sentence in alone
        )
        for edu in edus
    )


def _alone(document: Document) -> frozenset[int]:
    """Return the sentences that are a paragraph each."""
    edges = (*document.paragraphs, len(document.sentences))
    return frozenset(start for start, end in pairwise(edges) if end == start + 1)


def _is_scrap(text: str) -> bool:
    return is_notice(text) or (len(text.split()) <= _FEW_WORDS and not has_finite_verb(text))


def _is_label_or_title(text: str, *, is_paragraph: bool) -> bool:
    is_title = is_paragraph and len(text.split()) <= _TITLE_WORDS and not _ENDED.search(text)
    return (is_title or bool(_LABEL.match(text))) and not has_finite_verb(text)
