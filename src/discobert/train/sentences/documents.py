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
from discobert.train.sentences.vectors import Arrays, ArticleFile, Halves

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
        return TrainingDocument(self.line, self.rows[:n], self.places[:n], self.spans[:n], targets)


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
    shapes = labels["shape"].astype(np.int64)
    names = ("order", "alone", "feat", "tlen")
    of_sentences = {name: vectors[name] for name in ("a", "m", "spans")}
    of_sentences |= {name: labels[name] for name in names}
    parts = zip(
        vectors["line"].tolist(),
        shapes.tolist(),
        _split(of_sentences, shapes[:, 0]),
        _split({"counts": labels["counts"]}, shapes[:, 0] * shapes[:, 1]),
        _split({"wanted": labels["wanted"]}, shapes[:, 1]),
        strict=True,
    )
    for line, shape, sentences, counts, wanted in parts:
        n = _n_read(sentences["feat"].astype(np.float32), config)
        targets = _targets({**sentences, **counts, **wanted}, shape, n)
        yield _document(line, sentences, never, targets)


def _split(arrays: Arrays, sizes: NDArray[np.int64]) -> Iterator[Arrays]:
    """Cut arrays over all articles of a shard into those of each article."""
    end = 0
    for size in sizes.tolist():
        start, end = end, end + size
        yield {name: values[start:end] for name, values in arrays.items()}


def _targets(labels: Arrays, shape: Sequence[int], n: int) -> Targets:
    n_sentences, n_grams, n_unigrams, reference_length = shape
    alone = labels["alone"][:n].astype(np.float32)
    counts = labels["counts"].reshape(n_sentences, n_grams)[:n]
    return Targets(
        labels["order"][:n].astype(np.uint8),
        alone / max(float(alone.max()), 1e-6),
        labels["tlen"][:n].astype(np.float32),
        counts.astype(np.uint8),
        labels["wanted"].astype(np.float32),
        n_unigrams,
        reference_length,
    )


def _document(
    line: int, sentences: Arrays, never: NeverModel, targets: Targets
) -> TrainingDocument:
    """Compute the inputs; the model of furniture sees the whole article, the network its start."""
    n = len(targets.order)
    surface = sentences["feat"].astype(np.float32)
    attended, mean = (sentences[name][:n].astype(np.float32) for name in ("a", "m"))
    inputs = sentence_inputs(attended, mean, surface[:n], never(surface)[:n])
    spans = sentences["spans"][:n].astype(np.int32)
    return TrainingDocument(line, inputs.rows.astype(np.float16), inputs.places, spans, targets)


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
