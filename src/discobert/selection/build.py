"""From an analysis, its scores and a request to a selection problem, built once a summary."""

import math
from dataclasses import dataclass, replace

from discobert.data.coref import Cluster
from discobert.data.document import Document
from discobert.data.graph import DiscourseGraph, Edge
from discobert.data.summary import Analysis, Scores, SentenceSalience
from discobert.discourse.dependencies import closures
from discobert.discourse.references import References
from discobert.discourse.units import UnitKind, scored_units
from discobert.errors import InvalidGraph, InvalidValue
from discobert.selection.antecedents import WithAntecedents
from discobert.selection.budget import NO_BUDGET, Budget
from discobert.selection.focus import sentence_relevances
from discobert.selection.headings import WithoutHeadings
from discobert.selection.paper.coverage import CoverageModel, CoverageSearch
from discobert.selection.paper.greedy import Greedy
from discobert.selection.paper.length_normalisation import NO_NORMALISATION, LengthNormalisation
from discobert.selection.preferences import constraints, focused
from discobert.selection.problem import (
    Search,
    SelectionProblem,
    by_score,
    comparable_scores,
    edu_costs,
    lifted,
)
from discobert.selection.readable.choose import (
    ReadableSearch,
    default_words,
    guessed_sentences,
)
from discobert.selection.readable.weights import DEFAULT_WEIGHTS, ReadableWeights
from discobert.selection.redundancy import ALLOW_REPEATS, Redundancy
from discobert.selection.request import (
    DEFAULT_REQUEST,
    Headings,
    ReferencePolicy,
    Style,
    SummaryRequest,
)
from discobert.writing.realise import SentenceRealiser

GREEDY = Greedy()
THREE_SENTENCES = Budget(sentences=3)
_MOST_ODDS = 500.0
"""Log-odds below which a probability is zero."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Decoding:
    """How the scores of a model become a selection if the request does not say otherwise."""

    search: Search = GREEDY
    budget: Budget = NO_BUDGET
    """The length that the model was tuned to."""
    redundancy: Redundancy = ALLOW_REPEATS
    length_normalisation: LengthNormalisation = NO_NORMALISATION
    readable: ReadableWeights = DEFAULT_WEIGHTS
    """The weights of the readable style."""
    coverage: CoverageModel | None = None
    """Which words the summary of a text will have, for the style ``paper``."""


DEFAULT_DECODING = Decoding()


@dataclass(frozen=True, slots=True)
class Salience:
    """Output of a scorer for one text: a score for every EDU, and how to decode these scores."""

    scores: Scores
    decoding: Decoding = DEFAULT_DECODING
    unit: UnitKind = UnitKind.EDU
    """What the scores were trained to select."""
    sentences: SentenceSalience | None = None
    """Scores of whole sentences, if the model has a network for them."""
    other: SentenceSalience | None = None
    """Scores of whole sentences for the readable style, if the text is found to be no news."""
    is_news: bool | None = None
    """Whether the text was found to be news; None if the model cannot tell."""


def selection_problem(
    analysis: Analysis, salience: Salience, request: SummaryRequest = DEFAULT_REQUEST
) -> SelectionProblem:
    """Gather units, dependencies, costs and the limit of one summary."""
    unit = request.unit or salience.unit
    document, scores, edges = scored_units(analysis, salience.scores, unit, request.rules.needs)
    if unit is UnitKind.SENTENCE and salience.sentences is not None:
        scores = Scores(tuple(map(_probability, salience.sentences.salience)))
    decoding = requested_decoding(salience, unit, request)
    if request.style is Style.READABLE:
        decoding = _readable_decoding(analysis, salience, request, decoding)
    elif request.rules.coverage and request.focus is None:
        decoding = _coverage_decoding(analysis, salience, unit, decoding)
    return build_problem(
        document, scores, edges, decoding=decoding, request=request, clusters=analysis.coref
    )


def requested_decoding(salience: Salience, unit: UnitKind, request: SummaryRequest) -> Decoding:
    """Return the model's decoding with the length of the request, if that has an upper bound."""
    decoding = salience.decoding
    if unit is not salience.unit:
        decoding = replace(decoding, search=GREEDY, budget=THREE_SENTENCES)
    if request.budget == NO_BUDGET or request.budget.is_minimum:
        return decoding
    return replace(decoding, search=GREEDY, budget=request.budget)


