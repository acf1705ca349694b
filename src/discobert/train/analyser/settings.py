"""How the analyser is trained."""

from dataclasses import dataclass

from discobert.errors import ConfigError
from discobert.train.analyser.gold import RELATIONS
from discobert.train.core.loop import LoopConfig

TASKS = {
    "analyser": ("boundary", "subject", "tree", "mention", "link"),
    "segmenter": ("boundary", "subject"),
    "parser": ("tree",),
    "coref": ("mention", "link"),
}
"""The losses of each part that can be trained."""
LOG_EVERY = 10
"""Steps between two rows of the curve."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnalyserTraining:
    """How the analyser is trained; one stage (silver or gold) a file."""

    sources: tuple[str, ...] = ("gum",)
    """Which of the data files to learn from: gum, amalgum, litbank."""
    epochs: float = 1.0
    documents_per_step: int = 4
    encoder_rate: float = 1e-4
    head_rate: float = 1e-3
    warmup_steps: int = 50
    weight_decay: float = 0.01
    clip: float = 1.0
    dropout: float = 0.0
    """Dropout inside the upper layers, whole features at a time."""
    piece_dropout: float = 0.0
    """Share of pieces whose lower-layer vectors are set to zero."""
    explore: float = 0.0
    """Share of random parser actions: the parser learns to continue after its own mistakes."""
    average_decay: float = 0.0
    """Decay of the moving average of weights; 0: none."""
    window_sizes: tuple[int, ...] = (320, 384, 448)
    predicted_sentences: float = 0.0
    """Share of documents laid out by our sentence splitter instead of gold sentences."""
    guessed_edus: float = 0.0
    """Share of documents whose trees are learned over EDUs sampled from the segmenter."""
    guess_temperature: float = 2.0
    """Temperature of that sampling; above 1, since the segmenter has seen these documents."""
    teacher_share: float = 0.5
    """Weight of the distillation loss (--teacher) against the loss on gold trees."""
    gold_repeats: int = 1
    """How often an epoch repeats a document that people annotated in every layer."""
    silver_trees: bool = True
    """Learn structure and nuclearity also from trees whose relations are not those of GUM."""
    literature_share: float = 1.0
    """Share of the literary documents (coreference only) in each epoch."""
    train_trunk: bool = False
    """Train the lower layers too, but never the word embeddings."""
    freeze_encoder: bool = False
    """Train the heads alone on vectors computed once: minutes in place of hours."""
    non_commercial: bool = False
    """Learn from NC-licensed documents too; never for weights that ship."""
    boundary_weight: float = 4.0
    subject_weight: float = 2.0
    tree_weight: float = 1.0
    mention_weight: float = 1.0
    link_weight: float = 1.0
    relations: tuple[str, ...] = RELATIONS
    """Labels the parser learns; a treebank of another kind brings its own."""
    seed: int = 13
    checkpoint_minutes: float = 5.0
    validate_every: int = 0
    """Steps between two measurements of the losses on the dev split; 0: none. Where there are any,
    the weights with the lowest dev_loss are kept."""
    patience: int = 0
    """Measurements without a lower dev_loss after which training stops; 0: never stop early."""

    def __post_init__(self) -> None:
        for name in ("epochs", "encoder_rate", "head_rate", "guess_temperature"):
            if getattr(self, name) <= 0:
                raise ConfigError(f"{name} must be above 0, got {getattr(self, name)}")
        if not 0 <= self.piece_dropout < 1:
            raise ConfigError(f"piece_dropout must be in [0, 1), got {self.piece_dropout}")
        if not 0 <= self.teacher_share <= 1:
            raise ConfigError(f"teacher_share must be from 0 to 1, got {self.teacher_share}")
        for name in ("documents_per_step", "gold_repeats"):
            if getattr(self, name) < 1:
                raise ConfigError(f"{name} must be at least 1, got {getattr(self, name)}")
        self.loop()

    def loss_weights(self) -> dict[str, float]:
        """Return the factor of each loss in their sum."""
        return {name: getattr(self, f"{name}_weight") for name in TASKS["analyser"]}

    def loop(self) -> LoopConfig:
        """Return the settings of the training loop."""
        return LoopConfig(
            warmup_steps=self.warmup_steps,
            weight_decay=self.weight_decay,
            clip=self.clip,
            average_decay=self.average_decay,
            log_every=LOG_EVERY,
            validate_every=self.validate_every,
            patience=self.patience,
            checkpoint_minutes=self.checkpoint_minutes,
            seed=self.seed,
        )
