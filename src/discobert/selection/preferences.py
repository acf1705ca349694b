"""What a reader wants besides a length, worked out for one document."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from discobert.data.coref import Cluster
from discobert.data.document import Document
from discobert.data.graph import Edge
from discobert.data.summary import Scores, Selection, SummaryWarning
from discobert.discourse.dependencies import closures
from discobert.discourse.units import quoted_units
from discobert.selection.focus import boost, query_words, unit_relevances

_ENDS_SENTENCE = re.compile(r"[.!?…]['\"”’»)\]]*\Z")


@dataclass(frozen=True, slots=True, kw_only=True)
class Wishes:
    """What to favour, what to leave out and what to keep."""

    focus: str | None = None
    """Words that the summary should be about."""

    exclude_quotes: bool = False
    """Leave out quotations, and units that cannot stand without one."""

    keep_lead: bool = False
    """Start with the first sentence, as far as the length allows."""

    def __post_init__(self) -> None:
        if self.focus is not None:
            query_words(self.focus)


NO_WISHES = Wishes()


@dataclass(frozen=True, slots=True)
class Steering:
    """Wishes worked out: units that may not be chosen, and those to choose first."""

    excluded: frozenset[int] = frozenset()
    lead: frozenset[int] = frozenset()


def focused(
    document: Document, scores: Scores, clusters: Sequence[Cluster], wishes: Wishes
) -> tuple[Scores, tuple[SummaryWarning, ...]]:
    """Favour units about the focus; warn if the text holds none of its words."""
    if wishes.focus is None:
        return scores, ()
    found = unit_relevances(document, clusters, wishes.focus)
    if any(found):
        return Scores(boost(scores.values, found)), ()
    message = f"the text holds no word of the focus {wishes.focus!r}, so it changes nothing"
    return scores, (SummaryWarning("focus-not-found", message),)


def steer(document: Document, edges: tuple[Edge, ...], wishes: Wishes) -> Steering:
    """Find what may not be chosen and what comes first; a text of quotations alone keeps them."""
    excluded = _with_dependents(document, edges) if wishes.exclude_quotes else frozenset[int]()
    if len(excluded) == len(document.edus):
        excluded = frozenset()
    lead = lead_units(document) - excluded if wishes.keep_lead else frozenset[int]()
    return Steering(excluded, lead)


def unfulfilled(
    document: Document, selection: Selection, wishes: Wishes
) -> tuple[SummaryWarning, ...]:
    """Warn of quotations that were to be left out, but are all there is to tell."""
    if not wishes.exclude_quotes or quoted_units(document).isdisjoint(selection.edus):
        return ()
    message = "every unit is a quotation or needs one, so quotations are kept"
    return (SummaryWarning("only-quotes", message),)


def _with_dependents(document: Document, edges: tuple[Edge, ...]) -> frozenset[int]:
    """Return the quotations and whatever cannot be chosen without one."""
    quoted = quoted_units(document)
    needed = closures(len(document.edus), edges)
    return frozenset(edu for edu, closure in enumerate(needed) if not quoted.isdisjoint(closure))


def lead_units(document: Document) -> frozenset[int]:
    """Return the units of the first sentence that ends like one, so that a heading is no lead."""
    sentences = [span.of(document.text) for span in document.sentences]
    ended = (index for index, text in enumerate(sentences) if _ENDS_SENTENCE.search(text))
    return frozenset(document.edus_by_sentence()[next(ended, 0)])
