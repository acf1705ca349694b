"""The facade that users hold: one object that summarises and analyses texts."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Unpack

from discobert import __version__
from discobert.analyser.rules import RuleAnalyser
from discobert.data.document import SourceText
from discobert.data.summary import Analysis, ModelId, Summary, SummaryWarning
from discobert.errors import InputError, UsageError
from discobert.language.detection import ENGLISH, looks_english
from discobert.language.sentences import NewsSplitter
from discobert.pipeline import Pipeline
from discobert.protocols import Analyser
from discobert.scorer.baselines import PositionScorer
from discobert.selection.request import DEFAULT_REQUEST, SummaryOptions, SummaryRequest
from discobert.store.bundle import SHIPPED, Bundle, find_bundle, open_bundle

RULES = "rules"
"""The name of the model that has no weights."""

RULES_MODEL = ModelId("lead-baseline (no network)", __version__)
_DEFAULT_BUNDLE = "en"
NOT_ENGLISH = SummaryWarning(
    "not-english",
    "the text does not look like English, the language of the model: clauses and choices may be "
    "poor; docs/languages.md tells how to bring another language",
)


@dataclass(frozen=True, slots=True)
class Summarizer:
    """Summarises and analyses texts; make one with ``load`` and keep it."""

    pipeline: Pipeline
    language: str = ENGLISH
    """The language of the training data, by its ISO 639 code."""

    @classmethod
    def load(cls, model: str | Path | None = None, *, threads: int | None = None) -> "Summarizer":
        """Load the shipped English model, another shipped one by name, or a bundle's folder.

        ``threads`` is how many sentences or windows are encoded at the same time (one by default);
        summaries are the same for any number.
        """
        if threads is not None and threads < 1:
            raise UsageError(f"threads must be at least 1, got {threads}")
        folder = locate_bundle(model)
        if folder is None:
            return cls(Pipeline(rule_analyser(), PositionScorer(RULES_MODEL)))
        bundle = open_bundle(folder)
        return cls(_bundle_pipeline(bundle, threads or 1), _language(bundle))

    @property
    def model(self) -> ModelId:
        """What the ``model`` field of every summary will say."""
        return self.pipeline.scorer.model

    def summarize(
        self, text: str, *, name: str = "text", **options: Unpack[SummaryOptions]
    ) -> Summary:
        """Summarise one text, at most as long as the one bound given.

        Bounds are ``words``, ``sentences``, ``edus``, ``chars`` or ``ratio``, each also with
        ``min_``. ``focus`` are words to favour, ``unit`` is ``"edu"`` or ``"sentence"``,
        ``keep_lead`` starts with the first sentence, ``exclude_quotes`` leaves out quotations,
        ``resolve_references`` puts names in the place of pronouns without antecedent.
        """
        request = SummaryRequest.of(**options)
        return self.summarize_analysis(self.analyze(text, name=name), request)

    def summarize_all(
        self,
        texts: Sequence[str],
        *,
        names: Sequence[str] | None = None,
        **options: Unpack[SummaryOptions],
    ) -> list[Summary]:
        """Summarise several texts: the same results as one by one."""
        request = SummaryRequest.of(**options)
        return [
            self.summarize_analysis(self.pipeline.analyser.analyse(source), request)
            for source in _sources(texts, names)
        ]

    def summarize_analysis(
        self, analysis: Analysis, request: SummaryRequest = DEFAULT_REQUEST
    ) -> Summary:
        """Summarise a text whose discourse structure is known already."""
        summary = self.pipeline.summarise_analysis(analysis, request)
        if self.reads(analysis.document.text):
            return summary
        return replace(summary, warnings=(NOT_ENGLISH, *summary.warnings))

    def reads(self, text: str) -> bool:
        """Return whether a text may be in the model's language; only English is detected."""
        return self.language != ENGLISH or looks_english(text)

    def analyze(self, text: str, *, name: str = "text") -> Analysis:
        """Return sentences, EDUs, RST tree and coreference of one text."""
        return self.analyze_source(SourceText(name, text))

    def analyze_source(self, source: SourceText) -> Analysis:
        """Analyse a text with what its file says about it, as ``read_documents`` returns it."""
        require_letters(source.id, source.text)
        return self.pipeline.analyser.analyse(source)

    def analyze_all(
        self, texts: Sequence[str], *, names: Sequence[str] | None = None
    ) -> list[Analysis]:
        """Analyse several texts: the same results as one by one."""
        return [self.pipeline.analyser.analyse(source) for source in _sources(texts, names)]


def _sources(texts: Sequence[str], names: Sequence[str] | None) -> list[SourceText]:
    """Put a name to each text, and refuse all of them if one cannot be analysed."""
    given = ["text"] * len(texts) if names is None else names
    if len(given) != len(texts):
        raise UsageError(f"{len(texts)} texts need as many names, got {len(given)}")
    for name, text in zip(given, texts, strict=True):
        require_letters(name, text)
    return [SourceText(name, text) for name, text in zip(given, texts, strict=True)]


def require_letters(name: str, text: str) -> None:
    """Refuse a text without any letter."""
    if not text:
        raise InputError(f"{name}: the text is empty")
    if text.isspace():
        raise InputError(f"{name}: the text holds nothing but white space")
    if not any(map(str.isalpha, text)):
        raise InputError(f"{name}: the text has no letters, so there is nothing to summarise")


def locate_bundle(model: str | Path | None) -> Path | None:
    """Return the folder of a model's bundle, or None for the model without weights."""
    if model == RULES or (model is None and not (SHIPPED / _DEFAULT_BUNDLE).is_dir()):
        return None
    return find_bundle(_DEFAULT_BUNDLE if model is None else model)


def rule_analyser() -> Analyser:
    """Return the analyser that has no weights."""
    return RuleAnalyser(NewsSplitter())


def load_analyser(model: str | Path | None = None) -> Summarizer:
    """Load a model to analyse with; the weights of its scorer are not read."""
    folder = locate_bundle(model)
    if folder is None:
        return Summarizer.load(model)
    bundle = open_bundle(folder)
    return Summarizer(_analyser_pipeline(bundle, threads=1), _language(bundle))


def _language(bundle: Bundle) -> str:
    return str(bundle.settings.get("language", ENGLISH))


def _bundle_pipeline(bundle: Bundle, threads: int) -> Pipeline:
    """Load a bundle's analyser and scorer, which share the lower layers of the encoder."""
    from discobert.analyser.load import neural_analyser  # brings onnxruntime
    from discobert.analyser.shared_encoder import SharedEncoder
    from discobert.scorer.load import has_scorer, neural_scorer

    if not has_scorer(bundle.settings):
        return _analyser_pipeline(bundle, threads)
    shared = SharedEncoder(neural_analyser(bundle.map, bundle.settings, threads=threads))
    scorer = neural_scorer(
        bundle.map, bundle.settings, model=bundle.model, encode=shared.encoded, threads=threads
    )
    return Pipeline(shared, scorer)


def _analyser_pipeline(bundle: Bundle, threads: int) -> Pipeline:
    """Combine a bundle's analyser with the ranking by position."""
    from discobert.analyser.load import neural_analyser  # brings onnxruntime

    name = f"{bundle.model.name} analyser, lead baseline (no network)"
    scorer = PositionScorer(ModelId(name, bundle.model.version))
    return Pipeline(neural_analyser(bundle.map, bundle.settings, threads=threads), scorer)
