"""How the cut head is trained."""

from dataclasses import dataclass

from discobert.errors import ConfigError


@dataclass(frozen=True, slots=True, kw_only=True)
class CutTraining:
    """Settings of the dependency parser and of the networks that score cuts."""

    parser_hidden: int = 256
    parser_arcs: int = 96
    """Width in which dependents and heads are compared."""
    parser_dropout: float = 0.3
    parser_epochs: int = 7
    parser_rate: float = 2e-3
    parser_weight_decay: float = 0.01
    warmup_steps: int = 100
    words_per_step: int = 3000
    longest_sentence: int = 120
    """Words of the longest sentence that the parser learns from."""

    networks: int = 2
    """Networks whose answers are averaged, from neighbouring seeds."""
    hidden: int = 128
    second: int = 64
    view_width: int = 16
    """Width to which each view is reduced."""
    epochs: int = 15
    rate: float = 1.5e-3
    view_rate_share: float = 0.2
    """Learning rate of the projections of views, which start from principal components."""
    weight_decay: float = 0.2
    cuts_per_step: int = 128
    dropout: float = 0.5
    view_dropout: float = 0.4
    scalar_dropout: float = 0.15
    smoothing: float = 0.04
    question_weight: float = 0.333
    """Weight of each single question beside the whole one."""
    folds: int = 5
    """Parts of the training documents on which the calibration is cross-validated."""
    seed: int = 1

    def __post_init__(self) -> None:
        for name in ("parser_epochs", "networks", "epochs", "cuts_per_step", "words_per_step"):
            if getattr(self, name) < 1:
                raise ConfigError(f"{name} must be at least 1, got {getattr(self, name)}")
        if self.folds < 2:
            raise ConfigError(f"folds must be at least 2, got {self.folds}")
