"""Ranking of candidate summaries of a document, which differ in units and in length.

T units, C candidates of all documents, S units of all candidates one after another, D width.
"""

from dataclasses import dataclass, fields

import torch
from torch import Tensor, nn
from torch.nn import functional

from discobert.nn.spans import segment_mean, segment_sum

N_CANDIDATE_FEATURES = 4
"""Log words, units, mean and sum of the units' probabilities."""


@dataclass(frozen=True, slots=True)
class CandidateSummaries:
    """Candidate summaries of all documents of a batch."""

    units: Tensor
    """Units of all candidates: (S)."""
    owners: Tensor
    """Candidate of each of these: (S)."""
    documents: Tensor
    """Document of each candidate: (C)."""
    words: Tensor
    """Words of each candidate: (C)."""
    rouge: Tensor
    """ROUGE of each candidate: (C)."""

    def to(self, device: torch.device) -> "CandidateSummaries":
        """Move every tensor."""
        return CandidateSummaries(*(getattr(self, part.name).to(device) for part in fields(self)))


class Ranker(nn.Module):
    """Compares the mean of a candidate's units with the mean of its document's."""

    def __init__(self, width: int, *, hidden: int = 128) -> None:
        super().__init__()
        self.candidate = nn.Linear(width, hidden)
        self.document = nn.Linear(width, hidden)
        self.facts = nn.Linear(N_CANDIDATE_FEATURES, hidden)
        self.inner = nn.Linear(2 * hidden, hidden)
        self.score = nn.Linear(hidden, 1)

    def forward(
        self, states: Tensor, logits: Tensor, documents: Tensor, of: CandidateSummaries
    ) -> Tensor:
        """Score candidates (C) given states (T, D), logits (T) and documents (T) of units."""
        n_candidates, n_documents = len(of.documents), int(documents[-1]) + 1
        chosen = segment_mean(states.index_select(0, of.units), of.owners, n_candidates)  # (C, D)
        whole = segment_mean(states, documents, n_documents)[of.documents]  # (C, D)
        left, right = self.candidate(chosen), self.document(whole)  # (C, K)
        features = self.facts(candidate_features(logits.detach(), of))  # (C, K)
        inner = functional.relu(self.inner(torch.cat([left * right, left + right + features], -1)))
        scores: Tensor = self.score(inner).squeeze(-1)
        return scores


def candidate_features(logits: Tensor, of: CandidateSummaries) -> Tensor:
    """Compute features from the length and the units' probabilities of candidates: (C, 4)."""
    n_candidates = len(of.documents)
    probabilities = torch.sigmoid(logits)[of.units]  # (S)
    sums = segment_sum(probabilities, of.owners, n_candidates)  # (C)
    counts = torch.bincount(of.owners, minlength=n_candidates)  # (C)
    columns = (
        torch.log1p(of.words) / 4,
        counts / 10,
        sums / counts.clamp(min=1),
        sums / 4,
    )
    return torch.stack(columns, -1)


def margin_loss(scores: Tensor, of: CandidateSummaries, *, margin: float) -> Tensor:
    """Margin ranking loss: of two candidates, the better one scores higher by a margin a rank."""
    same = of.documents[:, None] == of.documents[None, :]  # (C, C)
    better = same & (of.rouge[:, None] > of.rouge[None, :])  # row beats column
    ranks = better.T.sum(1)  # (C): how many beat it
    wanted = margin * (ranks[None, :] - ranks[:, None])  # (C, C)
    short = functional.relu(scores[None, :] - scores[:, None] + wanted)
    return (short * better).sum() / better.sum().clamp(min=1)
