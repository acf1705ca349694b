"""The facade that users hold: one object that summarises and analyses texts."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from discobert import __version__
from discobert.analyser.rules import NoCoref, PositionScorer, RightBranchingParser, RuleSegmenter
from discobert.data.summary import Analysis, ModelId, Summary, SummaryWarning
from discobert.discourse.units import UnitKind
from discobert.errors import InputError, UsageError
from discobert.language.detection import ENGLISH, looks_english
from discobert.language.sentences import NewsSplitter
from discobert.pipeline import FixedLength, Pipeline, StagedAnalyser
from discobert.protocols import Analyser
from discobert.selection.budget import Budget
from discobert.selection.preferences import NO_WISHES, Wishes
from discobert.selection.select import READABLE, RESOLVED, SelectionOptions, Style
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
    """What the model was trained on, by its ISO 639 code."""

    @classmethod
    def load(cls, model: str | Path | None = None, *, threads: int | None = None) -> "Summarizer":
        """Load the shipped English model, another shipped one by name, or a bundle's folder.

        ``threads`` bounds what the weights compute with; rules need one.
        """
        if threads is not None and threads < 1:
            raise UsageError(f"threads must be at least 1, got {threads}")
        folder = locate_bundle(model)
        if folder is None:
            return cls(Pipeline(rule_analyser(), FixedLength(PositionScorer(RULES_MODEL))))
        bundle = open_bundle(folder)
        return cls(_bundle_pipeline(bundle), _language(bundle))

    @property
    def model(self) -> ModelId:
        """What the ``model`` field of every summary will say."""
        return self.pipeline.judge.model

    def summarize(
        self,
        text: str,
        *,
        name: str = "text",
        words: int | None = None,
        sentences: int | None = None,
        edus: int | None = None,
        chars: int | None = None,
        ratio: float | None = None,
        unit: str | UnitKind | None = None,
        focus: str | None = None,
        exclude_quotes: bool = False,
        keep_lead: bool = False,
        resolve_references: bool = False,
    ) -> Summary:
        """Summarise one text, at most as long as the one bound given.

        ``focus`` are words to favour; ``keep_lead`` starts with the first sentence;
        ``resolve_references`` puts names in the place of pronouns that would mean nobody.
        """
        budget = Budget(words=words, sentences=sentences, edus=edus, chars=chars, ratio=ratio)
        wishes = Wishes(focus=focus, exclude_quotes=exclude_quotes, keep_lead=keep_lead)
        style = RESOLVED if resolve_references else READABLE
        analyses = [self.analyze(text, name=name)]
        return self.summarize_analyses(
            analyses, budget=budget, unit=unit, wishes=wishes, style=style
        )[0]

    def summarize_all(
        self,
        texts: Sequence[str],
        *,
        names: Sequence[str] | None = None,
        words: int | None = None,
        sentences: int | None = None,
        edus: int | None = None,
        chars: int | None = None,
        ratio: float | None = None,
        unit: str | UnitKind | None = None,
        focus: str | None = None,
        exclude_quotes: bool = False,
        keep_lead: bool = False,
        resolve_references: bool = False,
    ) -> list[Summary]:
        """Summarise several texts: the same results as one by one."""
        budget = Budget(words=words, sentences=sentences, edus=edus, chars=chars, ratio=ratio)
        wishes = Wishes(focus=focus, exclude_quotes=exclude_quotes, keep_lead=keep_lead)
        style = RESOLVED if resolve_references else READABLE
        # One by one: what was read of a text is at hand for its summary, and then let go.
        return [
            self.summarize_analyses(
                self.pipeline.analyser.analyse([pair]),
                budget=budget,
                unit=unit,
                wishes=wishes,
                style=style,
            )[0]
            for pair in _named(texts, names)
        ]

    def summarize_analyses(
        self,
        analyses: Sequence[Analysis],
        *,
        budget: Budget = Budget(),  # noqa: B008 - a frozen value
        unit: str | UnitKind | None = None,
        wishes: Wishes = NO_WISHES,
        style: Style = READABLE,
    ) -> list[Summary]:
        """Summarise texts whose discourse is known already."""
        options = None if budget == Budget() else SelectionOptions(budget=budget)
        made = self.pipeline.summarise(analyses, options, unit_kind(unit), wishes, style)
        return [
            summary
            if self.reads(summary.document.text)
            else replace(summary, warnings=(NOT_ENGLISH, *summary.warnings))
            for summary in made
        ]

    def reads(self, text: str) -> bool:
        """Tell whether a text may be in the model's language; only English is known at sight."""
        return self.language != ENGLISH or looks_english(text)

    def analyze(self, text: str, *, name: str = "text") -> Analysis:
        """Return sentences, EDUs, RST tree and coreference of one text."""
        return self.analyze_all([text], names=[name])[0]

    def analyze_all(
        self, texts: Sequence[str], *, names: Sequence[str] | None = None
    ) -> list[Analysis]:
        """Analyse several texts: the same results as one by one."""
        return self.pipeline.analyser.analyse(_named(texts, names))


def _named(texts: Sequence[str], names: Sequence[str] | None) -> list[tuple[str, str]]:
    """Put a name to each text, and refuse all of them if one cannot be analysed."""
    given = ["text"] * len(texts) if names is None else names
    if len(given) != len(texts):
        raise UsageError(f"{len(texts)} texts need as many names, got {len(given)}")
    for name, text in zip(given, texts, strict=True):
        require_letters(name, text)
    return list(zip(given, texts, strict=True))


def require_letters(name: str, text: str) -> None:
    """Refuse a text that says nothing in words."""
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
    """Assemble the analyser that has no weights."""
    return StagedAnalyser(RuleSegmenter(NewsSplitter()), RightBranchingParser(), NoCoref())


def load_analyser(model: str | Path | None = None) -> Summarizer:
    """Load a model to analyse with; the network that chooses stays on the disk."""
    folder = locate_bundle(model)
    if folder is None:
        return Summarizer.load(model)
    bundle = open_bundle(folder)
    return Summarizer(_analyser_pipeline(bundle), _language(bundle))


def _language(bundle: Bundle) -> str:
    return str(bundle.settings.get("language", ENGLISH))


def _bundle_pipeline(bundle: Bundle) -> Pipeline:
    """Run a bundle's summariser, if it has one."""
    from discobert.neural_pipeline import neural_pipeline
    from discobert.scorer.load import has_scorer  # brings onnxruntime

    if has_scorer(bundle.settings):
        return neural_pipeline(bundle.map, bundle.settings, model=bundle.model)
    return _analyser_pipeline(bundle)


def _analyser_pipeline(bundle: Bundle) -> Pipeline:
    """Rank by position above an analyser alone."""
    from discobert.analyser.load import neural_analyser  # brings onnxruntime

    name = f"{bundle.model.name} analyser, lead baseline (no network)"
    scorer = PositionScorer(ModelId(name, bundle.model.version))
    return Pipeline(neural_analyser(bundle.map, bundle.settings), FixedLength(scorer))


def unit_kind(unit: str | UnitKind | None) -> UnitKind | None:
    """Return the kind of unit that a name stands for; none leaves it to the model."""
    if unit is None:
        return None
    try:
        return UnitKind(unit)
    except ValueError as error:
        allowed = " or ".join(kind.value for kind in UnitKind)
        raise UsageError(f"unknown unit {unit!r}: use {allowed}") from error
