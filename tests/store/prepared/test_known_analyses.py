"""Looking analyses up instead of making them."""

from pathlib import Path

import numpy as np
import pytest
from tests.builders import analysis

from discobert.data.document import SourceText
from discobert.data.summary import Analysis
from discobert.store.corpora.articles import Article
from discobert.store.prepared.documents import Counts, Labels, Prepared
from discobert.store.prepared.known_analyses import KnownAnalyses
from discobert.store.prepared.manifest import PreparedCorpus, ShardFile
from discobert.store.prepared.shards import ShardWriter

pytest.importorskip("pyarrow")

FERRY = analysis("[A ferry sank,] [and nobody was hurt.]")
BRIDGE = analysis("[The bridge stands.] [It is old.]")
ANEW = analysis("[Somebody looked again.]")


class Anew:
    """Tells its analyses from those that were known."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def analyse(self, source: SourceText) -> Analysis:
        self.asked.append(source.id)
        return ANEW


def shard(folder: Path, name: str, **found: Analysis) -> ShardFile:
    labels = Labels((0,), 0.5, np.zeros(2, dtype=np.float32), 4)
    counts = Counts(tokens=9, reference_tokens=5, rst_edges=1, coref_edges=0)
    with (folder / name).open("wb") as file, ShardWriter(file) as writer:
        for id_, own in found.items():
            article = Article(id_, "cnn", own.document.text, ("Ferry sinks",))
            writer.add(Prepared(article, own, labels, labels, counts, None))
    return ShardFile(name, len(found), (folder / name).stat().st_size, "")


def corpus(folder: Path) -> PreparedCorpus:
    shards = (shard(folder, "1.parquet", a=FERRY), shard(folder, "2.parquet", b=BRIDGE))
    return PreparedCorpus(folder, {}, shards)


def test_known_texts_are_looked_up_in_any_order(tmp_path: Path) -> None:
    fallback = Anew()
    known = KnownAnalyses(corpus(tmp_path), fallback)
    bridge, ferry = (
        SourceText(name, own.document.text) for name, own in (("b", BRIDGE), ("a", FERRY))
    )
    found = [known.analyse(source) for source in (bridge, ferry, bridge)]
    assert [one.document.text for one in found] == [bridge.text, ferry.text, bridge.text]
    assert [one.rst for one in found] == [BRIDGE.rst, FERRY.rst, BRIDGE.rst]
    assert fallback.asked == []


def test_what_is_not_known_is_analysed(tmp_path: Path) -> None:
    fallback = Anew()
    known = KnownAnalyses(corpus(tmp_path), fallback)
    assert known.analyse(SourceText("c", "Unheard of.")) is ANEW
    assert known.analyse(SourceText("a", "Another text.")) is ANEW
    assert fallback.asked == ["c", "a"]
