"""Documents as arrays, cut at sentences, written and read back."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch")

from tests.tiny import tiny_examples, tiny_tokenizer

from discobert.errors import InputError
from discobert.nn.scorer import Variant
from discobert.runtime.pieces import lay_out_analysis, piece_bounds, sentences_within
from discobert.scorer.features import DEFAULT, RstEdges
from discobert.train.summarizer.corpus import prepared_example
from discobert.train.summarizer.features.cache import read_items, write_items
from discobert.train.summarizer.features.items import (
    Item,
    ItemOptions,
    cut,
    item_of,
)

WHOLE = ItemOptions(max_pieces=0)


def items(options: ItemOptions = WHOLE) -> list[Item]:
    tokenizer = tiny_tokenizer()
    return [
        item_of(prepared_example(example), options, lambda read: lay_out_analysis(tokenizer, read))
        for example in tiny_examples()
    ]


def test_a_document_without_pieces_needs_a_tokenizer() -> None:
    with pytest.raises(InputError, match="flood: prepared without word pieces"):
        item_of(prepared_example(tiny_examples()[0]), WHOLE)


def test_long_documents_are_cut_after_a_whole_sentence() -> None:
    item = items(ItemOptions(max_pieces=70))[0]
    assert item.layout is not None
    assert item.n_pieces <= 70
    assert len(item.units) == len(item.chosen) == len(item.rank.words) == 4
    assert set(item.units.sentences.tolist()) == {0, 1}
    assert int(item.units.rst.max()) < 4
    assert int(item.layout.blocks[-1]) == item.n_pieces


def test_a_share_of_long_documents_is_met_later_and_always_at_the_same_place() -> None:
    options = ItemOptions(max_pieces=30, later_windows=1.0)
    first, again = items(options), items(options)
    starts = [int(item.units.sentences[0]) for item in first]
    assert all(start > 0 for start in starts)
    assert starts == [int(item.units.sentences[0]) for item in again]
    assert all(item.units.features[0, 1] > 0 for item in first)


def test_documents_that_fit_are_met_whole() -> None:
    whole = [len(item.units) for item in items()]
    assert [len(item.units) for item in items(replace(WHOLE, later_windows=1.0))] == whole


def test_one_sentence_is_always_kept() -> None:
    assert len(items(ItemOptions(max_pieces=3))[0].units) == 2


def test_a_later_stretch_keeps_its_place_in_the_document() -> None:
    item = items()[0]
    assert item.layout is not None
    window = cut(item, 2, 4)
    low, high = piece_bounds(item.layout, 2, 4)
    assert window.layout is not None
    assert np.array_equal(window.layout.ids, item.layout.ids[low:high])
    assert window.units.sentences.tolist() == [2, 2, 3]
    assert np.array_equal(window.units.places, item.units.places[4:])
    first, end = window.units.pieces[0]
    assert np.array_equal(window.layout.ids[first:end], item.layout.ids[low + first : low + end])
    assert window.units.rst.tolist() == [[0, 1], [2, 1]]
    assert set(window.rank.grams[:, 0].tolist()) <= {0, 1, 2}


def test_windows_count_from_any_sentence() -> None:
    layout = items()[0].layout
    assert layout is not None
    assert sentences_within(layout, 70) == 2
    assert sentences_within(layout, 70, first=1) == 3
    assert sentences_within(layout, 1, first=3) == 4


def test_kinds_of_units_and_graphs_are_options() -> None:
    sentences = items(replace(WHOLE, variant=Variant.SENTENCE))[0]
    assert len(sentences.units) == 4
    assert not len(sentences.rank.needs)
    legacy = replace(WHOLE, units=replace(DEFAULT, rst=RstEdges.LEGACY))
    edges = items(legacy)[0].units.rst
    assert bool((edges[:, 0] > edges[:, 1]).all())
    strict = items(replace(WHOLE, units=replace(DEFAULT, rst=RstEdges.STRICT)))[0].units
    assert len(strict.rst) < len(items()[0].units.rst)


def test_packed_items_come_back(tmp_path: Path) -> None:
    before = [*items(), replace(items()[0], id="again")]
    write_items(tmp_path / "items", before)
    after = read_items(tmp_path / "items")
    assert [item.id for item in after] == [item.id for item in before]
    for old, new in zip(before, after, strict=True):
        for name in ("pieces", "places", "features", "rst", "coref"):
            assert np.array_equal(getattr(old.units, name), getattr(new.units, name))
        assert np.array_equal(old.rank.counts, new.rank.counts)
        assert old.rank.n_unigrams == new.rank.n_unigrams
        assert old.layout is not None
        assert new.layout is not None
        assert np.array_equal(old.layout.block_sentences, new.layout.block_sentences)


def test_a_damaged_file_of_items_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "items"
    write_items(path, items())
    path.write_bytes(path.read_bytes()[:200])
    with pytest.raises(InputError, match="damaged cache"):
        read_items(path)
