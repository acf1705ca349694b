"""Training of the dependency parser."""

import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
import torch
from torch import Tensor
from torch.nn.functional import cross_entropy

from discobert.analyser.syntax import PARTS_OF_SPEECH
from discobert.nn.cuts import DependencyNet, DependencyScores
from discobert.train.core.loop import ParameterGroup
from discobert.train.core.small_loop import SmallStep, optimise
from discobert.train.cuts.settings import CutTraining
from discobert.train.cuts.syntax_data import ROOT, UNKNOWN, GoldSyntax

logger = logging.getLogger(__name__)
_JITTER = 3
"""Words by which the order of lengths is shuffled, so that batches differ from epoch to epoch."""
_PUNCTUATION = PARTS_OF_SPEECH.index("PUNCT")


@dataclass(frozen=True, slots=True)
class _Batch:
    """Padded sentences."""

    words: Tensor
    heads: Tensor
    """Place of each head; the root is the place after the last word."""
    relations: Tensor
    upos: Tensor
    mask: Tensor
    known: Tensor
    """Words whose head is known."""


@dataclass(frozen=True, slots=True)
class DependencyAccuracy:
    """Shares of words, punctuation left out, that are read right."""

    upos: float
    unlabelled: float
    labelled: float


def train_dependency_parser(
    training: CutTraining, sentences: Sequence[GoldSyntax], dev: Sequence[GoldSyntax]
) -> tuple[DependencyNet, DependencyAccuracy | None]:
    """Train a parser; without dev sentences it is not scored."""
    torch.manual_seed(training.seed)
    rng = np.random.default_rng(training.seed)
    short = [one for one in sentences if len(one.words) <= training.longest_sentence]
    net = DependencyNet(
        short[0].words.shape[1],
        hidden=training.parser_hidden,
        arcs=training.parser_arcs,
        dropout=training.parser_dropout,
    )
    size = training.words_per_step
    total = training.parser_epochs * sum(1 for _ in _groups(short, size, rng))
    scores: list[DependencyAccuracy] = []

    def steps() -> Iterator[SmallStep]:
        step = 0
        for epoch in range(training.parser_epochs):
            net.train()
            for group in _groups(short, size, rng):
                share = min(1, (step + 1) / training.warmup_steps) * max(0.0, 1 - step / total)
                batch = _padded([short[place] for place in group])
                yield SmallStep(share, partial(dependency_loss, net, batch))
                step += 1
            if dev:
                scores.append(score_dependencies(net, dev, size))
                logger.info("dependency parser, epoch %d: %s", epoch + 1, scores[-1])

    parameters = ParameterGroup(tuple(net.parameters()), training.parser_rate)
    optimise([parameters], steps(), weight_decay=training.parser_weight_decay)
    return net.eval(), scores[-1] if scores else None


def _groups(
    sentences: Sequence[GoldSyntax], size: int, rng: np.random.Generator | None
) -> Iterator[list[int]]:
    """Yield batches of sentences of similar length, of about ``size`` words with padding."""
    lengths = np.array([len(one.words) for one in sentences], dtype=np.float64)
    if rng is not None:
        lengths += rng.random(len(lengths)) * _JITTER
    groups: list[list[int]] = [[]]
    for place in np.argsort(lengths, kind="stable").tolist():
        groups[-1].append(place)
        if len(groups[-1]) * len(sentences[place].words) >= size:
            groups.append([])
    filled = [group for group in groups if group]
    order = range(len(filled)) if rng is None else rng.permutation(len(filled)).tolist()
    return (filled[number] for number in order)


def _padded(sentences: Sequence[GoldSyntax]) -> _Batch:
    shape = (len(sentences), max(len(one.words) for one in sentences))
    words = np.zeros((*shape, sentences[0].words.shape[1]), dtype=np.float32)
    heads = np.full(shape, UNKNOWN)
    relations, upos = np.zeros(shape, dtype=np.int64), np.zeros(shape, dtype=np.int64)
    mask = np.zeros(shape, dtype=np.bool_)
    for row, one in enumerate(sentences):
        size = len(one.words)
        words[row, :size], heads[row, :size] = one.words, one.heads
        relations[row, :size], upos[row, :size], mask[row, :size] = one.relations, one.upos, True
    known = heads > UNKNOWN
    heads[heads == ROOT] = shape[1]
    arrays = (words, heads, relations, upos, mask, known)
    return _Batch(*map(torch.from_numpy, arrays))


def dependency_loss(net: DependencyNet, batch: _Batch) -> Tensor:
    """Sum the losses of the three questions."""
    scores: DependencyScores = net(batch.words, batch.mask)
    known = batch.known
    return (
        cross_entropy(scores.upos[batch.mask], batch.upos[batch.mask])
        + cross_entropy(scores.relations[known], batch.relations[known])
        + cross_entropy(scores.heads[known], batch.heads[known])
    )


def score_dependencies(
    net: DependencyNet, sentences: Sequence[GoldSyntax], size: int = 3000
) -> DependencyAccuracy:
    """Count what is read right."""
    net.eval()
    counts = np.zeros(4)
    for group in _groups(sentences, size, None):
        batch = _padded([sentences[place] for place in group])
        with torch.no_grad():
            scores: DependencyScores = net(batch.words, batch.mask)
        counted = batch.known & (batch.upos != _PUNCTUATION)
        heads = scores.heads.argmax(-1) == batch.heads
        relations = scores.relations.argmax(-1) == batch.relations
        upos = scores.upos.argmax(-1) == batch.upos
        flags = (counted, counted & upos, counted & heads, counted & heads & relations)
        counts += [int(flag.sum()) for flag in flags]
    upos_share, unlabelled, labelled = (counts[1:] / max(counts[0], 1)).tolist()
    return DependencyAccuracy(upos_share, unlabelled, labelled)
