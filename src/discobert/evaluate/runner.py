"""Every system on every article, in the order of the corpus, on one process or several."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from itertools import islice
from time import perf_counter

from discobert.data.document import SourceText
from discobert.data.graph import Edge
from discobert.data.summary import Analysis, ModelId
from discobert.discourse.dependencies import enforced_dependencies, violations
from discobert.evaluate.grammar import NO_CHECKERS, GrammarCheckers, GrammarErrors
from discobert.evaluate.readability import all_faults, line_faults
from discobert.evaluate.systems import FromAnalysis, FromFile, FromSentences, System, SystemExtract
from discobert.metrics.rouge import Reference, Rouge, Score, reference_of, rouge
from discobert.protocols import Analyser, SentenceSplitter
from discobert.runtime.worker_pool import map_in_order
from discobert.store.corpora.articles import Article

_ARTICLES_A_TASK = 8


@dataclass(frozen=True, slots=True)
class Bench:
    """The systems under test and the stages they share."""

    systems: Mapping[str, System]
    splitter: SentenceSplitter
    analyser: Analyser
    grammar: GrammarCheckers = NO_CHECKERS


@dataclass(frozen=True, slots=True)
class SystemResult:
    """One system on one article; scores are F1 times 100, ``seconds`` include shared stages."""

    lines: tuple[str, ...]
    rouge: tuple[float, float, float]
    words: int
    n_edus: int
    n_dependencies: int
    n_violations: int
    seconds: float
    model: ModelId | None = None
    faults: Mapping[str, GrammarErrors] = field(default_factory=dict)
    """Errors of grammar, by checker."""
    reading: Mapping[str, int] = field(default_factory=dict)
    """What readers trip over, by kind."""


@dataclass(frozen=True, slots=True)
class ArticleResult:
    """All systems on one article."""

    id: str
    source: str
    systems: Mapping[str, SystemResult]


def run(bench: Bench, articles: Iterable[Article]) -> Iterator[ArticleResult]:
    """Evaluate article by article; nothing is kept."""
    for article in articles:
        yield _evaluate(bench, article)


def run_in_processes(
    make_bench: Callable[[], Bench], articles: Iterable[Article], *, jobs: int
) -> Iterator[ArticleResult]:
    """Evaluate on several processes, each with a bench of its own; results keep their order.

    ``make_bench`` must be picklable. Articles are read as processes get free, so that the corpus
    is streamed.
    """
    for results in map_in_order(partial(_start_worker, make_bench), _groups(articles), jobs=jobs):
        yield from results


def _groups(articles: Iterable[Article]) -> Iterator[list[Article]]:
    remaining = iter(articles)
    while group := list(islice(remaining, _ARTICLES_A_TASK)):
        yield group


def _start_worker(
    make_bench: Callable[[], Bench],
) -> Callable[[Sequence[Article]], list[ArticleResult]]:
    bench = make_bench()
    return lambda articles: list(run(bench, articles))


class _Prepared:
    """An article with what its systems share, made when first needed and timed."""

    def __init__(self, bench: Bench, article: Article) -> None:
        self._bench = bench
        self.article = article
        self.references = tuple(map(reference_of, article.references))
        self.is_empty = not article.text.strip()

    @cached_property
    def sentences(self) -> tuple[tuple[str, ...], float]:
        """The sentences, each on one line, and the seconds it took."""
        start = perf_counter()
        text = self.article.text
        spans = self._bench.splitter.split(text).sentences
        return tuple(" ".join(span.of(text).split()) for span in spans), perf_counter() - start

    @cached_property
    def analysis(self) -> tuple[Analysis, float]:
        """The discourse structure and the seconds it took."""
        start = perf_counter()
        analysis = self._bench.analyser.analyse(SourceText(self.article.id, self.article.text))
        return analysis, perf_counter() - start

    @cached_property
    def dependencies(self) -> tuple[Edge, ...]:
        """What selection must obey under the default rules, whatever a system obeys."""
        analysis, _ = self.analysis
        return enforced_dependencies(analysis.document, analysis.rst)


def _evaluate(bench: Bench, article: Article) -> ArticleResult:
    prepared = _Prepared(bench, article)
    results = {name: _result(bench, system, prepared) for name, system in bench.systems.items()}
    return ArticleResult(article.id, article.source, results)


def _result(bench: Bench, system: System, prepared: _Prepared) -> SystemResult:
    extract, seconds = _summarise(system, prepared)
    structured = isinstance(system, FromAnalysis) and not prepared.is_empty
    edges = prepared.dependencies if structured else ()
    return SystemResult(
        lines=extract.lines,
        rouge=_mean_rouge(prepared.references, extract.lines),
        words=sum(len(line.split()) for line in extract.lines),
        n_edus=len(prepared.analysis[0].document.edus) if structured else 0,
        n_dependencies=len(edges),
        n_violations=violations(extract.edus, edges),
        seconds=seconds,
        model=system.model if isinstance(system, FromAnalysis) else None,
        faults=bench.grammar.count(extract.lines),
        reading=_reading(prepared, extract, structured=structured),
    )


def _mean_rouge(
    references: Sequence[Reference], lines: Sequence[str]
) -> tuple[float, float, float]:
    """Return ROUGE-1, ROUGE-2 and ROUGE-Lsum in per cent, the mean over all references."""
    found = [rouge(reference, lines) for reference in references]

    def mean(f1: Callable[[Rouge], Score]) -> float:
        return 100 * sum(f1(each).f1 for each in found) / len(found)

    return (
        mean(lambda each: each.rouge1),
        mean(lambda each: each.rouge2),
        mean(lambda each: each.rouge_l),
    )


def _reading(prepared: _Prepared, extract: SystemExtract, *, structured: bool) -> dict[str, int]:
    if not structured:
        return line_faults(extract.lines)
    return all_faults(prepared.analysis[0], extract.edus, extract.lines)


def _summarise(system: System, prepared: _Prepared) -> tuple[SystemExtract, float]:
    """Return the summary and the seconds it took, shared stages included."""
    article = prepared.article
    if isinstance(system, FromFile):
        return SystemExtract(system.summaries[article.id], ()), 0.0
    if prepared.is_empty:
        return SystemExtract((), ()), 0.0
    if isinstance(system, FromSentences):
        sentences, shared = prepared.sentences
        start = perf_counter()
        chosen = system.choose(article, sentences)
        extract = SystemExtract(tuple(sentences[index] for index in chosen), ())
    else:
        analysis, shared = prepared.analysis
        start = perf_counter()
        extract = system.extract(article, analysis)
    return extract, shared + perf_counter() - start
