"""The analyser's network: one encoder, four heads."""

from dataclasses import dataclass, field

from torch import Tensor, nn

from discobert.nn.coref import CorefConfig, LinkScorer, MentionScorer
from discobert.nn.encoder import EncoderConfig, LowerLayers, UpperLayers
from discobert.nn.parser import EduEncoder, ParserConfig, StateScorer


@dataclass(frozen=True, slots=True, kw_only=True)
class AnalyserConfig:
    """Shapes of all parts."""

    encoder: EncoderConfig = field(default_factory=EncoderConfig)
    lower_layers: int = 3
    shapes: int = 16
    dropout: float = 0.0
    """Dropout inside the upper layers."""
    parser: ParserConfig = field(default_factory=ParserConfig)
    coref: CorefConfig = field(default_factory=CorefConfig)


class AnalyserNet(nn.Module):
    """Encoder with heads for EDU starts, subjects, RST states and coreference.

    ``trunk`` holds the lower layers, ``branch`` the upper ones: stored weights have these names.
    """

    def __init__(self, config: AnalyserConfig) -> None:
        super().__init__()
        hidden = config.encoder.hidden
        self.trunk = LowerLayers(config.encoder, layers=config.lower_layers)
        self.branch = UpperLayers(
            config.encoder,
            layers=config.encoder.layers - config.lower_layers,
            shapes=config.shapes,
            dropout=config.dropout,
        )
        self.tags = nn.Linear(hidden, 2)
        self.edus = EduEncoder(hidden, config.parser)
        self.states = StateScorer(config.parser)
        self.mentions = MentionScorer(hidden, config.coref)
        self.links = LinkScorer(hidden, config.coref)

    def tag(self, words: Tensor) -> Tensor:
        """Return logits (W, 2) of "starts an EDU" and "is a subject" for word vectors (W, H)."""
        logits: Tensor = self.tags(words)
        return logits
