"""Names of systems to the systems themselves: the one table that a new system is added to."""

import difflib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path
from types import MappingProxyType

from discobert.api import Summarizer, rule_analyser
from discobert.data.summary import Analysis
from discobert.errors import FormatError, UsageError
from discobert.evaluate.cached_scorer import with_cached_scores
from discobert.evaluate.departures import (
    LEFT_SUBJECT,
    NO_BLOCKING,
    ONE_HOP,
    PLAIN_SAME_UNIT,
    UNIT_BLOCKING,
    direct_heads,
)
from discobert.evaluate.grammar import NO_CHECKERS, load_checkers
from discobert.evaluate.runner import Bench
from discobert.evaluate.systems import (
    BARE,
    PAPER_RULES,
    WHOLE_SENTENCES,
    FromAnalysis,
    FromFile,
    FromSentences,
    System,
    SystemExtract,
    edu_oracle,
    free_edu_oracle,
    free_summary_by,
    lead,
    lead_words,
    most_central,
    sentence_oracle,
    sentences_by,
    summary_by,
    trimmed_tree,
)
from discobert.language.sentences import NewsSplitter
from discobert.metrics.oracle import PAPER, OracleConfig
from discobert.protocols import Analyser
from discobert.selection.budget import Budget
from discobert.selection.request import DEFAULT_REQUEST, PAPER_REQUEST, SummaryRequest
from discobert.store.corpora.articles import Article
from discobert.store.corpora.json_lines import read_summaries
from discobert.store.prepared.known_analyses import KnownAnalyses
from discobert.store.prepared.manifest import open_prepared
from discobert.store.text import printable

