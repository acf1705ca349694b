"""The facade that users hold: one object that summarises and analyses texts."""

import os
import warnings
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Unpack

from discobert import __version__
from discobert.analyser.rules import RuleAnalyser
from discobert.checked_bundle import checked_bundle, try_out
from discobert.data.document import SourceText
from discobert.data.limits import DEFAULT_LIMITS, TextLimits
from discobert.data.summary import Analysis, ModelId, Summary, SummaryWarning
from discobert.discourse.units import UnitKind
from discobert.errors import UsageError, WrongType
from discobert.language.detection import ENGLISH, looks_english, looks_like_prose
from discobert.language.sentences import NewsSplitter
from discobert.pipeline import Pipeline
from discobert.protocols import Analyser
from discobert.scorer.baselines import PositionScorer
from discobert.selection.budget import NO_BUDGET, Budget
from discobert.selection.request import (
    DEFAULT_REQUEST,
    PAPER_REQUEST,
    Style,
    SummaryOptions,
    SummaryRequest,
    unit_kind,
    with_option_names,
)
from discobert.sources import Source, all_sources, one_source, require_letters
from discobert.store.bundle import SHIPPED, Bundle, find_bundle

RULES = "rules"
"""The name of the model that has no weights."""

RULES_MODEL = ModelId("lead-baseline (no network)", __version__)
_DEFAULT_BUNDLE = "en"
NOT_ENGLISH = SummaryWarning(
    "not-english",
    "the text does not look like English, the language of the model: only whole sentences are "
    "shown, and choices may be poor; docs/languages.md tells how to bring another language",
)
NOT_PROSE = SummaryWarning(
    "not-prose",
    "the text looks like data, code or a log, which the model does not know: only whole sentences "
    "are shown, and choices may be poor",
)


_ALIASES = {
    **dict.fromkeys(("summarise", "summarize_text"), "summarize"),
    **dict.fromkeys(
        ("summarize_many", "summarize_batch", "summarize_texts", "summarise_all"), "summarize_all"
    ),
    **dict.fromkeys(("analyse", "parse"), "analyze"),
}
"""What other libraries call a method, and its name here."""
_HINTS = dict.fromkeys(("batch", "pipe"), ": use summarize_all([…])")


