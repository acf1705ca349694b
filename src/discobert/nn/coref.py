"""The coreference network: mentions by their first and last word, links by bilinear scores.

W words, M candidate mentions in reading order, H encoder width, D head width.
(After Kirstain et al., 2021: no span vectors, so that long documents stay cheap.)
"""

from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional


@dataclass(frozen=True, slots=True, kw_only=True)
class CorefConfig:
    """Widths and limits of the coreference head."""

    width: int = 256
    kinds: int = 16
    """Classes of mentions (pronouns, names, …)."""
    distances: int = 12
    matches: int = 4
    dropout: float = 0.25


class WordProjection(nn.Module):
    """Projects word vectors for one scorer."""

    def __init__(self, hidden: int, config: CorefConfig) -> None:
        super().__init__()
        self.project = nn.Linear(hidden, config.width)
        self.norm = nn.LayerNorm(config.width)
        self.dropout = nn.Dropout(config.dropout)

    def forward(self, words: Tensor) -> Tensor:
        """Project (W, H) to (W, D)."""
        projected: Tensor = self.dropout(self.norm(functional.gelu(self.project(words))))
        return projected


class MentionScorer(nn.Module):
    """Scores spans of words as mentions by their first and last word."""

    def __init__(self, hidden: int, config: CorefConfig) -> None:
        super().__init__()
        self.starts = WordProjection(hidden, config)
        self.ends = WordProjection(hidden, config)
        self.start_score = nn.Linear(config.width, 1)
        self.end_score = nn.Linear(config.width, 1)
        self.both = nn.Linear(config.width, config.width, bias=False)
        self.lengths = nn.Embedding(32, 1)

    def forward(self, words: Tensor, firsts: Tensor, lasts: Tensor) -> Tensor:
        """Score spans (S) of words (W, H) given by their first and last word."""
        starts, ends = self.starts(words), self.ends(words)  # (W, D)
        pair = (self.both(starts)[firsts] * ends[lasts]).sum(-1)  # (S)
        scores: Tensor = (
            pair / starts.shape[-1] ** 0.5
            + self.start_score(starts).squeeze(-1)[firsts]
            + self.end_score(ends).squeeze(-1)[lasts]
            + self.lengths(lasts - firsts).squeeze(-1)
        )
        return scores


class LinkScorer(nn.Module):
    """Scores each mention against earlier ones: four bilinear terms and classes of the pair."""

    def __init__(self, hidden: int, config: CorefConfig) -> None:
        super().__init__()
        self.starts = WordProjection(hidden, config)
        self.ends = WordProjection(hidden, config)
        self.later = nn.Linear(2 * config.width, 2 * config.width)
        self.kinds = nn.Embedding(config.kinds * config.kinds, 1)
        self.distances = nn.Embedding(config.distances * config.kinds, 1)
        self.matches = nn.Embedding(config.matches * config.kinds, 1)
        for table in (self.kinds, self.distances, self.matches):
            nn.init.zeros_(table.weight)

    def forward(self, words: Tensor, firsts: Tensor, lasts: Tensor, pairs: "PairClasses") -> Tensor:
        """Return link scores (M, M): row = later mention, column = earlier one."""
        mentions = torch.cat([self.starts(words)[firsts], self.ends(words)[lasts]], -1)  # (M, 2 D)
        scores: Tensor = self.later(mentions) @ mentions.T / mentions.shape[-1] ** 0.5  # (M, M)
        for table, classes in (
            (self.kinds, pairs.kinds),
            (self.distances, pairs.distances),
            (self.matches, pairs.matches),
        ):
            scores = scores + table(classes).squeeze(-1)
        return scores


@dataclass(frozen=True, slots=True)
class PairClasses:
    """Classes of every pair of candidate mentions, each (M, M)."""

    kinds: Tensor
    distances: Tensor
    matches: Tensor


def link_loss(links: Tensor, mention_scores: Tensor, clusters: Tensor) -> Tensor:
    """Negative log-likelihood of any right antecedent; ``clusters`` (M) is -1 for none."""
    total = links + mention_scores[:, None] + mention_scores[None, :]
    earlier = torch.ones_like(total, dtype=torch.bool).tril(-1)
    total = total.masked_fill(~earlier, float("-inf"))
    with_none = torch.cat([total.new_zeros(len(total), 1), total], 1)  # (M, M + 1)
    right = (clusters[:, None] == clusters[None, :]) & (clusters >= 0)[:, None] & earlier
    none = ~right.any(1, keepdim=True)
    gold = with_none.masked_fill(~torch.cat([none, right], 1), float("-inf"))
    return (with_none.logsumexp(1) - gold.logsumexp(1)).mean()
