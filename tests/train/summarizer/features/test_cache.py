"""Cached features: computed once, stored by key, refused when damaged."""

from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch")

from tests.tiny import tiny_examples, tiny_tokenizer

from discobert.errors import InputError
from discobert.runtime.pieces import lay_out_analysis
from discobert.store.prepared.documents import Prepared
from discobert.train.summarizer.corpus import prepared_example
from discobert.train.summarizer.features.cache import (
    CorpusPart,
    HalfArray,
    cache_folder,
    cached_documents,
)
from discobert.train.summarizer.features.items import Item, ItemOptions, item_of

DOCUMENTS = [prepared_example(example) for example in tiny_examples()]


class Counting:
    """Features that are the number of the call."""

    def __init__(self, width: int = 3) -> None:
        self.calls = 0
        self.width = width

    def __call__(self, document: Prepared) -> tuple[Item, HalfArray]:
        self.calls += 1
        item = item_of(
            document, ItemOptions(), lambda read: lay_out_analysis(tiny_tokenizer(), read)
        )
        return item, np.full((item.n_pieces, self.width), self.calls, dtype=np.float16)


def parts() -> list[CorpusPart]:
    return [
        CorpusPart("one", 2, lambda: DOCUMENTS[:2]),
        CorpusPart("two", 2, lambda: DOCUMENTS[2:]),
    ]


def test_features_are_made_once(tmp_path: Path) -> None:
    first, again = Counting(), Counting()
    made = cached_documents(tmp_path, parts(), first)
    read = cached_documents(tmp_path, parts(), again)
    assert (first.calls, again.calls) == (4, 0)
    assert [x.item.id for x in read] == ["flood", "match", "trial", "storm"]
    for old, new in zip(made, read, strict=True):
        assert np.array_equal(old.inputs, new.inputs)
        assert len(new.inputs) == new.item.n_pieces


def test_an_interrupted_part_is_made_again(tmp_path: Path) -> None:
    def broken(document: Prepared) -> tuple[Item, HalfArray]:
        if document.article.id == "storm":
            raise KeyboardInterrupt
        return Counting()(document)

    with pytest.raises(KeyboardInterrupt):
        cached_documents(tmp_path, parts(), broken)
    rest = Counting()
    assert len(cached_documents(tmp_path, parts(), rest)) == 4
    assert rest.calls == 2


def test_no_more_parts_are_read_than_asked_for(tmp_path: Path) -> None:
    featurise = Counting()
    assert len(cached_documents(tmp_path, parts(), featurise, limit=1)) == 1
    assert featurise.calls == 2


def test_inputs_are_piece_ids_where_nothing_is_frozen(tmp_path: Path) -> None:
    found = cached_documents(tmp_path, parts(), Counting(width=0))
    assert found[0].item.layout is not None
    assert np.array_equal(found[0].inputs, found[0].item.layout.ids)


def test_other_facts_have_another_folder(tmp_path: Path) -> None:
    one = cache_folder(tmp_path, {"encoder": "a", "kind": "edu"})
    assert one == cache_folder(tmp_path, {"kind": "edu", "encoder": "a"})
    assert one != cache_folder(tmp_path, {"encoder": "b", "kind": "edu"})


def test_a_damaged_cache_is_refused(tmp_path: Path) -> None:
    cached_documents(tmp_path, parts(), Counting())
    vectors = tmp_path / "one.vectors.f16"
    vectors.write_bytes(vectors.read_bytes()[:100])
    with pytest.raises(InputError, match=r"one\.vectors\.f16: damaged cache"):
        cached_documents(tmp_path, parts(), Counting())


def test_an_empty_part_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no document"):
        cached_documents(tmp_path, [CorpusPart("none", 0, list)], Counting())
