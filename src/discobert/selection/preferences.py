"""Focus, quotations and lead of a request and the roles of a file, worked out for one document."""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from discobert.data.coref import Cluster
from discobert.data.document import Document
from discobert.data.graph import Edge
from discobert.data.markup import SegmentKind
from discobert.data.summary import Scores, Selection, SummaryWarning
from discobert.discourse.dependencies import closures
from discobert.discourse.units import quoted_units
from discobert.selection.focus import boost, query_words, stems_of, unit_relevances
from discobert.selection.request import Headings, SummaryRequest

_NO_PROSE = {
    SegmentKind.HEADING: "heading",
    SegmentKind.CAPTION: "caption",
    SegmentKind.TABLE_ROW: "table",
    SegmentKind.CODE: "code",
    SegmentKind.ATTRIBUTION: "attribution",
    SegmentKind.GREETING: "greeting",
    SegmentKind.SIGNATURE: "signature",
}
"""Roles that no summary shows, with the reason why units are left out."""
_QUOTED_MAIL = "quoted mail"
_EMAIL = "email"
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
    """Return what is excluded and what comes first.

    Excluded are quotations, if that is asked for, and what is no prose of the writer's own by its
    role in the file. If nothing else is left, the roles count, then nothing does.
    """
    roles = frozenset(roles_left_out(document, request))
    with_quoted_mail = frozenset(roles_left_out(document, request, quoted_mail=True))
    quoted = quotation_units(document) if request.exclude_quotes else frozenset[int]()
    tried = (roles | quoted, roles, with_quoted_mail)
    barred = (_with_dependents(document, edges, units) for units in tried)
    excluded = next(
        (units for units in barred if len(units) < len(document.edus)), frozenset[int]()
    )
    wanted = request.keep_lead
    lead = lead_units(document, roles & excluded) - excluded if wanted else frozenset[int]()
    return Constraints(excluded, lead)


def roles_left_out(
    document: Document, request: SummaryRequest, *, quoted_mail: bool = False
) -> dict[int, str]:
    """Return the units that no summary shows by their role in the file, each with its reason.

    What a mail quotes of another one is such a unit, unless ``quoted_mail`` is wanted.
    """
    if not document.markup.segments or request.rules.headings is Headings.KEEP:
        return {}
    reasons = dict(_NO_PROSE)
    if document.markup.kind == _EMAIL and not quoted_mail:
        reasons[SegmentKind.QUOTE] = _QUOTED_MAIL
    kinds = (_kinds(document, unit) for unit in range(len(document.edus)))
    found = ((unit, next(iter(each))) for unit, each in enumerate(kinds) if len(each) == 1)
    return {unit: reasons[kind] for unit, kind in found if kind in reasons}


def quotation_units(document: Document) -> frozenset[int]:
    """Return the units in quotation marks, and those that are quotations by their role."""
    marked = (
        unit
        for unit in range(len(document.edus))
        if document.markup.segments and SegmentKind.QUOTE in _kinds(document, unit)
    )
    return quoted_units(document).union(marked)


def _kinds(document: Document, unit: int) -> frozenset[SegmentKind]:
    segments = document.markup.segments_of(document.edus[unit].span)
    return frozenset(segment.kind for segment in segments)


def unmet_preferences(
    document: Document, selection: Selection, request: SummaryRequest
) -> tuple[SummaryWarning, ...]:
    """Warn of a focus that is not shown, and of quotations that are all there is."""
    quotes = _quotations_kept(document, selection, request)
    messages = {
        "focus-not-shown": _focus_missed(document, selection, request),
        "only-quotes": quotes,
    }
    return tuple(SummaryWarning(code, message) for code, message in messages.items() if message)


def _focus_missed(document: Document, selection: Selection, request: SummaryRequest) -> str:
    if request.focus is None:
        return ""
    wanted = query_words(request.focus)
    shown = {word for unit in selection.edus for word in stems_of(document.edu_text(unit))}
    if wanted.isdisjoint(stems_of(document.text)) or not wanted.isdisjoint(shown):
        return ""
    return (
        f"the summary holds no word of the focus {request.focus!r}, though the text does; "
        "give it more room"
    )


def _quotations_kept(document: Document, selection: Selection, request: SummaryRequest) -> str:
    if request.exclude_quotes and not quotation_units(document).isdisjoint(selection.edus):
        return "every unit is a quotation or needs one, so quotations are kept"
    roles = roles_left_out(document, request)
    if any(roles.get(unit) == _QUOTED_MAIL for unit in selection.edus):
        return "the mail has no words of its own, so the mail that it quotes is summarised"
    return ""


def _with_dependents(
    document: Document, edges: tuple[Edge, ...], units: Collection[int]
) -> frozenset[int]:
    """Return the units and all that depend on one of them."""
    if not units:
        return frozenset()
    unwanted, needed = frozenset(units), closures(len(document.edus), edges)
    return frozenset(edu for edu, closure in enumerate(needed) if not unwanted.isdisjoint(closure))


def lead_units(document: Document, skipped: Collection[int] = ()) -> frozenset[int]:
    """Return the units of the first sentence that ends like one, so that a heading is no lead."""
    groups = document.edus_by_sentence()
    ended = (
        index
        for index, span in enumerate(document.sentences)
        if _ENDS_SENTENCE.search(span.of(document.text)) and groups[index].start not in skipped
    )
    return frozenset(groups[next(ended, 0)])
