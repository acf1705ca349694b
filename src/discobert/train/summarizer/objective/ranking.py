"""Candidate summaries of the documents of a step, scored with ROUGE from n-gram counts."""

from collections.abc import Sequence

import numpy as np
import torch
from numpy.typing import NDArray

from discobert.data.graph import Edge
from discobert.discourse.dependencies import closures
from discobert.nn.ranker import CandidateSummaries
from discobert.selection.paper.ranked import CandidateOptions, GreedyInput, candidate_choices
from discobert.train.summarizer.features.items import Item, RankData

Logits = NDArray[np.float32]


def candidate_units(item: Item, logits: Logits, options: CandidateOptions) -> list[tuple[int, ...]]:
    """List the candidate summaries of one document, given its unit logits."""
    rank = item.rank
    edges = [Edge(dependent, head) for dependent, head in rank.needs.tolist()]
    grams: list[set[object]] = [set() for _ in range(len(logits))]
    for unit, gram in rank.grams.tolist():
        grams[unit].add(gram)
    ground = GreedyInput(
        order=np.argsort(-logits, kind="stable").tolist(),
        closures=closures(len(logits), edges),
        grams=[frozenset(part) for part in grams],
    )
    return [tuple(sorted(reasons)) for reasons in candidate_choices(ground, options)]


def candidate_rouge(rank: RankData, candidates: Sequence[Sequence[int]]) -> NDArray[np.float32]:
    """Return the mean F1 of ROUGE-1 and ROUGE-2 of each; bigrams across units are not counted."""
    shown = np.zeros((len(candidates), len(rank.words)), dtype=np.int64)
    for row, units in enumerate(candidates):
        shown[row, list(units)] = 1
    hits = np.minimum(shown @ rank.counts.astype(np.int64), rank.wanted)
    both = shown @ rank.tokens.astype(np.int64) + rank.reference_tokens
    first = 2 * hits[:, : rank.n_unigrams].sum(1) / np.maximum(both, 1)
    second = 2 * hits[:, rank.n_unigrams :].sum(1) / np.maximum(both - 2, 1)
    both_scores: NDArray[np.float32] = ((first + second) / 2).astype(np.float32)
    return both_scores


def batch_candidates(
    items: Sequence[Item], logits: Sequence[Logits], options: CandidateOptions
) -> CandidateSummaries:
    """List and score the candidates of several documents whose units are joined."""
    units: list[int] = []
    owners: list[int] = []
    documents: list[int] = []
    words: list[int] = []
    rouge: list[NDArray[np.float32]] = []
    start = 0
    for number, (item, scores) in enumerate(zip(items, logits, strict=True)):
        found = candidate_units(item, scores, options)
        for candidate in found:
            units += [start + unit for unit in candidate]
            owners += [len(documents)] * len(candidate)
            documents.append(number)
            words.append(int(item.rank.words[list(candidate)].sum()))
        rouge.append(candidate_rouge(item.rank, found))
        start += len(scores)
    return CandidateSummaries(
        units=torch.tensor(units),
        owners=torch.tensor(owners),
        documents=torch.tensor(documents),
        words=torch.tensor(words, dtype=torch.float32),
        rouge=torch.from_numpy(np.concatenate(rouge)),
    )
