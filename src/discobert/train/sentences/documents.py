"""Documents of the sentence network's training, and batches of them."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from discobert.runtime.pieces import IntArray
from discobert.runtime.tensors import Array
from discobert.scorer.sentence_network import NeverModel, sentence_inputs
from discobert.train.core.batches import PlannedBatch
from discobert.train.sentences.settings import SentenceTraining
from discobert.train.sentences.vectors import ArticleFile, Arrays, Halves

POOL = 100
"""Batches' worth of documents that are sorted by length together."""
JITTER = 4
"""Sentences by which documents of a batch may differ at random."""


@dataclass(frozen=True, slots=True)
class Targets:
    """What is known of the sentences of one article from its reference."""

    order: NDArray[np.uint8]
    """Place in the greedy extract, from 1; 0 for sentences outside."""
    gain: Array
    """ROUGE of each sentence alone, relative to the best one."""
    tokens: Array
    counts: NDArray[np.uint8]
    """N-grams of the reference in each sentence."""
    wanted: Array
    """Counts of these n-grams in the reference."""
    n_unigrams: int
    reference_length: int


@dataclass(frozen=True, slots=True)
class TrainingDocument:
    """The inputs and targets of one article."""

    line: int
    rows: Halves
    places: IntArray
    spans: IntArray
    targets: Targets

    def __len__(self) -> int:
        return len(self.rows)

    def first(self, n: int) -> "TrainingDocument":
        """Return the document with its first sentences alone."""
        targets = replace(
            self.targets,
            order=self.targets.order[:n],
            gain=self.targets.gain[:n],
            tokens=self.targets.tokens[:n],
            counts=self.targets.counts[:n],
        )
        return TrainingDocument(
            self.line, self.rows[:n], self.places[:n], self.spans[:n], targets
        )


@dataclass(frozen=True, slots=True)
class SentenceBatch:
    """Padded inputs of some documents."""

    rows: Tensor
    places: Tensor
    lengths: Tensor

    @property
    def mask(self) -> Tensor:
        """1 for sentences, 0 for padding, (B, T)."""
        return (torch.arange(self.rows.shape[1])[None] < self.lengths[:, None]).float()


def read_documents(
    file: ArticleFile, never: NeverModel, config: SentenceTraining
) -> Iterator[TrainingDocument]:
    """Yield the documents of all shards of a file."""
    for start in file.starts():
        if file.shard(start).is_file():
            with np.load(file.shard(start)) as vectors, np.load(file.labels(start)) as labels:
                found = _shard_documents(dict(vectors), dict(labels), never, config)
                yield from (document for document in found if document.line < file.end)


def _shard_documents(
    vectors: Arrays, labels: Arrays, never: NeverModel, config: SentenceTraining
) -> Iterator[TrainingDocument]:
    sentence = count = gram = 0
    for line, shape in zip(vectors["line"].tolist(), labels["shape"].tolist(), strict=True):
        n, n_grams, n_unigrams, reference_length = shape
        surface = labels["feat"][sentence : sentence + n].astype(np.float32)
        read = slice(sentence, sentence + _n_read(surface, config))
        alone = labels["alone"][read].astype(np.float32)
        counts = labels["counts"][count : count + n * n_grams].reshape(n, n_grams)
        targets = Targets(
            labels["order"][read].astype(np.uint8),
            alone / max(float(alone.max()), 1e-6),
            labels["tlen"][read].astype(np.float32),
            counts[: len(alone)].astype(np.uint8),
            labels["wanted"][gram : gram + n_grams].astype(np.float32),
            n_unigrams,
            reference_length,
        )
        attended, mean = (vectors[name][read].astype(np.float32) for name in ("a", "m"))
        # The model of furniture sees the whole article, the network its first sentences.
        furniture = never(surface)[: len(alone)]
        inputs = sentence_inputs(attended, mean, surface[: len(alone)], furniture)
        spans = vectors["spans"][read].astype(np.int32)
        rows = inputs.rows.astype(np.float16)
        yield TrainingDocument(line, rows, inputs.places, spans, targets)
        sentence, count, gram = sentence + n, count + n * n_grams, gram + n_grams


def _n_read(surface: Array, config: SentenceTraining) -> int:
    """Return how many sentences of an article are read."""
    words = np.cumsum(np.expm1(surface[:, 0]).round())
    wanted = int(np.searchsorted(words, config.max_words)) + 1
    return min(len(surface), wanted, config.longest)


def join(documents: Sequence[TrainingDocument]) -> SentenceBatch:
    """Pad documents to the longest."""
    lengths = [len(document) for document in documents]
    shape = (len(documents), max(lengths))
    rows = torch.zeros(*shape, documents[0].rows.shape[1])
    places = torch.zeros(*shape, dtype=torch.long)
    for index, document in enumerate(documents):
        rows[index, : len(document)] = torch.from_numpy(document.rows).float()
        places[index, : len(document)] = torch.from_numpy(document.places).long()
    return SentenceBatch(rows, places, torch.tensor(lengths))


@dataclass(frozen=True, slots=True)
class StepPlan:
    """A given number of batches of as many documents of similar lengths, epoch after epoch."""

    lengths: Sequence[int]
    size: int
    steps: int
    seed: int

    @property
    def n_documents(self) -> int:
        """Documents of the run."""
        return self.steps * self.size

    def __iter__(self) -> Iterator[PlannedBatch]:
        step = epoch = 0
        while step < self.steps:
            rng = random.Random(f"sentences {self.seed} {epoch}")
            for documents in self._epoch(rng)[: self.steps - step]:
                yield PlannedBatch(epoch, documents, step * self.size)
                step += 1
            epoch += 1

    def _epoch(self, rng: random.Random) -> list[tuple[int, ...]]:
        order = list(range(len(self.lengths)))
        rng.shuffle(order)
        batches = []
        for start in range(0, len(order), POOL * self.size):
            pool = order[start : start + POOL * self.size]
            keys = {index: self.lengths[index] + JITTER * rng.random() for index in pool}
            pool.sort(key=keys.__getitem__)
            batches += [
                tuple(pool[low : low + self.size]) for low in range(0, len(pool), self.size)
            ]
        rng.shuffle(batches)
        return batches
