"""Systems over articles: scores, counts, empty texts, and several processes."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

import pytest
from tests.builders import analysis, tree

from discobert.data.document import SentenceLayout, SourceText, Span
from discobert.data.summary import Analysis
from discobert.evaluate.runner import ArticleResult, Bench, run, run_in_processes
from discobert.evaluate.setup import Setup, make_bench
from discobert.evaluate.systems import (
    FromAnalysis,
    FromFile,
    FromSentences,
    System,
    SystemExtract,
    lead,
)
from discobert.store.corpora.articles import Article


@dataclass(frozen=True, slots=True)
class Lines:
    """Takes each line as a sentence."""

    def split(self, text: str) -> SentenceLayout:
        spans, start = [], 0
        for line in text.splitlines(keepends=True):
            spans.append(Span(start, start + len(line.rstrip())))
            start += len(line)
        return SentenceLayout(tuple(spans), (0,))


@dataclass(frozen=True, slots=True)
class Fixed:
    """Finds the same structure in every text."""

    def analyse(self, source: SourceText) -> Analysis:
        rst = tree("NN", tree("NS", 0, 1), 2, "same-unit")
        return analysis("[The prizes,] [~awarded by a jury,] [~honour work.]", rst)


def last_edu(article: Article, found: Analysis) -> SystemExtract:
    return SystemExtract(("honour work.",), (2,))


def bench() -> Bench:
    systems: dict[str, System] = {
        "lead3": FromSentences(lead),
        "broken": FromAnalysis(last_edu),
        "other": FromFile({"a": ("one two",), "b": ()}),
    }
    return Bench(systems, Lines(), Fixed())


def test_every_system_is_scored_on_its_lines() -> None:
    article = Article("a", "cnn", "one two\nthree\n four\nfive", ("one two three four",))
    (result,) = run(bench(), [article])
    assert result.systems["lead3"].lines == ("one two", "three", "four")
    assert result.systems["lead3"].rouge == (100.0, 100.0, 100.0)
    assert result.systems["lead3"].words == 4
    assert result.systems["other"].rouge[0] == pytest.approx(200 / 3)


def test_violations_count_missing_dependencies_of_systems_with_structure() -> None:
    (result,) = run(bench(), [Article("a", "", "text", ("x",))])
    broken = result.systems["broken"]
    assert (broken.n_edus, broken.n_dependencies, broken.n_violations) == (3, 3, 1)
    lead3 = result.systems["lead3"]
    assert (lead3.n_edus, lead3.n_dependencies, lead3.n_violations) == (0, 0, 0)


def test_an_empty_article_scores_zero() -> None:
    (result,) = run(bench(), [Article("b", "", " \n", ("x",))])
    assert {found.rouge for found in result.systems.values()} == {(0.0, 0.0, 0.0)}
    assert {found.lines for found in result.systems.values()} == {()}


def without_seconds(results: Sequence[ArticleResult]) -> list[ArticleResult]:
    return [
        replace(
            result,
            systems={name: replace(s, seconds=0.0) for name, s in result.systems.items()},
        )
        for result in results
    ]


def test_processes_keep_order_and_results_and_stream_the_corpus() -> None:
    setup = Setup(systems=("lead3", "oracle-sentence", "oracle-edu"), model="rules")
    texts = [f"The ferry {n} sank, crews said.\nIt rained {n} days." for n in range(60)]
    articles = [Article(str(n), "", text, (text[:16],)) for n, text in enumerate(texts)]
    taken: list[str] = []

    def streamed() -> Iterator[Article]:
        for article in articles:
            taken.append(article.id)
            yield article

    results = run_in_processes(partial(make_bench, setup), streamed(), jobs=2)
    together = [next(results)]
    assert len(taken) < len(articles)
    together += results
    assert without_seconds(together) == without_seconds(list(run(make_bench(setup), articles)))


def test_rouge_is_the_mean_over_all_references() -> None:
    article = Article("a", "", "The bridge fell.", ("The bridge fell.",), (("Rain.",),))
    bench = make_bench(Setup(systems=("lead3",)))
    (result,) = run(bench, [article])
    assert result.systems["lead3"].rouge == (50.0, 50.0, 50.0)
