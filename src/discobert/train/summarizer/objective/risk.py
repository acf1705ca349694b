"""The expected ROUGE of sampled summaries as a loss.

Summaries are decoded from disturbed logits as users' are: units by what they are worth for the
words they bring, closures whole, up to a number of words. N units of a document, S samples.
"""

from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from discobert.data.graph import Edge
from discobert.discourse.dependencies import closures
from discobert.train.summarizer.features.items import RankData
from discobert.train.summarizer.objective.ranking import candidate_rouge

SHARE, POWER = 0.3, 0.3
"""The length normalisation of the decoding (``LengthNormalisation``)."""

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class SampleOptions:
    """How summaries are sampled."""

    n_samples: int = 16
    words: int = 70
    """Most words of a summary."""
    noise: float = 1.0
    """Scale of the Gumbel noise that is added to logits."""


@dataclass(frozen=True, slots=True)
class Sampled:
    """Different summaries of one document, and what they are worth."""

    members: NDArray[np.float32]
    """Which units each one has, (S, N)."""
    rouge: NDArray[np.float32]
    """Mean F1 of ROUGE-1 and ROUGE-2, (S)."""


def sampled_summaries(
    rank: RankData, logits: Tensor, options: SampleOptions, rng: np.random.Generator
) -> Sampled:
    """Sample summaries of one document; the first one is decoded without noise."""
    plain = logits.detach().cpu().numpy().astype(np.float64)
    n_units = len(plain)
    edges = [Edge(dependent, head) for dependent, head in rank.needs.tolist()]
    closed = [list(closure) for closure in closures(n_units, edges)]
    noise = options.noise * rng.gumbel(size=(options.n_samples, n_units))
    noise[0] = 0
    worth = _worth(plain + noise, closed, np.maximum(rank.words, 1).astype(np.float64))
    lengths = rank.words.tolist()
    chosen = {_decoded(row, closed, lengths, options.words) for row in worth}
    candidates = sorted(filter(None, chosen))
    members = np.zeros((len(candidates), n_units), dtype=np.float32)
    for row, units in enumerate(candidates):
        members[row, list(units)] = 1
    rouge = candidate_rouge(rank, candidates) if candidates else np.zeros(0, dtype=np.float32)
    return Sampled(members, rouge)


def _worth(logits: Floats, closed: list[list[int]], words: Floats) -> Floats:
    """Weigh the score of units by what they bring, (S, N)."""
    scores = 1 / (1 + np.exp(-logits))
    brought = np.zeros((len(closed), len(closed)))
    for unit, closure in enumerate(closed):
        brought[unit, closure] = words[closure]
    n_words = brought.sum(1)
    means = scores @ brought.T / n_words
    worth: Floats = ((1 - SHARE) * scores + SHARE * means) / n_words**POWER
    return worth


def _decoded(
    worth: Floats, closed: list[list[int]], lengths: list[int], limit: int
) -> tuple[int, ...]:
    """Take units by worth until the next one does not fit."""
    chosen: set[int] = set()
    n_words = 0
    for unit in np.argsort(-worth, kind="stable").tolist():
        new = [other for other in closed[unit] if other not in chosen]
        n_words += sum(lengths[other] for other in new)
        if n_words > limit:
            break
        chosen.update(new)
    return tuple(sorted(chosen))


def expected_risk(logits: Tensor, sampled: Sampled) -> Tensor:
    """Return minus the expected ROUGE, relative to the mean over the samples.

    The probability of a summary is a softmax over sums of its units' logits.
    """
    if len(sampled.rouge) < 2:
        return 0 * logits.sum()
    members = torch.from_numpy(sampled.members).to(logits.device)
    rouge = torch.from_numpy(sampled.rouge).to(logits.device)
    chances = torch.softmax(members @ logits, 0)
    return -(chances * (rouge - rouge.mean())).sum()
