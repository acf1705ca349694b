"""Summaries against editors' extracts, by characters."""

import json
from pathlib import Path

import pytest

from discobert import Summarizer
from discobert.cli.app import run
from discobert.data.document import Span
from discobert.errors import InputError
from discobert.evaluate.cached_scorer import with_cached_scores
from discobert.evaluate.extracts import (
    NEWS,
    OTHER,
    first_sentences,
    report_on,
    request_summary,
    score_extract,
)
from discobert.selection.request import SummaryRequest
from discobert.store.corpora.extracts import Extract, extract_texts, read_extracts

TEXT = "Pictured: a dog. The bridge fell. It rained all day. Nobody was hurt."
SPANS = (Span(0, 16), Span(17, 33), Span(34, 52), Span(53, 69))


def extract(source: str = "cnndm-train-7") -> Extract:
    return Extract("a", source, "dev", SPANS, best=(1, 3), more=(2,), never=(0,))


def write_files(folder: Path) -> tuple[Path, Path]:
    record = {
        "id": "a",
        "source": "cnndm-train-7",
        "split": "dev",
        "spans": [[span.start, span.end] for span in SPANS],
        "best": [1, 3],
        "more": [2],
        "never": [0],
    }
    extracts, articles = folder / "extracts.jsonl", folder / "articles.jsonl"
    extracts.write_text(json.dumps(record) + "\n", encoding="utf-8")
    article = {"id": "a", "article": [TEXT], "highlights": ["The bridge fell."]}
    articles.write_text(json.dumps(article) + "\n", encoding="utf-8")
    return extracts, articles


def test_the_editors_choice_is_perfect() -> None:
    found = score_extract(TEXT, extract(), [SPANS[1], SPANS[3]])
    assert (found.source, found.f1, found.never, found.words) == (NEWS, 100.0, 0.0, 6)


def test_half_of_the_choice_beside_a_caption() -> None:
    found = score_extract(TEXT, extract("gum-train"), [SPANS[0], SPANS[1]])
    assert found.source == OTHER
    assert found.f1 == pytest.approx(200 * 16 / (32 + 32))
    assert found.never == pytest.approx(50.0)


def test_nothing_shown_scores_nothing() -> None:
    found = score_extract(TEXT, extract(), [])
    assert (found.f1, found.never, found.words) == (0.0, 0.0, 0)


@pytest.mark.parametrize(("words", "count"), [(1, 1), (6, 2), (10, 3), (99, 4)])
def test_first_sentences_stop_at_the_bound(words: int, count: int) -> None:
    assert first_sentences(TEXT, extract(), words) == list(SPANS[:count])


def test_reports_are_by_source_with_intervals() -> None:
    scores = [score_extract(TEXT, extract(source), [SPANS[1]]) for source in ("x", "x", "gum")]
    found = report_on(scores)
    assert {name: report.documents for name, report in found.items()} == {NEWS: 2, OTHER: 1}
    assert found[NEWS].f1.low <= found[NEWS].f1.mean <= found[NEWS].f1.high
    assert found[NEWS].words == 3


def test_a_request_is_scored_by_what_it_shows() -> None:
    summarizer = with_cached_scores(Summarizer.load("rules"))
    analysis = summarizer.analyze(TEXT)
    shown = request_summary(summarizer, analysis, SummaryRequest.of(words=3, style="paper"))
    assert [span.of(TEXT) for span in shown] == ["Pictured: a dog."]


def test_extracts_are_read_with_their_texts(tmp_path: Path) -> None:
    path, articles = write_files(tmp_path)
    found = read_extracts(path)
    assert found == [extract()]
    assert extract_texts(path, found, gum=None, articles=[articles]) == {"a": TEXT}
    with pytest.raises(
        InputError, match="neither the articles nor GUM nor AMALGUM have the text a"
    ):
        extract_texts(path, found, gum=None, articles=[])


def test_command_prints_a_row_for_each_system(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, articles = write_files(tmp_path)
    arguments = ["--extracts", str(path), "--articles", str(articles), "--model", "rules"]
    assert run(["evaluate-extracts", *arguments, "--words", "6"]) == 0
    out = capsys.readouterr().out
    assert all(name in out for name in ("first sentences", "readable", "paper"))