def _probability(log_odds: float) -> float:
    return 1 / (1 + math.exp(-max(log_odds, -_MOST_ODDS)))


def _readable_decoding(
    analysis: Analysis, salience: Salience, request: SummaryRequest, decoding: Decoding
) -> Decoding:
    document, weights = analysis.document, decoding.readable
    unit = request.unit or salience.unit
    known = salience.other or salience.sentences
    sentences = known or guessed_sentences(document, salience.scores)
    search = ReadableSearch(
        sentences,
        cuts=analysis.cuts if unit is UnitKind.EDU else (),
        weights=weights,
        relevance=sentence_relevances(document, analysis.coref, request.focus),
        is_news=salience.other is None,
    )
    if request.budget == NO_BUDGET or request.budget.is_minimum:
        words = default_words(document, sentences, weights)
        decoding = replace(decoding, budget=Budget(words=words))
    return replace(decoding, search=search)


def _coverage_decoding(
    analysis: Analysis, salience: Salience, unit: UnitKind, decoding: Decoding
) -> Decoding:
    """Choose units for the words that they add, if the model knows which words to expect.

    It expects those of a summary of the whole text, so a request with a focus goes by scores alone.
    """
    model, search = decoding.coverage, decoding.search
    if model is None or salience.sentences is None or not isinstance(search, Greedy):
        return decoding
    weight = model.score_weight if unit is UnitKind.EDU else model.sentence_weight
    values = model.values(analysis.document, salience.scores, salience.sentences)
    search = CoverageSearch(values, weight, search.overflow, search.max_steps)
    return replace(decoding, search=search, redundancy=ALLOW_REPEATS)


def build_problem(
    document: Document,
    scores: Scores,
    edges: tuple[Edge, ...],
    *,
    decoding: Decoding = DEFAULT_DECODING,
    request: SummaryRequest = DEFAULT_REQUEST,
    clusters: tuple[Cluster, ...] = (),
) -> SelectionProblem:
    """Build a problem from parts; ``edges`` are the dependencies to obey, inside one sentence.

    The focus raises scores, a wanted lead outweighs all others, excluded units are not in the
    order.
    """
    _check(document, scores, edges)
    salience, warnings = focused(document, scores, clusters, request)
    constrained = constraints(document, edges, request)
    closed = closures(len(scores.values), edges)
    limit = decoding.budget.limit(document)
    normalisation = decoding.length_normalisation
    values = comparable_scores(document, salience.values, closed, limit.unit, normalisation)
    values = lifted(values, constrained.lead)
    allowed = [edu for edu in range(len(values)) if edu not in constrained.excluded]
    return SelectionProblem(
        document=document,
        clusters=clusters,
        references=References(document, clusters),
        salience=salience,
        dependencies=edges,
        scores=values,
        order=by_score(values, allowed),
        closures=closed,
        limit=limit,
        search=with_rules(decoding.search, request),
        redundancy=decoding.redundancy,
        length_normalisation=normalisation,
        realiser=SentenceRealiser(document, request.rules.repairs),
        edu_costs=edu_costs(document, limit.unit),
        request=request,
        lead=constrained.lead,
        minimum=request.budget.limit(document) if request.budget.is_minimum else None,
        warnings=warnings,
    )


def with_rules(search: Search, request: SummaryRequest) -> Search:
    """Let a search select antecedents and skip headings, as far as the request says so.

    The readable style looks after both by itself.
    """
    if isinstance(search, ReadableSearch):
        return search
    if request.references is ReferencePolicy.REPAIR:
        search = WithAntecedents(search)
    return WithoutHeadings(search) if request.rules.headings is Headings.SKIP else search


def _check(document: Document, scores: Scores, edges: tuple[Edge, ...]) -> None:
    n_edus = len(document.edus)
    if len(scores.values) != n_edus:
        raise InvalidValue(f"{document.id}: {len(scores.values)} scores for {n_edus} EDUs")
    for edu, score in enumerate(scores.values):
        if not math.isfinite(score):
            raise InvalidValue(f"{document.id}: the score of EDU {edu} must be finite, got {score}")
    for edge in DiscourseGraph(n_edus, edges).edges:
        if document.edus[edge.dependent].sentence != document.edus[edge.head].sentence:
            raise InvalidGraph(
                f"{document.id}: dependency {edge.dependent} -> {edge.head} leaves its sentence; "
                "selection obeys those inside one sentence (see dependencies.enforced)"
            )
