"""Units as the network reads them."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.builders import analysis, tree
from tests.strategies import analyses
from tests.tiny import tiny_examples, tiny_layout, tiny_tokenizer

from discobert.data.summary import Analysis
from discobert.discourse.graphs import coref_graph
from discobert.errors import ConfigError
from discobert.runtime.pieces import lay_out_analysis, lay_out_edus
from discobert.scorer.features import (
    DEFAULT,
    FEATURES,
    N_INNER_PLACES,
    N_PLACES,
    Reach,
    RstEdges,
    UnitSpan,
    coref_edges,
    edu_units,
    place_class,
    sentence_units,
)


def test_places_are_exact_at_first_and_coarse_later() -> None:
    places = place_class(np.array([0, 39, 40, 63, 64, 127, 128, 255, 256, 9999], dtype=np.int32))
    assert places.tolist() == [0, 39, 40, 40, 41, 41, 42, 42, 43, 43]
    assert int(places.max()) < N_PLACES


def test_features_count_words_places_and_needs() -> None:
    read = analysis("[One two] [three four five.] | [Six.]", tree("NN", tree("NS", 0, 1), 2))
    units = edu_units(read, tiny_layout(read))
    column = {name: units.features[:, index] for index, name in enumerate(FEATURES)}
    assert np.expm1(3 * column["log words"]).round().tolist() == [2, 3, 1]
    assert np.expm1(3 * column["log words of all it needs"]).round().tolist() == [2, 5, 1]
    assert column["place in the sentence"].tolist() == [0, 1, 0]
    assert column["share of the sentence's units"].tolist() == [0.5, 0.5, 1]
    assert column["place of the sentence in the document"].tolist() == [0, 0, 1]


def test_units_cover_their_own_pieces() -> None:
    read = tiny_examples()[0].analysis
    layout = tiny_layout(read)
    units = edu_units(read, layout)
    first, end = units.pieces[1]
    words = [read.document.text[a:b] for a, b in layout.word_chars.tolist()]
    inside = [
        w for w, (p, _) in zip(words, layout.word_pieces.tolist(), strict=True) if first <= p < end
    ]
    assert " ".join(inside) == "after days of rain ."


def test_cls_stands_for_a_sentence_or_an_edu() -> None:
    read = tiny_examples()[0].analysis
    layout = tiny_layout(read)
    sentences = sentence_units(read, layout, replace(DEFAULT, sentence_span=UnitSpan.CLS))
    assert layout.ids[sentences.pieces[:, 0]].tolist() == [101] * 4
    cut = lay_out_edus(tiny_tokenizer(), read)
    edus = edu_units(read, cut, replace(DEFAULT, edu_span=UnitSpan.CLS))
    assert cut.ids[edus.pieces[:, 0]].tolist() == [101] * 7
    assert len(set(edus.pieces[:, 0].tolist())) == 7
    assert cut.block_sentences.tolist() == [0, 0, 1, 1, 2, 2, 3]


def test_the_released_code_sends_messages_from_left_to_right() -> None:
    read = tiny_examples()[0].analysis
    layout = tiny_layout(read)
    links = edu_units(read, layout).rst
    legacy = edu_units(read, layout, replace(DEFAULT, rst=RstEdges.LEGACY)).rst
    assert {frozenset(edge) for edge in links.tolist()} == {frozenset(e) for e in legacy.tolist()}
    assert all(dependent > head for dependent, head in legacy.tolist())


@given(analyses())
def test_any_document_can_be_described(read: Analysis) -> None:
    layout = lay_out_analysis(tiny_tokenizer(), read)
    for units in (edu_units(read, layout), sentence_units(read, layout)):
        assert bool(np.isfinite(units.features).all())
        assert bool((units.pieces[:, 0] <= units.pieces[:, 1]).all())
        assert int(units.places[:, 1].max()) < N_INNER_PLACES


@pytest.mark.parametrize("kind", [RstEdges, UnitSpan, Reach])
def test_unknown_names_are_refused(kind: type[RstEdges] | type[UnitSpan] | type[Reach]) -> None:
    with pytest.raises(ConfigError, match="use one of"):
        kind("other")


def test_a_tokenizer_without_marks_is_refused() -> None:
    from tokenizers import Tokenizer
    from tokenizers.models import WordLevel

    with pytest.raises(Exception, match=r"\[CLS\]"):
        lay_out_analysis(Tokenizer(WordLevel({"a": 0}, unk_token="a")), tiny_examples()[0].analysis)


@given(analyses(), st.integers(1, 4))
def test_edges_are_those_of_the_coreference_graph(read: Analysis, reach: int) -> None:
    graph = coref_graph(read.document, read.coref, reach=reach)
    expected = [(edge.dependent, edge.head) for edge in graph.edges]
    found = coref_edges(read.document, read.coref, reach=reach)
    assert list(map(tuple, found.tolist())) == expected
    assert found.dtype == np.int32
