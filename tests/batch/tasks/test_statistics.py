"""Averages and histograms of a prepared corpus."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from tests.tiny import tiny_examples, tiny_layout

from discobert.batch.tasks import statistics
from discobert.batch.tasks.labels import describe_oracle
from discobert.batch.tasks.prepare import prepared_document
from discobert.batch.tasks.statistics import PAPER, shares, statistics_of, table, to_json
from discobert.errors import InputError
from discobert.metrics.oracle import PAPER as PAPERS_ORACLE
from discobert.store.corpora.articles import Article
from discobert.store.prepared.documents import Prepared
from discobert.store.prepared.manifest import PreparedCorpus


def row(oracle: list[int], *, source: str = "cnn") -> dict[str, Any]:
    return {
        "source": source,
        "n_sentences": 12,
        "n_edus": 24,
        "n_tokens": 200,
        "n_reference_tokens": 55,
        "n_rst_edges": 23,
        "n_coref_edges": 10,
        "edu_oracle": [2 * sentence for sentence in oracle],
        "edu_oracle_words": 50,
        "edu_oracle_score": 0.5,
        "sentence_oracle": oracle,
        "sentence_oracle_words": 999,
        "sentence_oracle_score": 0.25,
        "edu_sentences": [edu // 2 for edu in range(24)],
    }


@pytest.fixture
def corpus(monkeypatch: pytest.MonkeyPatch) -> PreparedCorpus:
    rows = [row([0, 1, 11]), row([9], source="dailymail")]

    def read(_: PreparedCorpus, columns: Sequence[str]) -> Iterator[dict[str, Any]]:
        assert set(columns) == set(rows[0])
        return iter(rows)

    monkeypatch.setattr(PreparedCorpus, "rows", read)
    return PreparedCorpus(Path("out"), {}, ())


def test_averages_and_the_share_after_the_tenth(corpus: PreparedCorpus) -> None:
    found = statistics_of(corpus)
    assert found.documents == 2
    assert found.sources == {"cnn": 1, "dailymail": 1}
    assert found.averages["EDUs a sentence"] == 2
    assert found.averages["oracle sentences after the tenth, %"] == 25
    assert found.averages["oracle EDUs after the tenth sentence, %"] == 25


def test_histograms_count_everything_once(corpus: PreparedCorpus) -> None:
    places, sizes, lengths = statistics_of(corpus).histograms
    assert places.series["sentences"][:2] == (1, 1)
    assert sum(places.series["EDUs"]) == 4
    assert sizes.series["sentences"][1] == 24
    assert lengths.series["reference"][5] == 2
    assert lengths.labels[5] == "50–59"
    assert lengths.series["sentence oracle"][-1] == 2
    for histogram in (places, sizes, lengths):
        assert {len(bars) for bars in histogram.series.values()} == {len(histogram.labels)}


def test_an_empty_corpus_has_statistics(
    corpus: PreparedCorpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(PreparedCorpus, "rows", lambda _, __: iter(()))
    assert statistics.statistics_of(corpus).averages["EDUs"] == 0


def test_the_table_has_the_papers_figures(corpus: PreparedCorpus) -> None:
    heading, rows = table(statistics_of(corpus))
    found = {cells[0]: cells[1:] for cells in rows}
    assert heading[2:] == tuple(PAPER)
    assert found["coreference edges"] == ("10.0", "233", "143")
    assert found["oracle score, EDUs"] == ("0.500", "", "")


def test_shares_are_of_the_sum() -> None:
    assert shares((1, 3)) == (25, 75)
    assert shares((0, 0)) == (0, 0)


def pieced(*, layouts: bool = True) -> list[Prepared]:
    return [
        prepared_document(
            Article(example.analysis.document.id, "cnn", example.analysis.document.text, lines),
            example.analysis,
            layout=tiny_layout(example.analysis) if layouts else None,
        )
        for example in tiny_examples()
        for lines in [example.reference]
    ]


@pytest.fixture
def cuttable(monkeypatch: pytest.MonkeyPatch) -> PreparedCorpus:
    monkeypatch.setattr(PreparedCorpus, "read", lambda _: iter(pieced()))
    return PreparedCorpus(Path("out"), {"job": {"oracle": describe_oracle(PAPERS_ORACLE)}}, ())


def test_documents_are_cut_after_the_last_sentence_that_fits(cuttable: PreparedCorpus) -> None:
    found = statistics_of(cuttable, max_pieces=80)  # two sentences of each
    assert found.max_pieces == 80
    assert found.averages["sentences"] == 2
    assert found.averages["EDUs"] == (4 + 3 + 3 + 3) / 4
    assert found.averages["RST edges"] == (3 + 2 + 2 + 2) / 4
    assert found.averages["documents that were cut, %"] == 100
    assert sum(found.histograms[1].series["sentences"]) == 8


def test_documents_that_fit_are_counted_whole(cuttable: PreparedCorpus) -> None:
    found = statistics_of(cuttable, max_pieces=1000)
    whole = pieced()
    assert found.averages["documents that were cut, %"] == 0
    assert found.averages["tokens"] == sum(each.counts.tokens for each in whole) / 4
    assert found.averages["oracle score, EDUs"] == sum(each.edus.score for each in whole) / 4


def test_a_cut_is_told(cuttable: PreparedCorpus) -> None:
    found = statistics_of(cuttable, max_pieces=1000)
    assert table(found)[0][1] == "this corpus, cut at 1,000 pieces"
    assert to_json(found)["max_pieces"] == 1000


def test_documents_without_pieces_cannot_be_cut(
    cuttable: PreparedCorpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(PreparedCorpus, "read", lambda _: iter(pieced(layouts=False)))
    with pytest.raises(InputError, match="flood: prepared without word pieces"):
        statistics_of(cuttable, max_pieces=768)
