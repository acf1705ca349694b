"""Random documents with dependencies and scores, and how tests solve them."""

from dataclasses import replace

from hypothesis import strategies as st
from tests.builders import doc

from discobert.data.coref import Cluster
from discobert.data.document import Document
from discobert.data.graph import Edge
from discobert.data.summary import Scores
from discobert.selection.budget import Budget, length_in
from discobert.selection.build import DEFAULT_DECODING, Decoding, build_problem
from discobert.selection.readable.weights import FEATURES, ReadableWeights
from discobert.selection.request import (
    Headings,
    ReadabilityRules,
    ReferencePolicy,
    Style,
    SummaryRequest,
)
from discobert.selection.select import Solution, select
from discobert.writing.fragments import Repairs
from discobert.writing.realise import realise
from discobert.writing.repairs import DEFAULT

BARE = SummaryRequest(
    style=Style.PAPER,
    references=ReferencePolicy.KEEP,
    rules=ReadabilityRules(headings=Headings.KEEP),
)
"""The paper's style and its bare search: nothing is done about references and headings."""

Case = tuple[Document, tuple[Edge, ...], Scores]

WORDS = st.sampled_from(
    "the man left home, and who said: \"yes,\" 'no' (so) but – it rained. He she U.S. that won; was"
    ' "It over."'.split(" ")
)
EDUS = st.lists(WORDS, min_size=1, max_size=5).map(" ".join)
SCORES = st.one_of(
    st.integers(-4, 4).map(float), st.floats(-3, 3).map(lambda value: round(value, 3))
)
BUDGETS = st.one_of(
    st.builds(Budget, words=st.integers(1, 25)),
    st.builds(Budget, chars=st.integers(1, 120)),
    st.builds(Budget, edus=st.integers(1, 7)),
    st.builds(Budget, sentences=st.integers(1, 4)),
    st.builds(Budget, ratio=st.sampled_from([0.05, 0.2, 0.5, 0.9])),
)


@st.composite
def cases(draw: st.DrawFn, *, max_sentences: int = 4, max_edus: int = 4) -> Case:
    """Draw sentences whose EDUs need each other at random, in circles and with several heads."""
    sentences = draw(
        st.lists(st.lists(EDUS, min_size=1, max_size=max_edus), min_size=1, max_size=max_sentences)
    )
    document = doc(" | ".join("".join(f"[{edu}] " for edu in edus) for edus in sentences))
    edges: list[Edge] = []
    for edus in document.edus_by_sentence():
        index = st.integers(edus.start, edus.stop - 1)
        edges += draw(st.lists(st.builds(Edge, index, index), max_size=len(edus)))
    n_edus = len(document.edus)
    values = draw(st.lists(SCORES, min_size=n_edus, max_size=n_edus))
    return document, tuple(edges), Scores(tuple(values))


def solve(
    document: Document,
    scores: Scores,
    edges: tuple[Edge, ...] = (),
    decoding: Decoding = DEFAULT_DECODING,
    *,
    request: SummaryRequest = BARE,
    clusters: tuple[Cluster, ...] = (),
) -> Solution:
    """Build the problem and solve it, with the bare search unless the request says otherwise."""
    problem = build_problem(
        document, scores, edges, decoding=decoding, request=request, clusters=clusters
    )
    return select(problem)


def length(
    document: Document, edus: tuple[int, ...], budget: Budget, rules: Repairs = DEFAULT
) -> int:
    lines = realise(document, edus, rules=rules)
    n_sentences = len({document.edus[edu].sentence for edu in edus})
    unit = budget.limit(document).unit
    return length_in(unit, lines, n_edus=len(edus), n_sentences=n_sentences)


def weights_of(**coefficients: float) -> ReadableWeights:
    """Return weights of the readable style under which nothing else counts."""
    given = dict.fromkeys(FEATURES, 0.0) | coefficients
    return replace(ReadableWeights(), **given)  # type: ignore[arg-type] # all of these are floats
