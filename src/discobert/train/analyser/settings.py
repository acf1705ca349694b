"""How the analyser is trained."""

from dataclasses import dataclass

from discobert.errors import ConfigError
from discobert.train.analyser.gold import RELATIONS

TASKS = {
    "analyser": ("boundary", "subject", "tree", "mention", "link"),
    "segmenter": ("boundary", "subject"),
    "parser": ("tree",),
    "coref": ("mention", "link"),
}


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
    """Dropout inside the branch, whole features at a time."""
    piece_dropout: float = 0.0
    """Share of pieces of which the branch hears nothing, but that they are there."""
    explore: float = 0.0
    """Share of random parser actions, so that it learns to go on after its own mistakes."""
    average_decay: float = 0.0
    """Decay of the moving average of weights; 0: none."""
    window_sizes: tuple[int, ...] = (320, 384, 448)
    predicted_sentences: float = 0.0
    """Share of documents laid out by our sentence splitter instead of gold sentences."""
    guessed_edus: float = 0.0
    """Share of documents whose trees are learned over EDUs drawn from the segmenter's guesses."""
    guess_temperature: float = 2.0
    """How much less sure the segmenter is made to be of documents that it has learned from."""
    teacher_share: float = 0.5
    """How much the opinions of teachers (--teacher) count beside gold."""
    gold_repeats: int = 1
    """How often a document is met that people annotated in every layer, for once every other."""
    silver_trees: bool = True
    """Learn structure and nuclearity, too, from trees whose relations are not those of GUM."""
    literature_share: float = 1.0
    """Share of the literary documents (coreference only) met in each epoch."""
    train_trunk: bool = False
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
