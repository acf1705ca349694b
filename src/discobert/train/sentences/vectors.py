"""Vectors of sentences by the bundle's encoder, kept in shards of 500 articles.

A file ``train-0.jsonl.xz`` has its shards in the folder ``train-0`` of the cache, each named after
the first of its lines: ``line`` and ``n`` sentences of each article; ``spans``, ``par`` (opens a
paragraph), ``a`` (SpanExt) and ``m`` (mean of the pieces) of each sentence.
"""

import io
import logging
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from discobert.analyser.load import neural_analyser
from discobert.analyser.neural import NeuralAnalyser
from discobert.data.document import SentenceLayout
from discobert.errors import ConfigError
from discobert.language.boilerplate import Boilerplate
from discobert.runtime.encoder import UpperLayers
from discobert.runtime.onnx_model import OnnxModel
from discobert.runtime.pieces import lay_out, mean_pieces, piece_ranges
from discobert.runtime.tensors import read_tensors
from discobert.scorer.graph_layers import SpanExtractor
from discobert.scorer.load import BRANCH, SECTION, WEIGHTS
from discobert.store.bundle import Bundle
from discobert.store.corpora.articles import Article
from discobert.store.corpora.sources import CorpusKind, Source, read_entries
from discobert.store.files import write_whole
from discobert.store.jsonl import read_lines
from discobert.train.core.workers import map_in_order

logger = logging.getLogger(__name__)

SHARD = 500
Halves = NDArray[np.float16]
Arrays = Mapping[str, NDArray[np.generic]]


@dataclass(frozen=True, slots=True)
class SentenceVectors:
    """The sentences of one text with the vectors of their pieces."""

    layout: SentenceLayout
    attended: Halves
    mean: Halves

    @property
    def opens(self) -> NDArray[np.bool_]:
        """Which sentences open a paragraph."""
        return np.isin(np.arange(len(self.layout.sentences)), self.layout.paragraphs)


@dataclass(frozen=True)
class SentenceEncoder:
    """The lower layers of a bundle, the upper layers of its summariser, and SpanExt."""

    analyser: NeuralAnalyser = field(repr=False)
    upper: UpperLayers = field(repr=False)
    spans: SpanExtractor = field(repr=False)

    @classmethod
    def of(cls, bundle: Bundle) -> "SentenceEncoder":
        """Load a bundle's networks."""
        found = bundle.settings.get(SECTION)
        if not isinstance(found, dict) or found["encoder"] != "shared":
            raise ConfigError(
                f"{bundle.path}: has no summariser that shares its encoder with the analyser"
            )
        sizes = int(str(found["max_pieces"])), int(str(found["overlap"]))
        return cls(
            neural_analyser(bundle.read, bundle.settings),
            UpperLayers(OnnxModel(bundle.read(BRANCH)), *sizes),
            SpanExtractor.of(read_tensors(bundle.read(WEIGHTS))),
        )

    def split(self, text: str, *, max_words: int) -> SentenceLayout:
        """Return the first sentences of a text, up to the one that exceeds a number of words."""
        layout = self.analyser.splitter.split(text)
        counts = np.cumsum([len(span.of(text).split()) for span in layout.sentences])
        n = min(int(np.searchsorted(counts, max_words)) + 1, len(layout.sentences))
        return SentenceLayout(
            layout.sentences[:n], tuple(start for start in layout.paragraphs if start < n)
        )

    def encode(self, text: str, layout: SentenceLayout) -> SentenceVectors | None:
        """Encode the given sentences; none if the vocabulary has none of their characters."""
        pieces = lay_out(self.analyser.tokenizer, text, layout)
        if not pieces.n_words:
            return None
        vectors = self.upper.vectors(pieces, self.analyser.lower.vectors(pieces))
        ranges = piece_ranges(pieces, layout.sentences)
        return SentenceVectors(
            layout,
            self.spans(vectors, ranges).astype(np.float16),
            mean_pieces(vectors, ranges).astype(np.float16),
        )


@dataclass(frozen=True, slots=True)
class ArticleFile:
    """Some lines of a file of articles, and the folder of its shards."""

    path: Path
    folder: Path
    first: int
    end: int

    @classmethod
    def of(
        cls, path: Path, cache: Path, *, first: int = 0, end: int | None = None
    ) -> "ArticleFile":
        """Count the lines of a file as far as ``end``."""
        name = path.name.split(".")[0]
        n_lines = sum(1 for _ in islice(read_lines(path), end))
        return cls(path, cache / name, first, n_lines)

    def starts(self) -> list[int]:
        """Return the first line of each shard."""
        return list(range(self.first, self.end, SHARD))

    def shard(self, start: int) -> Path:
        """Return the path of a shard of vectors."""
        return self.folder / f"{start:06d}.npz"

    def labels(self, start: int) -> Path:
        """Return the path of the labels beside a shard of vectors."""
        return self.folder / f"{start:06d}.labels.npz"

    def articles(self, first: int = 0) -> Iterator[tuple[int, Article]]:
        """Yield the articles from a line on, without boilerplate."""
        source = Source(kind=CorpusKind.CNNDM_JSONL, path=self.path, boilerplate=Boilerplate.DROP)
        for line, located in enumerate(islice(read_entries(source), self.end)):
            if line >= max(first, self.first) and isinstance(located.entry, Article):
                yield line, located.entry

    def in_shards(
        self, wanted: Callable[[int], bool]
    ) -> Iterator[tuple[int, list[tuple[int, Article]]]]:
        """Yield the articles of wanted shards, read in one pass."""
        starts = [start for start in self.starts() if wanted(start)]
        if not starts:
            return
        kept: dict[int, list[tuple[int, Article]]] = {start: [] for start in starts}
        for line, article in self.articles(starts[0]):
            start = self.first + (line - self.first) // SHARD * SHARD
            for done in [other for other in kept if other < start]:
                yield done, kept.pop(done)
            if start in kept:
                kept[start].append((line, article))
            if not kept:
                return
        yield from kept.items()


def encode_missing(file: ArticleFile, encoder: SentenceEncoder, *, max_words: int) -> None:
    """Encode the shards that the cache does not have."""

    def encode(located: tuple[int, Article]) -> tuple[int, SentenceVectors | None]:
        line, article = located
        return line, encoder.encode(article.text, encoder.split(article.text, max_words=max_words))

    for start, articles in file.in_shards(lambda start: not file.shard(start).is_file()):
        found = map_in_order(encode, articles)
        rows = [(line, vectors) for line, vectors in found if vectors is not None]
        if rows:
            write_arrays(file.shard(start), _shard(rows))
            logger.info("encoded %s: %d articles", file.shard(start), len(rows))


def _shard(rows: list[tuple[int, SentenceVectors]]) -> Arrays:
    texts = [vectors for _, vectors in rows]
    spans = [(span.start, span.end) for vectors in texts for span in vectors.layout.sentences]
    return {
        "line": np.array([line for line, _ in rows]),
        "n": np.array([len(vectors.attended) for vectors in texts]),
        "spans": np.array(spans, dtype=np.int32),
        "par": np.concatenate([vectors.opens for vectors in texts]),
        "a": np.concatenate([vectors.attended for vectors in texts]),
        "m": np.concatenate([vectors.mean for vectors in texts]),
    }


def write_arrays(path: Path, arrays: Arrays) -> None:
    """Write an ``.npz`` file, whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    content = io.BytesIO()
    np.savez(content, **arrays)  # type: ignore[arg-type]
    write_whole(path, content.getvalue())
