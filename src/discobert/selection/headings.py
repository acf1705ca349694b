"""Headings, labelled lists and notices, which no summary should hold.

They are short, so they fit where nothing else does and would end many summaries.
"""

import re
from dataclasses import dataclass, replace
from itertools import pairwise

from discobert.data.document import Document
from discobert.language.boilerplate import is_notice
from discobert.language.verbs import has_finite_verb
from discobert.selection.problem import Reasons, Search, SelectionProblem

_FEW_WORDS = 3
_TITLE_WORDS = 12
"""More words, with neither verb nor stop, are a list or a caption rather than a title."""
_ENDED = re.compile(r"[.!?…:;,][\W_]*$")
_LABEL = re.compile(r"[A-Z][\w’'-]*(?:\s+[\w’'-]+){0,2}:\s")
"""What stands before a list: "Present: A. Bell, C. Dunn." """


@dataclass(frozen=True, slots=True)
class WithoutHeadings:
    """Runs another search, and once more without headings if it has selected one."""

    search: Search

    def choose(self, problem: SelectionProblem) -> Reasons:
        """Select EDUs; a whole text keeps its headings, and so does a text of headings alone."""
        reasons = self.search.choose(problem)
        if len(reasons) == len(problem.scores):
            return reasons
        unwanted = headings(problem.document) - problem.lead
        if unwanted.isdisjoint(reasons):
            return reasons
        order = tuple(edu for edu in problem.order if edu not in unwanted)
        return self.search.choose(replace(problem, order=order)) if order else reasons


def headings(document: Document) -> frozenset[int]:
    """Return the EDUs of headings, labelled lists and notices."""
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
