"""Random values for property tests."""

from hypothesis import strategies as st

from discobert.data.coref import Cluster, Mention
from discobert.data.cuts import Cut
from discobert.data.document import Document, Edu, Span
from discobert.data.graph import Edge
from discobert.data.rst import Branch, Leaf, Nuclearity, RstTree
from discobert.data.summary import (
    Analysis,
    ModelId,
    Replacement,
    Scores,
    Selection,
    Summary,
    SummaryWarning,
)

words = st.text(min_size=1, max_size=6).filter(lambda word: not any(map(str.isspace, word)))
relations = st.sampled_from(["elaboration-additional", "same-unit", "joint-list", "", 'a "b"', "é"])


@st.composite
def documents(draw: st.DrawFn, max_edus: int = 8) -> Document:
    """Draw a document of odd characters, with or without spaces between its EDUs."""
    units = draw(st.lists(words, min_size=1, max_size=max_edus))
    text, edus, starts, paragraphs = "", list[Edu](), [0], [0]
    for position, unit in enumerate(units):
        text += draw(st.sampled_from(["", " ", "\r\n", " "]))
        if position and draw(st.booleans()):
            paragraphs += [len(starts)] if draw(st.booleans()) else []
            starts.append(len(text))
        span = Span(len(text), len(text) + len(unit))
        edus.append(Edu(span, len(starts) - 1, draw(st.booleans())))
        text += unit
    ends = [*starts[1:], len(text)]
    sentences = tuple(map(Span, starts, ends))
    return Document(draw(st.text(max_size=5)), text, sentences, tuple(edus), tuple(paragraphs))


@st.composite
def trees(draw: st.DrawFn, n_edus: int, labels: st.SearchStrategy[str] = relations) -> RstTree:
    """Draw a tree over all EDUs by joining neighbours in random order."""
    parts: list[RstTree] = [Leaf(edu) for edu in range(n_edus)]
    while len(parts) > 1:
        at = draw(st.integers(0, len(parts) - 2))
        nuclearity = draw(st.sampled_from(list(Nuclearity)))
        parts[at : at + 2] = [Branch(draw(labels), nuclearity, parts[at], parts[at + 1])]
    return parts[0]


@st.composite
def clusters(draw: st.DrawFn, length: int) -> Cluster:
    """Draw mentions anywhere in a text of some length."""
    starts = draw(st.lists(st.integers(0, length - 1), min_size=1, max_size=4))
    spans = {Span(start, draw(st.integers(start + 1, length))) for start in starts}
    return Cluster(tuple(map(Mention, sorted(spans))))


@st.composite
def analyses(draw: st.DrawFn, max_edus: int = 8) -> Analysis:
    """Draw a document with its tree, clusters and cuts."""
    document = draw(documents(max_edus))
    tree = draw(trees(len(document.edus)))
    coref = draw(st.lists(clusters(len(document.text)), max_size=3))
    found = draw(st.lists(cuts(document), max_size=3))
    return Analysis(document, tree, tuple(coref), tuple(found))


@st.composite
def cuts(draw: st.DrawFn, document: Document) -> Cut:
    """Draw some EDUs of one sentence with a probability."""
    sentence = draw(st.sampled_from(document.edus_by_sentence()))
    edus = draw(st.sets(st.sampled_from(sentence), min_size=1))
    return Cut(tuple(sorted(edus)), draw(st.floats(0, 1)))


@st.composite
def summaries(draw: st.DrawFn) -> Summary:
    """Draw a summary whose choice, lines and dependencies need not make sense together."""
    document = draw(documents())
    n_edus = len(document.edus)
    edus = st.integers(0, n_edus - 1)
    chosen = sorted(draw(st.sets(edus)))
    left = n_edus - len(chosen)
    scores = draw(
        st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=n_edus, max_size=n_edus)
    )
    return Summary(
        document=document,
        scores=Scores(tuple(scores)),
        selection=Selection(
            tuple(chosen), tuple(draw(st.sampled_from(["score", "needed by 1"])) for _ in chosen)
        ),
        dependencies=tuple(sorted(draw(st.sets(st.builds(Edge, edus, edus), max_size=5)))),
        sentences=tuple(draw(st.lists(st.text(max_size=9), max_size=3))),
        model=ModelId(draw(st.text(max_size=5)), "1"),
        warnings=tuple(
            draw(
                st.lists(
                    st.builds(SummaryWarning, st.text(), st.text(), st.none() | edus), max_size=2
                )
            )
        ),
        replacements=tuple(
            draw(st.lists(st.builds(Replacement, edus, edus, edus, st.text()), max_size=2))
        ),
        left=draw(st.sampled_from([(), ("",) * left, ("end",) * left])),
        cuts=draw(st.sampled_from([(), (Cut((0,), 0.5),)])),
    )
