"""What can be evaluated: each system by its name in one table."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from discobert.api import Summarizer
from discobert.data.document import Document
from discobert.data.summary import Analysis, ModelId, Summary
from discobert.discourse import clause_needs
from discobert.discourse.dependencies import closures, enforced_dependencies
from discobert.discourse.units import UnitKind
from discobert.metrics.lexrank import lexrank
from discobert.metrics.oracle import OracleConfig, find_oracle
from discobert.metrics.rouge import Tokens, reference_of, tokenise
from discobert.pipeline import compose
from discobert.scorer.baselines import NuclearityScorer
from discobert.selection.antecedents import ReferencePolicy
from discobert.selection.budget import NO_BUDGET, Budget
from discobert.selection.greedy import Greedy
from discobert.selection.headings import Headings
from discobert.selection.select import SelectionOptions, Style, select
from discobert.store.corpora.articles import Article
from discobert.writing import repairs
from discobert.writing.realise import realise

LEAD_SENTENCES = 3
VERBATIM = Style(
    repairs=repairs.NONE,
    needs=clause_needs.NONE,
    references=ReferencePolicy.KEEP,
    headings=Headings.KEEP,
)
"""As the sentence baseline of the paper: what was chosen, word for word."""
PAPER_STYLE = replace(VERBATIM, repairs=repairs.PAPER)
"""The paper's post-processing and nothing else."""
BARE = replace(VERBATIM, repairs=repairs.OF_LINES)
"""Our repairs of single lines alone: no needs beyond the tree, no antecedents, no skipping."""
TRIM = SelectionOptions(budget=Budget(words=60))
"""About as long as the summaries of news readers get; nothing is tuned."""


@dataclass(frozen=True, slots=True)
class Extract:
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

    extract: Callable[[Article, Analysis], Extract]
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


def edu_oracle(config: OracleConfig, article: Article, analysis: Analysis) -> Extract:
    """Take the EDUs nearest to the reference, each with all it needs."""
    document = analysis.document
    needed = closures(len(document.edus), enforced_dependencies(document, analysis.rst))
    oracle = find_oracle(
        _edu_tokens(document), reference_of(article.reference), closures=needed, config=config
    )
    return extract_of(document, oracle.units)


def free_edu_oracle(config: OracleConfig, article: Article, analysis: Analysis) -> Extract:
    """Take the EDUs nearest to the reference, whatever they need."""
    document = analysis.document
    reference = reference_of(article.reference)
    return extract_of(document, find_oracle(_edu_tokens(document), reference, config=config).units)


def _edu_tokens(document: Document) -> list[Tokens]:
    return [tokenise(document.edu_text(edu)) for edu in range(len(document.edus))]


def extract_of(document: Document, edus: Sequence[int]) -> Extract:
    """Write chosen EDUs out as every system's are."""
    return Extract(realise(document, edus) if edus else (), tuple(edus))


def trimmed_tree(article: Article, analysis: Analysis) -> Extract:
    """Take whole closures by the nuclearity of the tree, as many as fit the word budget."""
    scorer = NuclearityScorer()
    (scores,) = scorer.score([analysis])
    return _shown(compose(analysis, scores, TRIM, UnitKind.EDU, scorer.model))


def summary_by(
    summarizer: Summarizer, budget: Budget, style: Style, article: Article, analysis: Analysis
) -> Extract:
    """Summarise as users do; without a budget, at the length the model was tuned to."""
    (summary,) = summarizer.summarize_analyses([analysis], budget=budget, style=style)
    return _shown(summary)


def sentences_by(
    summarizer: Summarizer, budget: Budget, style: Style, article: Article, analysis: Analysis
) -> Extract:
    """Choose whole sentences, and name all their EDUs."""
    (summary,) = summarizer.summarize_analyses(
        [analysis], budget=budget, unit=UnitKind.SENTENCE, style=style
    )
    everything = analysis.document.edus_by_sentence()
    edus = [edu for sentence in summary.selection.edus for edu in everything[sentence]]
    return Extract(summary.sentences, tuple(edus))


def free_summary_by(
    summarizer: Summarizer, budget: Budget, style: Style, article: Article, analysis: Analysis
) -> Extract:
    """Choose by the same scores and length, but let no EDU bring what it needs."""
    judgement = summarizer.pipeline.judge.judge(analysis)
    options = judgement.usual.styled(style)
    if budget != NO_BUDGET:
        options = replace(options, budget=budget, method=Greedy())
    choice = select(analysis.document, judgement.scores, (), options)
    return extract_of(analysis.document, choice.selection.edus)


def _shown(summary: Summary) -> Extract:
    return Extract(summary.sentences, summary.selection.edus)
