"""Sentences that tell nothing by themselves: headings of a word or two, calls to scroll down.

They are short, so they fit where nothing else does, and end summaries with "THURSDAY." or "Scroll
down for video."
"""

from dataclasses import dataclass, replace
from enum import Enum

from discobert.data.document import Document
from discobert.logic.boilerplate import is_notice
from discobert.logic.draft import Reasons, SelectionMethod, SelectionTask
from discobert.logic.verbs import has_verb

_FEW_WORDS = 3


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

    def choose(self, task: SelectionTask) -> Reasons:
        """Choose EDUs; a whole text keeps its headings, and so does a text of headings alone."""
        reasons = self.method.choose(task)
        if len(reasons) == len(task.scores):
            return reasons
        unwanted = headings(task.document) - task.lead
        if unwanted.isdisjoint(reasons):
            return reasons
        order = tuple(edu for edu in task.order if edu not in unwanted)
        return self.method.choose(replace(task, order=order)) if order else reasons


def telling(method: SelectionMethod, policy: Headings) -> SelectionMethod:
    """Keep headings from a method if that is asked for."""
    return WithoutHeadings(method) if policy is Headings.SKIP else method


def headings(document: Document) -> frozenset[int]:
    """Find the EDUs that are a whole sentence and tell nothing."""
    found = (edus for edus in document.edus_by_sentence() if len(edus) == 1)
    return frozenset(edu for (edu,) in found if _tells_nothing(document.edu_text(edu)))


def _tells_nothing(text: str) -> bool:
    few = len(text.split()) <= _FEW_WORDS
    return is_notice(text) or (few and not has_verb(text))
