"""Summaries against editors' extracts: a fast measure that orders systems as readers do."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from discobert.api import Summarizer
from discobert.data.document import Span
from discobert.data.summary import Analysis, Summary
from discobert.metrics.statistics import Interval, intervals
from discobert.selection.request import SummaryRequest
from discobert.store.corpora.extracts import Extract

NEWS, OTHER = "news", "other"
FIRST = "first sentences"


@dataclass(frozen=True, slots=True)
class ExtractScore:
    """One summary against one extract, in per cent of characters."""

    source: str
    f1: float
    """Of the characters of the best sentences."""
    never: float
    """Share of the summary that lies in sentences which belong in no summary."""
    words: int


@dataclass(frozen=True, slots=True)
class ExtractReport:
    """Means over the documents of one source."""

    documents: int
    f1: Interval
    never: Interval
    words: float


def first_sentences(text: str, extract: Extract, words: int) -> list[Span]:
    """Return the first sentences up to a number of words, at least one."""
    chosen, count = list[Span](), 0
    for span in extract.spans:
        count += len(span.of(text).split())
        if chosen and count > words:
            break
        chosen.append(span)
    return chosen


def summary_spans(summary: Summary) -> list[Span]:
    """Return the parts of the text that a summary shows."""
    return [Span(unit.start, unit.end) for unit in summary.units if unit.selected]


def score_extract(text: str, extract: Extract, shown: Iterable[Span]) -> ExtractScore:
    """Compare what is shown with what an editor chose, by characters."""
    spans = list(shown)
    best = [extract.spans[index] for index in extract.best]
    never = [extract.spans[index] for index in extract.never]
    total, wanted = _length(spans), _length(best)
    f1 = 200 * _overlap(spans, best) / max(total + wanted, 1)
    share = 100 * _overlap(spans, never) / max(total, 1)
    words = sum(len(span.of(text).split()) for span in spans)
    return ExtractScore(NEWS if extract.is_news and not extract.is_gum else OTHER, f1, share, words)


def _length(spans: Iterable[Span]) -> int:
    return sum(span.end - span.start for span in spans)


def _overlap(spans: Sequence[Span], others: Sequence[Span]) -> int:
    return sum(
        max(0, min(span.end, other.end) - max(span.start, other.start))
        for span in spans
        for other in others
    )


def report_on(scores: Sequence[ExtractScore]) -> dict[str, ExtractReport]:
    """Average by source, with 95 % intervals over documents."""
    found = {}
    for source in (NEWS, OTHER):
        some = [score for score in scores if score.source == source]
        if some:
            table = np.array([(score.f1, score.never, score.words) for score in some])
            f1, never, words = intervals(table, seed=0)
            found[source] = ExtractReport(len(some), f1, never, words.mean)
    return found


def request_summary(
    summarizer: Summarizer, analysis: Analysis, request: SummaryRequest
) -> list[Span]:
    """Return what a request shows of an analysed text."""
    return summary_spans(summarizer.summarize_analysis(analysis, request))
