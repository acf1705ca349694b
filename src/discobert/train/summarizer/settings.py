"""How the summariser is trained: one flat table, each option by its name."""

from dataclasses import dataclass, replace

from discobert.discourse.dependencies import VARIANTS
from discobert.errors import ConfigError
from discobert.nn.batch import WindowSizes
from discobert.nn.graphs import Directions
from discobert.nn.scorer import Inputs, ScorerConfig, Variant
from discobert.scorer.decoding import LengthRule, TunedDecoding
from discobert.scorer.features import Reach, RstEdges, UnitOptions, UnitSpan
from discobert.train.core.loop import LoopConfig
from discobert.train.summarizer.features import Trained
from discobert.train.summarizer.items import ItemOptions
from discobert.train.summarizer.targets import TargetOptions


@dataclass(frozen=True, slots=True, kw_only=True)
class SummarizerTraining:
    """Settings of one stage of training; the defaults learn the document-level part."""

    variant: str = "edu+both"
    """sentence, edu, edu+coref, edu+rst or edu+both."""
    trained: str = "document"
    """What learns: document, spans (SpanExt too), encoder (all), the ranker alone, or align."""

    # The network.
    inputs: str = "all"
    """What joins the text of a unit: none (the paper's), place, or all simple features."""
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
    """What stands for a sentence in the variant ``sentence``: its pieces, or cls (the paper's)."""
    edu_span: str = "pieces"
    """What stands for an EDU: its pieces, or cls (a block for every EDU, for comparisons only)."""
    reach: str = "sentence"
    """How far pieces see in the upper layers: their sentence, or the whole window."""
    encoder: str = ""
    """An encoder by name or path, as bert-base-uncased; empty: the analyser's trunk is shared."""
    positions: int = 0
    """Positions of such an encoder; more than it has (768 in the paper) adds rows to be learned."""
    frozen_layers: int = 0
    """Lower layers of such an encoder that do not learn, embeddings included."""
    dropout: float = 0.1
    encoder_dropout: float = 0.0
    """Dropout inside the branch, whole features at a time (cheap on a CPU)."""

    # What is learned from.
    documents: int = 0
    """Documents to learn from; 0: all."""
    max_pieces: int = 1024
    """Documents are cut after the last sentence that fits; 0: never."""
    window_pieces: int = 448
    """Pieces the upper layers read at once."""
    later_windows: float = 0.0
    """Share of long documents that are met by a later stretch; the same one in every epoch where
    vectors of units are cached."""
    soft_share: float = 0.5
    """Share of each unit's own ROUGE gain in its target; 0: the greedy oracle alone."""
    label_smoothing: float = 0.0
    int8_features: bool = False
    """Whether cached vectors come from a branch in int8, as users will run it; faster, too."""
    rank_weight: float = 0.0
    """Weight of the margin loss that ranks candidate summaries; 0: no ranker."""
    rank_margin: float = 0.01
    """Margin for each rank between two candidates."""

    # How.
    epochs: float = 8.0
    units_per_step: int = 1500
    """Padded units of one step where unit vectors are cached."""
    pieces_per_step: int = 4096
    """Padded pieces of one step otherwise."""
    rate: float = 5e-4
    encoder_rate: float = 5e-5
    warmup_steps: int = 300
    weight_decay: float = 0.01
    clip: float = 1.0
    average_decay: float = 0.999
    """Decay of the moving average of weights; 0: none."""
    start_share: float = 0.0
    """Share of an earlier stage's weights in the result; the mean of both often does better on new
    documents than either."""
    precision: str = "auto"
    """no, bf16 or fp16; auto: plain on a CPU, lower on a GPU."""
    seed: int = 1112

    # When to look.
    validate_every: int = 500
    validate_documents: int = 300
    validate_length: int = 0
    """Steps of validation summaries; 0: five EDUs or three sentences."""
    patience: int = 0
    """Looks without a better ROUGE-2 after which training stops; 0: never."""
    tune_documents: int = 2000
    """Validation documents on which the length rule is tuned in the end; 0: no tuning."""
    checkpoint_minutes: float = 5.0
    tensorboard: bool = False

    def __post_init__(self) -> None:
        if self.rules not in VARIANTS:
            raise ConfigError(f"unknown rules {self.rules!r}: use one of {', '.join(VARIANTS)}")
        if not 0 <= self.later_windows <= 1:
            raise ConfigError(f"later_windows must be between 0 and 1, got {self.later_windows}")
        if not 0 <= self.start_share < 1:
            raise ConfigError(f"start_share must be at least 0 and below 1, got {self.start_share}")
        if self.is_trained is Trained.RANKER and self.rank_weight <= 0:
            raise ConfigError("trained = 'ranker' needs a rank_weight above 0")
        for part in (self.items, self.targets, self.loop, self.sees, self.decoding):
            part()
        self.network(hidden=self.context_heads)

    @property
    def is_trained(self) -> Trained:
        """The part that learns."""
        return Trained(self.trained)

    def sees(self) -> Reach:
        """How far pieces see."""
        return Reach(self.reach)

    def network(self, *, hidden: int) -> ScorerConfig:
        """Describe the document-level part over an encoder of some width."""
        return ScorerConfig(
            variant=Variant(self.variant),
            hidden=hidden,
            width=self.width,
            inputs=Inputs(self.inputs),
            context_layers=self.context_layers,
            context_heads=self.context_heads,
            context_feed_forward=self.context_feed_forward,
            graph_layers=self.graph_layers,
            directions=Directions(self.directions),
            # A ranker alone learns from states and scores that stand still.
            dropout=0.0 if self.is_trained is Trained.RANKER else self.dropout,
        )

    def items(self) -> ItemOptions:
        """Describe which units are read, and how much of a document."""
        units = UnitOptions(
            rules=VARIANTS[self.rules],
            rst=RstEdges(self.rst_graph),
            sentence_span=UnitSpan(self.sentence_span),
            edu_span=UnitSpan(self.edu_span),
        )
        return ItemOptions(variant=Variant(self.variant), units=units, max_pieces=self.max_pieces)

    def learned_items(self) -> ItemOptions:
        """Describe what is learned from; where pieces are cached, each epoch cuts them anew."""
        later = 0.0 if self.is_trained.reads_trunk else self.later_windows
        return replace(self.items(), later_windows=later)

    def targets(self) -> TargetOptions:
        """Describe what is wanted of units."""
        return TargetOptions(soft_share=self.soft_share, label_smoothing=self.label_smoothing)

    def sizes(self) -> WindowSizes:
        """Describe the rows of encoder and context layers."""
        return WindowSizes(pieces=self.window_pieces)

    def loop(self) -> LoopConfig:
        """Describe the loop."""
        by_units = self.is_trained.reads_units
        return LoopConfig(
            epochs=self.epochs,
            budget=self.units_per_step if by_units else self.pieces_per_step,
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
        """Describe the summaries that validation looks at."""
        usual = 3 if self.variant == Variant.SENTENCE.value else 5
        return TunedDecoding(rule=LengthRule.STEPS, value=self.validate_length or usual)
