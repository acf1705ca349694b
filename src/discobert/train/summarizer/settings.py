"""Settings of the summariser's training: one flat table."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum

from discobert.discourse.dependencies import VARIANTS
from discobert.errors import ConfigError
from discobert.nn.batch import WindowSizes
from discobert.nn.graphs import Directions
from discobert.nn.scorer import Inputs, ScorerConfig, Variant
from discobert.scorer.decoding import LengthRule, TunedDecoding
from discobert.scorer.features import Reach, RstEdges, UnitOptions, UnitSpan
from discobert.selection.paper.length_normalisation import LengthNormalisation
from discobert.train.core.batches import BudgetPlan
from discobert.train.core.loop import LoopConfig
from discobert.train.summarizer.features.items import ItemOptions
from discobert.train.summarizer.objective.targets import TargetOptions


class TrainedPart(Enum):
    """The part of the network that is trained; the output of the frozen part below is cached."""

    DOCUMENT = "document"
    """The document-level part, on cached vectors of units."""

    SPANS = "spans"
    """SpanExt too, on cached vectors of pieces."""

    ENCODER = "encoder"
    """The upper layers too, on cached vectors of the lower layers (or a whole BERT)."""

    ALIGN = "align"
    """The upper layers alone, to give the vectors of the original encoder; needs no labels."""

    RANKER = "ranker"
    """The ranker of candidate summaries alone, on cached vectors of units."""

    @property
    def caches_lower_layers(self) -> bool:
        """Whether only the lower layers are frozen."""
        return self in {TrainedPart.ENCODER, TrainedPart.ALIGN}

    @property
    def caches_units(self) -> bool:
        """Whether all below the unit vectors is frozen, so that no piece is needed any more."""
        return self in {TrainedPart.DOCUMENT, TrainedPart.RANKER}

    @classmethod
    def _missing_(cls, value: object) -> "TrainedPart":
        allowed = ", ".join(member.value for member in cls)
        raise ConfigError(f"unknown part {value!r} to train: use one of {allowed}")


@dataclass(frozen=True, slots=True, kw_only=True)
class SummarizerTraining:
    """Settings of one stage of training; the defaults train the document-level part."""

    variant: str = "edu+both"
    """sentence, edu, edu+coref, edu+rst or edu+both."""
    trained: str = "document"
    """What is trained: document, spans (SpanExt too), encoder (all), ranker alone, or align."""

    # The network.
    inputs: str = "all"
    """Inputs beside the vector of a unit: none (the paper's), place, or all simple features."""
    width: int = 0
    """Width of the document-level part; 0: the encoder's."""
    context_layers: int = 3
    """Transformer layers over units before the graphs; 0: none, as in the paper."""
    context_heads: int = 6
    context_feed_forward: int = 1024
    graph_layers: int = 2
    directions: str = "both"
    """Directions of the RST graph: both, or heads alone (the paper's)."""
    rst_graph: str = "links"
    """links (one edge a node), strict (enforced dependencies), or legacy."""
    rules: str = "ours"
    """Dependency rules: ours, paper or legacy."""
    sentence_span: str = "pieces"
    """Vector of a sentence in the variant ``sentence``: of its pieces, or cls (the paper's)."""
    edu_span: str = "pieces"
    """Vector of an EDU: of its pieces, or cls (a block for every EDU, for comparisons only)."""
    reach: str = "sentence"
    """What pieces attend to in the upper layers: their sentence, or the whole window."""
    from_bundle: bool = False
    """Start from the summariser of the bundle; its encoder stays as it runs, in int8."""
    fresh_document: bool = False
    """Whether the document-level part starts at random even if ``from_bundle`` is set."""
    sentence_scores: bool = False
    """Whether the scores of the bundle's sentence network are among the features of EDUs."""
    encoder: str = ""
    """An encoder by name or path, as bert-base-uncased; empty: the analyser's lower layers."""
    positions: int = 0
    """Positions of such an encoder; more than it has (768 in the paper) adds embeddings."""
    frozen_layers: int = 0
    """Lower layers of such an encoder that stay frozen, embeddings included."""
    dropout: float = 0.1
    encoder_dropout: float = 0.0
    """Dropout inside the upper layers, whole features at a time (cheap on a CPU)."""

    # Documents and targets.
    documents: int = 0
    """Training documents; 0: all."""
    max_pieces: int = 1024
    """Documents are cut after the last sentence that fits; 0: never."""
    window_pieces: int = 448
    """Most pieces of a window of the upper layers."""
    later_windows: float = 0.0
    """Share of long documents of which a later window is taken in place of the first; the same one
    in every epoch where vectors of units are cached."""
    soft_share: float = 0.5
    """Share of each unit's own ROUGE gain in its target; 0: the greedy oracle alone."""
    label_smoothing: float = 0.0
    int8_features: bool = False
    """Whether cached vectors come from upper layers in int8, as users run them; faster, too."""
    risk_weight: float = 0.0
    """Weight of the expected ROUGE of sampled summaries, in the last part of a run; 0: none."""
    risk_share: float = 0.5
    """The part of a run in which it counts."""
    risk_samples: int = 16
    risk_words: int = 70
    """Most words of a sampled summary."""
    rank_weight: float = 0.0
    """Weight of the margin loss that ranks candidate summaries; 0: no ranker."""
    rank_margin: float = 0.01
    """Margin for each rank between two candidates."""

    # Optimisation.
    epochs: float = 8.0
    units_per_step: int = 1500
    """Units of one step, padding included, where unit vectors are cached."""
    pieces_per_step: int = 4096
    """Pieces of one step, padding included, otherwise."""
    rate: float = 5e-4
    encoder_rate: float = 5e-5
    warmup_steps: int = 300
    weight_decay: float = 0.01
    clip: float = 1.0
    average_decay: float = 0.999
    """Decay of the moving average of weights; 0: none."""
    start_share: float = 0.0
    """Share of the initial weights in the result; a mean of both often generalises better."""
    precision: str = "auto"
    """no, bf16 or fp16; auto: plain on a CPU, lower on a GPU."""
    seed: int = 1112

    # Validation.
    validate_every: int = 500
    """Steps between two validations."""
    validate_documents: int = 300
    validate_length: int = 0
    """Selection steps of validation summaries; 0: five EDUs or three sentences."""
    validate_words: int = 0
    """Words of validation summaries in place of steps; 0: steps."""
    patience: int = 0
    """Validations without a better ROUGE-2 after which training stops; 0: never."""
    tune_documents: int = 2000
    """Validation documents on which the length rule is tuned at the end; 0: no tuning."""
    checkpoint_minutes: float = 5.0
    tensorboard: bool = False

    def __post_init__(self) -> None:
        if self.rules not in VARIANTS:
            raise ConfigError(f"unknown rules {self.rules!r}: use one of {', '.join(VARIANTS)}")
        for name in ("later_windows", "risk_share"):
            if not 0 <= getattr(self, name) <= 1:
                raise ConfigError(f"{name} must be between 0 and 1, got {getattr(self, name)}")
        if not 0 <= self.start_share < 1:
            raise ConfigError(f"start_share must be at least 0 and below 1, got {self.start_share}")
        if self.trained_part is TrainedPart.RANKER and self.rank_weight <= 0:
            raise ConfigError("trained = 'ranker' needs a rank_weight above 0")
        self._check_bundle_start()
        for part in (self.items, self.targets, self.loop, self.attention_reach, self.decoding):
            part()
        self.batches(())
        self.network(hidden=self.context_heads)

    def _check_bundle_start(self) -> None:
        is_document = self.trained_part is TrainedPart.DOCUMENT
        if self.from_bundle and (self.encoder or not is_document):
            raise ConfigError("from_bundle = true needs trained = 'document' and no encoder")
        if self.fresh_document and not self.from_bundle:
            raise ConfigError("fresh_document = true needs from_bundle = true")
        if self.sentence_scores and (not self.from_bundle or self.max_pieces):
            raise ConfigError("sentence_scores = true needs from_bundle = true and max_pieces = 0")

    @property
    def trained_part(self) -> TrainedPart:
        """The part that is trained."""
        return TrainedPart(self.trained)

    def attention_reach(self) -> Reach:
        """Return what pieces attend to."""
        return Reach(self.reach)

    def network(self, *, hidden: int) -> ScorerConfig:
        """Return the shape of the document-level part over an encoder of width ``hidden``."""
        return ScorerConfig(
            variant=Variant(self.variant),
            hidden=hidden,
            width=self.width,
            inputs=Inputs(self.inputs),
            sentence_scores=self.sentence_scores,
            context_layers=self.context_layers,
            context_heads=self.context_heads,
            context_feed_forward=self.context_feed_forward,
            graph_layers=self.graph_layers,
            directions=Directions(self.directions),
            # A ranker alone is trained on states and scores that do not change.
            dropout=0.0 if self.trained_part is TrainedPart.RANKER else self.dropout,
        )

    def items(self) -> ItemOptions:
        """Return which units are read, and how much of a document."""
        units = UnitOptions(
            rules=VARIANTS[self.rules],
            rst=RstEdges(self.rst_graph),
            sentence_span=UnitSpan(self.sentence_span),
            edu_span=UnitSpan(self.edu_span),
        )
        return ItemOptions(variant=Variant(self.variant), units=units, max_pieces=self.max_pieces)

    def training_items(self) -> ItemOptions:
        """Return the same for training documents, which may be cut to a later window."""
        # Where vectors of the lower layers are cached, each epoch draws another window.
        later = 0.0 if self.trained_part.caches_lower_layers else self.later_windows
        return replace(self.items(), later_windows=later)

    def targets(self) -> TargetOptions:
        """Return how the targets of units are mixed."""
        return TargetOptions(soft_share=self.soft_share, label_smoothing=self.label_smoothing)

    def sizes(self) -> WindowSizes:
        """Return the longest windows of encoder and context layers."""
        return WindowSizes(pieces=self.window_pieces)

    def batches(self, lengths: Sequence[int]) -> BudgetPlan:
        """Plan the batches of documents of these lengths, in units or pieces."""
        by_units = self.trained_part.caches_units
        return BudgetPlan(
            lengths,
            budget=self.units_per_step if by_units else self.pieces_per_step,
            epochs=self.epochs,
            seed=self.seed,
        )

    def loop(self) -> LoopConfig:
        """Return the settings of the training loop."""
        return LoopConfig(
            warmup_steps=self.warmup_steps,
            weight_decay=self.weight_decay,
            clip=self.clip,
            average_decay=self.average_decay,
            validate_every=self.validate_every,
            patience=self.patience,
            checkpoint_minutes=self.checkpoint_minutes,
            seed=self.seed,
        )

    def decoding(self) -> TunedDecoding:
        """Return the length rule of validation summaries."""
        if self.validate_words:
            normalisation = LengthNormalisation(share=0.3, power=0.3)
            return TunedDecoding(
                rule=LengthRule.FULL_WORDS, value=self.validate_words, economy=normalisation
            )
        usual = 3 if self.variant == Variant.SENTENCE.value else 5
        return TunedDecoding(rule=LengthRule.STEPS, value=self.validate_length or usual)