@dataclass(frozen=True, slots=True, repr=False)
class Summarizer:
    """Summarises and analyses texts; make one with ``Summarizer.load`` and keep it.

    ``summarizer(text)`` is ``summarizer.summarize(text)``. It can be used from several threads. It
    pickles if ``load`` made it: the other process loads the same bundle.
    """

    pipeline: Pipeline = None  # type: ignore[assignment] # so that we can say what to do instead
    language: str = ENGLISH
    """The language of the training data, by its ISO 639 code."""
    origin: tuple[str | Path | None, int | None, TextLimits] | None = field(
        default=None, compare=False
    )
    """The arguments of ``load``."""
    limits: TextLimits = DEFAULT_LIMITS
    """How large a text may be."""

    def __post_init__(self) -> None:
        if not isinstance(self.pipeline, Pipeline):
            raise TypeError(
                "Summarizer.load() makes a Summarizer, with the shipped English model or with "
                f"another one: Summarizer.load('path/to/bundle'); got {self.pipeline!r}"
            )

    @classmethod
    def load(
        cls,
        model: str | Path | None = None,
        *,
        threads: int | None = None,
        limits: TextLimits = DEFAULT_LIMITS,
    ) -> "Summarizer":
        """Load the shipped English model, another shipped one by name, or a bundle's folder.

        ``threads`` is how many sentences or windows are encoded at the same time (one by default);
        summaries are the same for any number. ``limits`` sets how large a text may be; a larger
        one is refused with a ``TooLarge`` error.
        """
        _check_threads(threads)
        if not isinstance(model, str | os.PathLike | None):
            raise WrongType("model", "a name (str) or the Path of a bundle", model)
        folder = locate_bundle(model)
        if folder is None:
            pipeline = Pipeline(rule_analyser(limits), PositionScorer(RULES_MODEL))
            return cls(pipeline, origin=(RULES, threads, limits), limits=limits)
        bundle = checked_bundle(folder)
        found = model if folder.is_relative_to(SHIPPED) else folder.resolve()
        pipeline = _bundle_pipeline(bundle, threads or 1, limits)
        try_out(bundle, pipeline)
        return cls(
            pipeline,
            _language(bundle),
            origin=(found, threads, limits),
            limits=limits,
        )

    def __reduce__(self) -> tuple[object, ...]:
        if self.origin is None:
            raise TypeError(
                "a Summarizer of a hand-made Pipeline does not pickle, as its networks hold "
                "sessions of ONNX Runtime; use Summarizer.load in every process"
            )
        return _load_again, self.origin

    if not TYPE_CHECKING:  # pragma: no branch

        def __getattr__(self, name: str) -> object:
            if name in _ALIASES:
                return getattr(self, _ALIASES[name])
            hint = _HINTS.get(name, "")
            raise AttributeError(
                f"'Summarizer' object has no attribute {name!r}{hint}", name=name, obj=self
            )

    def __repr__(self) -> str:
        return f"<Summarizer {self.model.name} {self.model.version}, language {self.language}>"

    @property
    def model(self) -> ModelId:
        """What the ``model`` field of every summary will say."""
        return replace(self.pipeline.scorer.model, language=self.language)

    def summarize_file(
        self,
        path: str | os.PathLike[str],
        *,
        name: str | None = None,
        **options: Unpack[SummaryOptions],
    ) -> Summary:
        """Summarise one file: ``summarize(Path(path))``."""
        return self.summarize(Path(path), name=name, **options)

    def summarize(
        self, text: Source, *, name: str | None = None, **options: Unpack[SummaryOptions]
    ) -> Summary:
        """Summarise one text, at most as long as the one bound given.

        ``text`` is a string, the ``Path`` of a file, read as the command line reads it (Markdown,
        HTML, PDF, …), or what ``analyze`` returned. ``name`` becomes the id of the summary.

        Bounds are ``words``, ``sentences``, ``edus``, ``chars`` or ``ratio``, each also with
        ``min_``; without one, the summary is as long as the model was tuned to. ``style`` is
        ``"readable"`` or ``"paper"``, ``focus`` are words to favour, ``unit`` is ``"edu"`` or
        ``"sentence"``, ``keep_lead`` starts with the first sentence, ``exclude_quotes`` leaves out
        quotations, ``resolve_references`` puts names in the place of pronouns without antecedent.
        """
        request = SummaryRequest.of(**options)
        return self.summarize_analysis(
            self._analysis(one_source(text, name, limits=self.limits)), request
        )

    __call__ = summarize

    def summarize_all(
        self,
        texts: Iterable[Source],
        *,
        names: Sequence[str] | None = None,
        **options: Unpack[SummaryOptions],
    ) -> list[Summary]:
        """Summarise several texts: the same results as one by one, by ``summarize``.

        A file of JSON lines gives a summary for each line. Strings are called ``text 1``,
        ``text 2``, … in warnings and results, unless there are ``names``.
        """
        request = SummaryRequest.of(**options)
        return [
            self.summarize_analysis(self._analysis(source), request)
            for source in all_sources(texts, names, taker="summarize", limits=self.limits)
        ]

    def summarize_analysis(
        self, analysis: Analysis, request: SummaryRequest = DEFAULT_REQUEST
    ) -> Summary:
        """Summarise a text whose discourse structure is known already, as one request asks."""
        document = analysis.document
        self.limits.check_chars(document.id, len(document.text))
        self.limits.check_edus(document.id, len(document.edus))
        found = self._unlike_training(document.text)
        if found:
            summary = self.pipeline.summarise_analysis(*_whole_sentences(analysis, request))
            summary = replace(summary, analysis=analysis, request=request.record())
        else:
            summary = self.pipeline.summarise_analysis(analysis, request)
        return replace(summary, model=self.model, warnings=(*found, *summary.warnings))

    def _unlike_training(self, text: str) -> tuple[SummaryWarning, ...]:
        """Warn of a text unlike all that the model was trained on."""
        if self.language == ENGLISH and not looks_like_prose(text):
            return (NOT_PROSE,)
        return () if self.reads(text) else (NOT_ENGLISH,)

    def summarize_analyses(
        self, analyses: Iterable[Analysis], *, budget: Budget = NO_BUDGET, unit: str | None = None
    ) -> list[Summary]:
        """Summarise analysed texts as version 0.6.0 did, in style paper.

        Deprecated: ``summarize_all(analyses, words=…)`` takes analyses and every option.
        """
        warnings.warn(
            "summarize_analyses is deprecated: use summarize_all(analyses, words=…)",
            DeprecationWarning,
            stacklevel=2,
        )
        request = replace(PAPER_REQUEST, budget=budget, unit=unit_kind(unit))
        return [self.summarize_analysis(analysis, request) for analysis in analyses]

    def reads(self, text: str) -> bool:
        """Return whether a text may be in the model's language; only English is detected."""
        return self.language != ENGLISH or looks_english(text)

    def analyze(self, text: str | os.PathLike[str], *, name: str | None = None) -> Analysis:
        """Return sentences, EDUs, RST tree and coreference of one text, or of a file's text."""
        return self._analysis(one_source(text, name, taker="analyze", limits=self.limits))

    def analyze_source(self, source: SourceText | Analysis) -> Analysis:
        """Analyse a text with what its file says about it; an analysis is returned as it is."""
        if isinstance(source, SourceText):
            require_letters(source.id, source.text)
        return self._analysis(source)

    def analyze_all(
        self, texts: Iterable[str | os.PathLike[str]], *, names: Sequence[str] | None = None
    ) -> list[Analysis]:
        """Analyse several texts: the same results as one by one."""
        found = all_sources(texts, names, taker="analyze", limits=self.limits)
        return list(map(self._analysis, found))

    def _analysis(self, source: SourceText | Analysis) -> Analysis:
        if isinstance(source, Analysis):
            return source
        return replace(self.pipeline.analyser.analyse(source), model=self.model)


