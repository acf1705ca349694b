"""Settings of the heads for texts that are no news."""

from dataclasses import dataclass

from discobert.errors import ConfigError


@dataclass(frozen=True, slots=True, kw_only=True)
class GenreTraining:
    """All that a run depends on beside its data and the bundle it starts from."""

    width: int = 32
    seeds: int = 4
    """Heads that are trained apart and averaged."""
    epochs: int = 14
    documents_per_step: int = 16
    rate: float = 2e-3
    weight_decay: float = 0.05
    dropout: float = 0.3
    news_weight: float = 0.5
    """Weight of an extract of news; the others have 1."""
    never_weight: float = 0.5
    list_weight: float = 0.5
    """Weight of the listwise loss of the editor's choice."""
    gain_weight: float = 0.5
    """Weight of the listwise loss of the gain in ROUGE."""
    gain_scale: float = 4.0
    """Scale of gains, relative to the best one of a text, before the softmax of their target."""
    news_ridge: float = 0.01
    """Penalty of the weights that tell news from other texts."""
    folds: int = 4
    """Parts of the texts; heads are also trained without each, to score what they did not see."""
    seed: int = 0

    def __post_init__(self) -> None:
        for name in ("width", "seeds", "epochs", "documents_per_step"):
            if getattr(self, name) < 1:
                raise ConfigError(f"{name} must be at least 1, got {getattr(self, name)}")
        if self.folds < 2:
            raise ConfigError(f"folds must be at least 2, got {self.folds}")
        if not 0 <= self.dropout < 1:
            raise ConfigError(f"dropout must be in [0, 1), got {self.dropout}")
