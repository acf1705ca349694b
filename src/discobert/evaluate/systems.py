"""What can be evaluated: each system by its name in one table."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate

import numpy as np

from discobert.analyser.rules import RuleAnalyser
from discobert.api import Summarizer
from discobert.data.document import Document
from discobert.data.graph import Edge
from discobert.data.summary import Analysis, ModelId, Summary
from discobert.discourse import clause_needs
from discobert.discourse.dependencies import closures, enforced_dependencies
from discobert.discourse.units import UnitKind
from discobert.language.sentences import NewsSplitter
from discobert.language.tokens import Tokens, tokenise
from discobert.metrics.lexrank import lexrank
from discobert.metrics.oracle import OracleConfig, find_oracle
from discobert.metrics.rouge import reference_of
from discobert.pipeline import Pipeline
from discobert.scorer.baselines import NuclearityScorer
from discobert.selection.build import build_problem, requested_decoding
from discobert.selection.request import (
    PAPER_REQUEST,
    Headings,
    ReadabilityRules,
    ReferencePolicy,
    Style,
    SummaryRequest,
)
from discobert.selection.select import select
from discobert.store.corpora.articles import Article
from discobert.writing import repairs
from discobert.writing.realise import realise

Reach = Callable[[int, Sequence[Edge]], tuple[frozenset[int], ...]]
"""What each EDU brings, given the number of EDUs and the dependencies."""

LEAD_SENTENCES = 3
NO_RULES = ReadabilityRules(
    repairs=repairs.NONE, needs=clause_needs.NONE, headings=Headings.KEEP, coverage=False
)
VERBATIM = SummaryRequest(style=Style.PAPER, references=ReferencePolicy.KEEP, rules=NO_RULES)
"""As the paper selects: by scores alone; and what was selected, word for word."""
WHOLE_SENTENCES = replace(VERBATIM, rules=replace(NO_RULES, coverage=True))
"""The same, chosen for the words that sentences add, too, if the model knows which to expect."""
PAPER_RULES = replace(VERBATIM, rules=replace(NO_RULES, repairs=repairs.PAPER))
"""The paper's post-processing and nothing else."""
BARE = replace(VERBATIM, rules=replace(NO_RULES, repairs=repairs.OF_LINES))
"""Repairs of single lines alone: no needs beyond the tree, no antecedents, headings selected."""


@dataclass(frozen=True, slots=True)
class SystemExtract:
    """Lines of a summary, one per source sentence, and the EDUs they show."""

    lines: tuple[str, ...]
    edus: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class FromSentences:
    """A system that chooses among the sentences of an article; it returns their indices."""

    choose: Callable[[Article, Sequence[str]], Sequence[int]]


@dataclass(frozen=True, slots=True)
class FromAnalysis:
    """A system that works on the whole discourse structure of an article."""

    extract: Callable[[Article, Analysis], SystemExtract]
    model: ModelId | None = None
    """The weights behind it, if there are any."""


@dataclass(frozen=True, slots=True)
class FromFile:
    """Summaries that another system has written, by the id of the article."""

    summaries: Mapping[str, tuple[str, ...]]


System = FromSentences | FromAnalysis | FromFile


def lead(article: Article, sentences: Sequence[str]) -> Sequence[int]:
    """Take the first three sentences."""
    return range(min(LEAD_SENTENCES, len(sentences)))


def lead_words(words: int, article: Article, sentences: Sequence[str]) -> Sequence[int]:
    """Take the first sentences up to a number of words, at least one."""
    lengths = accumulate(len(sentence.split()) for sentence in sentences)
    return range(max(1, sum(length <= words for length in lengths)))


def most_central(article: Article, sentences: Sequence[str]) -> Sequence[int]:
    """Take the three sentences that LexRank puts first."""
    shares = lexrank([tokenise(sentence) for sentence in sentences])
    best: list[int] = np.argsort(-shares, kind="stable")[:LEAD_SENTENCES].tolist()
    return sorted(best)


def sentence_oracle(
    config: OracleConfig, article: Article, sentences: Sequence[str]
) -> Sequence[int]:
    """Take the sentences nearest to the reference."""
    units = [tokenise(sentence) for sentence in sentences]
    return find_oracle(units, reference_of(article.reference), config=config).units


def edu_oracle(
    config: OracleConfig, article: Article, analysis: Analysis, *, reach: Reach = closures
) -> SystemExtract:
    """Take the EDUs nearest to the reference, each with all it needs."""
    document = analysis.document
    needed = reach(len(document.edus), enforced_dependencies(document, analysis.rst))
    oracle = find_oracle(
        _edu_tokens(document), reference_of(article.reference), closures=needed, config=config
    )
    return extract_of(document, oracle.units)


def free_edu_oracle(config: OracleConfig, article: Article, analysis: Analysis) -> SystemExtract:
    """Take the EDUs nearest to the reference, whatever they need."""
    document = analysis.document
    reference = reference_of(article.reference)
    return extract_of(document, find_oracle(_edu_tokens(document), reference, config=config).units)


def _edu_tokens(document: Document) -> list[Tokens]:
    return [tokenise(document.edu_text(edu)) for edu in range(len(document.edus))]


def extract_of(document: Document, edus: Sequence[int]) -> SystemExtract:
    """Write chosen EDUs out as every system's are."""
    return SystemExtract(realise(document, edus) if edus else (), tuple(edus))


def trimmed_tree(article: Article, analysis: Analysis) -> SystemExtract:
    """Select whole closures by the nuclearity of the tree, as many as fit the word budget."""
    return _shown(
        Pipeline(RuleAnalyser(NewsSplitter()), NuclearityScorer()).summarise_analysis(
            analysis, PAPER_REQUEST
        )
    )


def summary_by(
    summarizer: Summarizer, request: SummaryRequest, article: Article, analysis: Analysis
) -> SystemExtract:
    """Summarise as users do; without a budget, at the length the model was tuned to."""
    return _shown(summarizer.summarize_analysis(analysis, request))


def sentences_by(
    summarizer: Summarizer, request: SummaryRequest, article: Article, analysis: Analysis
) -> SystemExtract:
    """Select whole sentences, and name all their EDUs."""
    request = replace(request, unit=UnitKind.SENTENCE)
    summary = summarizer.summarize_analysis(analysis, request)
    everything = analysis.document.edus_by_sentence()
    edus = [edu for sentence in summary.selection.edus for edu in everything[sentence]]
    return SystemExtract(summary.sentences, tuple(edus))


def free_summary_by(
    summarizer: Summarizer, request: SummaryRequest, article: Article, analysis: Analysis
) -> SystemExtract:
    """Select by the same scores and length, but without any dependency."""
    salience = summarizer.pipeline.scorer.score(analysis)
    decoding = requested_decoding(salience, salience.unit, request)
    plain = replace(
        request,
        references=ReferencePolicy.KEEP,
        rules=replace(request.rules, headings=Headings.KEEP),
    )
    problem = build_problem(
        analysis.document, salience.scores, (), decoding=decoding, request=plain
    )
    return extract_of(analysis.document, select(problem).selection.edus)


def _shown(summary: Summary) -> SystemExtract:
    return SystemExtract(summary.sentences, summary.selection.edus)
