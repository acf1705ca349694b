"""The RST parser's network: EDU vectors and scores of shift-reduce states.

N EDUs of one document, T states, H encoder width, D EDU width, K hidden width.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional

N_ROLES = 9
"""First, last, head and mean EDU of the lower and of the upper span, and the next EDU."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ParserConfig:
    """Widths of the parser."""

    edu: int = 256
    hidden: int = 512
    inner: int = 256
    dropout: float = 0.25
    features: int = 17
    feature_values: int = 10
    relations: int = 15


@dataclass(frozen=True, slots=True)
class StateBatch:
    """Shift-reduce states of one document, as indices of EDUs; N stands for an absent EDU."""

    edus: Tensor
    """First, last, head of the lower span, of the upper span, then the next EDU: (T, 7)."""
    spans: Tensor
    """Start and end of the lower span and of the upper span; empty when absent: (T, 4)."""
    features: Tensor
    """Classes of the state: (T, F)."""


@dataclass(frozen=True, slots=True)
class StateScores:
    """Log-probabilities for each state."""

    actions: Tensor
    """(T, 2): shift, reduce; not yet masked by what is legal."""
    nuclearities: Tensor
    """(T, 3)."""
    relations: Tensor
    """(T, 3, R): of each relation given the nuclearity."""


class EduEncoder(nn.Module):
    """First, last and mean piece of each EDU, then a recurrent pass over the whole document."""

    def __init__(self, hidden: int, config: ParserConfig) -> None:
        super().__init__()
        self.project = nn.Linear(3 * hidden, config.edu)
        self.context = nn.GRU(config.edu, config.edu // 2, bidirectional=True, batch_first=True)
        self.norm = nn.LayerNorm(config.edu)
        self.dropout = nn.Dropout(config.dropout)

    def forward(self, pooled: Tensor) -> Tensor:
        """Encode pooled EDUs (N, 3 H) to (N, D)."""
        local = functional.gelu(self.project(self.dropout(pooled)))  # (N, D)
        context, _ = self.context(local[None])  # (1, N, D)
        encoded: Tensor = self.norm(local + context[0])
        return encoded


class StateScorer(nn.Module):
    """Scores states; its first layer is a sum over EDUs, so decoding computes it once."""

    def __init__(self, config: ParserConfig) -> None:
        super().__init__()
        self.config = config
        self.roles = nn.Linear(config.edu, N_ROLES * config.hidden, bias=False)
        self.features = nn.Embedding(config.features * config.feature_values, config.hidden)
        nn.init.normal_(self.features.weight, std=0.05)
        self.inner = nn.Linear(config.hidden, config.inner)
        self.actions = nn.Linear(config.inner, 2)
        self.nuclearities = nn.Linear(config.inner, 3)
        self.relations = nn.Linear(config.inner, 3 * config.relations)
        self.dropout = nn.Dropout(config.dropout)

    def forward(self, edus: Tensor, states: StateBatch) -> StateScores:
        """Score states over EDU vectors (N, D)."""
        roles = self.roles(self.dropout(edus)).view(len(edus), N_ROLES, -1)  # (N, 9, K)
        padded = functional.pad(roles, (0, 0, 0, 0, 0, 1))  # (N + 1, 9, K); the last row is absence
        gathered = padded[states.edus, torch.arange(7)].sum(1)  # (T, K)
        means = span_means(padded[:-1, 7], states.spans[:, :2]) + span_means(
            padded[:-1, 8], states.spans[:, 2:]
        )
        offsets = torch.arange(self.config.features) * self.config.feature_values
        shape = self.features(states.features + offsets).sum(1)  # (T, K)
        hidden = self.dropout(functional.relu(gathered + means + shape))
        inner = self.dropout(functional.relu(self.inner(hidden)))  # (T, I)
        relations = self.relations(inner).view(len(inner), 3, -1)
        return StateScores(
            actions=self.actions(inner),
            nuclearities=functional.log_softmax(self.nuclearities(inner), -1),
            relations=functional.log_softmax(relations, -1),
        )


def span_means(vectors: Tensor, spans: Tensor) -> Tensor:
    """Average rows (N, K) over half-open spans (T, 2); an empty span gives zeros."""
    sums = functional.pad(vectors.cumsum(0), (0, 0, 1, 0))  # (N + 1, K)
    lengths = (spans[:, 1] - spans[:, 0]).clamp(min=1)[:, None]
    return (sums[spans[:, 1]] - sums[spans[:, 0]]) / lengths


@dataclass(frozen=True, slots=True)
class StateTargets:
    """Targets of each state."""

    legal: Tensor
    """(T, 2) bool."""
    allowed: Tensor
    """(T, 2) bool: actions after which the best tree is still reachable."""
    nuclearity: Tensor
    """(T): class, or -1 where the state is not reduced to a gold span."""
    relation: Tensor
    """(T): class, or -1 where unknown."""


def parser_loss(scores: StateScores, targets: StateTargets) -> Tensor:
    """Negative log-likelihood of allowed actions and of gold labels, each averaged."""
    masked = scores.actions.masked_fill(~targets.legal, float("-inf"))
    log_actions = functional.log_softmax(masked, -1)
    free = targets.legal.all(-1) & ~targets.allowed.all(-1)  # states with a real choice
    good = log_actions.masked_fill(~targets.allowed, float("-inf"))[free].logsumexp(-1)
    total = -good.sum() / max(len(good), 1)
    labelled = targets.nuclearity >= 0
    nuclearity = targets.nuclearity[labelled]
    total = total + functional.nll_loss(
        scores.nuclearities[labelled], nuclearity, reduction="sum"
    ) / max(len(nuclearity), 1)
    related = targets.relation >= 0
    rows = scores.relations[related, targets.nuclearity[related]]  # (T', R)
    relation_loss = functional.nll_loss(rows, targets.relation[related], reduction="sum")
    return total + relation_loss / max(int(related.sum()), 1)


def mean_scores(parsers: Sequence[StateScores]) -> StateScores:
    """Average the scores of several parsers for the same states, as decoding does."""
    actions, nuclearities, relations = (
        torch.stack([getattr(scores, name) for scores in parsers]).mean(0)
        for name in ("actions", "nuclearities", "relations")
    )
    return StateScores(
        actions=actions,
        nuclearities=functional.log_softmax(nuclearities, -1),
        relations=functional.log_softmax(relations, -1),
    )


def distillation_loss(scores: StateScores, teacher: StateScores, legal: Tensor) -> Tensor:
    """Cross entropy to a teacher's distributions, averaged over the states with a real choice."""
    free, reducible = legal.all(-1), legal[:, 1]
    wanted = teacher.actions[free].softmax(-1)
    total = _cross_entropy(wanted, scores.actions[free].log_softmax(-1))
    nuclearities = teacher.nuclearities[reducible].exp()  # (T', 3)
    total = total + _cross_entropy(nuclearities, scores.nuclearities[reducible])
    both = nuclearities[..., None] * teacher.relations[reducible].exp()  # (T', 3, R)
    return total + _cross_entropy(both, scores.relations[reducible])


def _cross_entropy(wanted: Tensor, log_probabilities: Tensor) -> Tensor:
    return -(wanted * log_probabilities).sum() / max(len(wanted), 1)