_ByModel = Callable[[Summarizer, SummaryRequest, Article, Analysis], SystemExtract]
_SHOWN = 5
LEAD_WORDS = 75
"""The length of ``lead-words`` without ``--words``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup:
    """What to evaluate, in plain values that can be sent to other processes."""

    systems: tuple[str, ...] = ()
    outputs: tuple[tuple[str, Path], ...] = ()
    """Names and files of summaries that other systems have written."""
    oracle: OracleConfig = PAPER
    """How the oracles search."""
    model: str | None = None
    """The model under test, by name or folder; it also analyses texts for all other systems."""
    sentence_model: str | None = None
    """The model of the system ``sentence``."""
    threads: int | None = None
    grammar: bool = False
    """Whether errors of grammar are counted too."""
    words: int | None = None
    """An upper bound for all systems that have a model; else each keeps its tuned length."""
    analyses: Path | None = None
    """A prepared corpus whose analyses are taken where it has them."""

    def __post_init__(self) -> None:
        names = self.names
        if not names:
            raise UsageError(f"nothing to evaluate: name systems among {', '.join(SYSTEMS)}")
        for name in self.systems:
            if name not in SYSTEMS:
                raise UsageError(_unknown(name))
        for name in names:
            if names.count(name) > 1:
                raise UsageError(f"two systems are called {name!r}: names must differ")

    @property
    def names(self) -> tuple[str, ...]:
        """Every system by its name, those of files last."""
        return (*self.systems, *(name for name, _ in self.outputs))


def _unknown(name: str) -> str:
    near = difflib.get_close_matches(name, SYSTEMS, n=1)
    hint = f"; did you mean {near[0]!r}?" if near else ""
    return f"unknown system {name!r}{hint}; systems: {', '.join(SYSTEMS)}"


class _SystemFactory:
    """Makes systems; a model is loaded when the first system needs it, and then shared."""

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self._load = cache(self._loaded)

    def _loaded(self, model: str | None) -> Summarizer:
        return with_cached_scores(Summarizer.load(model, threads=self.setup.threads))

    def analyser(self) -> Analyser:
        """Return what analyses texts for all systems."""
        analyser = self.summarizer().pipeline.analyser
        if self.setup.analyses is None:
            return analyser
        return KnownAnalyses(open_prepared(self.setup.analyses), analyser)

    def summarizer(self) -> Summarizer:
        """Return the model under test, which also analyses texts for all others."""
        return self._load(self.setup.model)

    def sentence_summarizer(self) -> Summarizer:
        """Return the model of the sentence system; without one, the model under test."""
        return self._load(self.setup.sentence_model or self.setup.model)

    def modelled(
        self, extract: _ByModel, request: SummaryRequest = DEFAULT_REQUEST
    ) -> FromAnalysis:
        """Let the model under test make the summaries."""
        return self._made(self.summarizer(), extract, request)

    def sentences(self) -> FromAnalysis:
        """Let the model of sentences choose them, word for word."""
        return self._made(self.sentence_summarizer(), sentences_by, WHOLE_SENTENCES)

    def _made(
        self, summarizer: Summarizer, extract: _ByModel, request: SummaryRequest
    ) -> FromAnalysis:
        request = replace(request, budget=Budget(words=self.setup.words))
        return FromAnalysis(partial(extract, summarizer, request), summarizer.model)


SYSTEMS: Mapping[str, Callable[[_SystemFactory], System]] = MappingProxyType(
    {
        "lead3": lambda _: FromSentences(lead),
        "lead-words": lambda w: FromSentences(partial(lead_words, w.setup.words or LEAD_WORDS)),
        "lexrank": lambda _: FromSentences(most_central),
        "rst-trim": lambda _: FromAnalysis(trimmed_tree),
        "oracle-sentence": lambda w: FromSentences(partial(sentence_oracle, w.setup.oracle)),
        "oracle-edu": lambda w: FromAnalysis(partial(edu_oracle, w.setup.oracle)),
        "oracle-edu-free": lambda w: FromAnalysis(partial(free_edu_oracle, w.setup.oracle)),
        "oracle-edu-one-hop": lambda w: FromAnalysis(
            partial(edu_oracle, w.setup.oracle, reach=direct_heads)
        ),
        "sentence": lambda w: w.sentences(),
        "discobert": lambda w: w.modelled(summary_by),
        "discobert-bare": lambda w: w.modelled(summary_by, BARE),
        "discobert-paper": lambda w: w.modelled(summary_by, PAPER_REQUEST),
        "discobert-paper-rules": lambda w: w.modelled(summary_by, PAPER_RULES),
        "discobert-free": lambda w: w.modelled(free_summary_by, PAPER_REQUEST),
        "discobert-one-hop": lambda w: w.modelled(ONE_HOP.summary_by, BARE),
        "discobert-left-subject": lambda w: w.modelled(LEFT_SUBJECT.summary_by, BARE),
        "discobert-plain-same-unit": lambda w: w.modelled(PLAIN_SAME_UNIT.summary_by, BARE),
        "discobert-unit-blocking": lambda w: w.modelled(UNIT_BLOCKING.summary_by, BARE),
        "discobert-no-blocking": lambda w: w.modelled(NO_BLOCKING.summary_by, BARE),
    }
)
"""Every system by its name.

``discobert`` is the readable style, ``discobert-paper`` the style of the paper with our rules of
readability, ``discobert-paper-rules`` with the paper's post-processing, ``discobert-bare`` with
repairs of lines alone; ``discobert-free`` selects without any dependency. The last five are
``discobert-bare`` with one decision of the released code, or one of ours taken back
(``departures``).
"""


def make_bench(setup: Setup) -> Bench:
    """Build the systems and the stages they share; a model is loaded only if a system needs it."""
    factory = _SystemFactory(setup)
    systems: dict[str, System] = {name: SYSTEMS[name](factory) for name in setup.systems}
    for name, path in setup.outputs:
        systems[name] = FromFile(read_summaries(path))
    structured = any(isinstance(system, FromAnalysis) for system in systems.values())
    analyser = factory.analyser() if structured else rule_analyser()
    grammar = load_checkers() if setup.grammar else NO_CHECKERS
    return Bench(systems, NewsSplitter(), analyser, grammar)


def check_outputs(setup: Setup, ids: Iterable[str]) -> None:
    """Refuse files of summaries that lack an article, before any work is done."""
    if not setup.outputs:
        return
    wanted = list(ids)
    for name, path in setup.outputs:
        found = read_summaries(path)
        missing = [article for article in wanted if article not in found]
        if missing:
            shown = ", ".join(missing[:_SHOWN]) + (", …" if len(missing) > _SHOWN else "")
            raise FormatError(
                f"{printable(path)}: {len(missing)} of {len(wanted)} articles have no summary "
                f"by {name}: {shown}"
            )
