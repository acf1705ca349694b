"""Focus, quotations and lead of a request, worked out for one document."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from discobert.data.coref import Cluster
from discobert.data.document import Document
from discobert.data.graph import Edge
from discobert.data.summary import Scores, Selection, SummaryWarning
from discobert.discourse.dependencies import closures
from discobert.discourse.units import quoted_units
from discobert.selection.focus import boost, unit_relevances
from discobert.selection.request import SummaryRequest

_ENDS_SENTENCE = re.compile(r"[.!?…]['\"”’»)\]]*\Z")


@dataclass(frozen=True, slots=True)
class Constraints:
    """Units that may not be selected, and those to select first."""

    excluded: frozenset[int] = frozenset()
    lead: frozenset[int] = frozenset()


def focused(
    document: Document, scores: Scores, clusters: Sequence[Cluster], request: SummaryRequest
) -> tuple[Scores, tuple[SummaryWarning, ...]]:
    """Favour units about the focus; warn if the text holds none of its words."""
    if request.focus is None:
        return scores, ()
    found = unit_relevances(document, clusters, request.focus)
    if any(found):
        return Scores(boost(scores.values, found)), ()
    message = f"the text holds no word of the focus {request.focus!r}, so it changes nothing"
    return scores, (SummaryWarning("focus-not-found", message),)


def constraints(
    document: Document, edges: tuple[Edge, ...], request: SummaryRequest
) -> Constraints:
    """Return what is excluded and what comes first; a text of quotations alone keeps them."""
    excluded = _with_dependents(document, edges) if request.exclude_quotes else frozenset[int]()
    if len(excluded) == len(document.edus):
        excluded = frozenset()
    lead = lead_units(document) - excluded if request.keep_lead else frozenset[int]()
    return Constraints(excluded, lead)


def unmet_preferences(
    document: Document, selection: Selection, request: SummaryRequest
) -> tuple[SummaryWarning, ...]:
    """Warn of quotations that were to be left out, but are all there is."""
    if not request.exclude_quotes or quoted_units(document).isdisjoint(selection.edus):
        return ()
    message = "every unit is a quotation or needs one, so quotations are kept"
    return (SummaryWarning("only-quotes", message),)


def _with_dependents(document: Document, edges: tuple[Edge, ...]) -> frozenset[int]:
    """Return the quotations and the units that depend on one."""
    quoted = quoted_units(document)
    needed = closures(len(document.edus), edges)
    return frozenset(edu for edu, closure in enumerate(needed) if not quoted.isdisjoint(closure))


def lead_units(document: Document) -> frozenset[int]:
    """Return the units of the first sentence that ends like one, so that a heading is no lead."""
    sentences = [span.of(document.text) for span in document.sentences]
    ended = (index for index, text in enumerate(sentences) if _ENDS_SENTENCE.search(text))
    return frozenset(document.edus_by_sentence()[next(ended, 0)])
