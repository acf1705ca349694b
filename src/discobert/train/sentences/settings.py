"""Settings of the sentence network's training."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from discobert.errors import ConfigError


@dataclass(frozen=True, slots=True, kw_only=True)
class SentenceTraining:
    """All that a run depends on beside its data and the bundle it starts from."""

    width: int = 256
    """Width of the network; a summariser of this width gives it its first weights."""
    feed_forward: int = 768
    layers: int = 3
    steps: int
    documents_per_step: int = 32
    rate: float = 2.5e-4
    new_rate: float = 6e-4
    """Learning rate of modules that the summariser does not have."""
    warmup_steps: int = 200
    weight_decay: float = 0.02
    clip: float = 1.0
    average_decay: float = 0.998
    dropout: float = 0.1
    """Share of features dropped for a whole document."""
    half_precision: bool = True
    """Whether products are computed in bfloat16."""
    risk_share: float = 0.4
    """Share of the steps, the last ones, in which the expected ROUGE counts."""
    bce_weights: tuple[float, float] = (1.0, 0.5)
    """Weight of the loss of single sentences, before and after that."""
    list_weights: tuple[float, float] = (0.3, 0.15)
    """Weight of the listwise loss, before and after."""
    risk_weight: float = 4.0
    max_sentences: int = 24
    """Sentences of a training document, except for some that are read further."""
    long_share: float = 0.15
    """Share of longer documents that are read up to ``longest`` sentences."""
    longest: int = 64
    max_words: int = 800
    """Words of a document after which no further sentence is read."""
    last_line: Mapping[str, int] = field(default_factory=dict)
    """Lines of a file of articles, by its name without suffixes, that are read; else all."""
    validation_skip: int = 0
    validation_documents: int = 1000
    validate_every: int = 0
    log_every: int = 50
    checkpoint_minutes: float = 5.0
    never_width: int = 48
    never_epochs: int = 15
    head_width: int = 32
    head_epochs: int = 12
    head_seeds: int = 2
    """Heads that are trained apart and averaged."""
    seed: int = 0

    def __post_init__(self) -> None:
        for name in ("steps", "documents_per_step", "max_sentences", "max_words", "head_seeds"):
            if getattr(self, name) < 1:
                raise ConfigError(f"{name} must be at least 1, got {getattr(self, name)}")
        for name in ("risk_share", "dropout", "long_share"):
            if not 0 <= getattr(self, name) < 1:
                raise ConfigError(f"{name} must be in [0, 1), got {getattr(self, name)}")