for _method in (Summarizer.summarize, Summarizer.summarize_all):
    setattr(_method, "__signature__", with_option_names(_method))  # noqa: B010 - mypy knows none


def _whole_sentences(
    analysis: Analysis, request: SummaryRequest
) -> tuple[Analysis, SummaryRequest]:
    """Return what gives a summary of whole sentences, whatever the style."""
    if request.style is Style.PAPER and request.unit is None:
        request = replace(request, unit=UnitKind.SENTENCE)
    return replace(analysis, cuts=()), request


def _load_again(model: str | Path | None, threads: int | None, limits: TextLimits) -> Summarizer:
    return Summarizer.load(model, threads=threads, limits=limits)


def _check_threads(threads: object) -> None:
    if threads is None:
        return
    if isinstance(threads, bool) or not isinstance(threads, int):
        raise WrongType("threads", "a whole number", threads)
    if threads < 1:
        raise UsageError(f"threads must be at least 1, got {threads}")


def locate_bundle(model: str | Path | None) -> Path | None:
    """Return the folder of a model's bundle, or None for the model without weights."""
    if model == RULES or (model is None and not (SHIPPED / _DEFAULT_BUNDLE).is_dir()):
        return None
    return find_bundle(_DEFAULT_BUNDLE if model is None else model)


def rule_analyser(limits: TextLimits = DEFAULT_LIMITS) -> Analyser:
    """Return the analyser that has no weights."""
    return RuleAnalyser(NewsSplitter(), limits)


def load_analyser(
    model: str | Path | None = None, *, limits: TextLimits = DEFAULT_LIMITS
) -> Summarizer:
    """Load a model to analyse with; the weights of its scorer are not read."""
    folder = locate_bundle(model)
    if folder is None:
        return Summarizer.load(model, limits=limits)
    bundle = checked_bundle(folder)
    return Summarizer(_analyser_pipeline(bundle, 1, limits), _language(bundle), limits=limits)


def _language(bundle: Bundle) -> str:
    return str(bundle.settings.get("language", ENGLISH))


def _bundle_pipeline(bundle: Bundle, threads: int, limits: TextLimits) -> Pipeline:
    """Load a bundle's analyser and scorer, which share the lower layers of the encoder."""
    from discobert.analyser.load import neural_analyser  # brings onnxruntime
    from discobert.analyser.shared_encoder import SharedEncoder
    from discobert.scorer.load import has_scorer, neural_scorer

    if not has_scorer(bundle.settings):
        return _analyser_pipeline(bundle, threads, limits)
    analyser = neural_analyser(bundle.read, bundle.settings, threads=threads, limits=limits)
    shared = SharedEncoder(analyser)
    scorer = neural_scorer(
        bundle.read, bundle.settings, model=bundle.model, encode=shared.encoded, threads=threads
    )
    return Pipeline(shared, scorer)


def _analyser_pipeline(bundle: Bundle, threads: int, limits: TextLimits) -> Pipeline:
    """Combine a bundle's analyser with the ranking by position."""
    from discobert.analyser.load import neural_analyser  # brings onnxruntime

    name = f"{bundle.model.name} analyser, lead baseline (no network)"
    scorer = PositionScorer(ModelId(name, bundle.model.version))
    analyser = neural_analyser(bundle.read, bundle.settings, threads=threads, limits=limits)
    return Pipeline(analyser, scorer)
