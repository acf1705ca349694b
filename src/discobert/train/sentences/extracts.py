"""Vectors, features and targets of editors' extracts."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from discobert.data.document import SentenceLayout, Span
from discobert.errors import InputError
from discobert.runtime.tensors import Array
from discobert.scorer.sentence_features import surface_features
from discobert.store.corpora.extracts import Extract, extract_texts, read_extracts
from discobert.train.sentences.vectors import SentenceEncoder, SentenceVectors, write_arrays

TRAIN = "train"
MORE = 0.5
"""Target of sentences that only a longer summary has."""


@dataclass(frozen=True, slots=True)
class ExtractDocument:
    """The vectors, features and targets of an editor's extract."""

    extract: Extract
    attended: Array
    mean: Array
    surface: Array

    def __len__(self) -> int:
        return len(self.surface)

    @property
    def choice(self) -> Array:
        """1 for the best sentences, a half for further ones, else 0."""
        targets = self._marked(self.extract.more) * np.float32(MORE)
        choice: Array = np.maximum(targets, self._marked(self.extract.best))
        return choice

    @property
    def never(self) -> Array:
        """1 for furniture, else 0."""
        return self._marked(self.extract.never)

    @property
    def shares(self) -> Array:
        """Share of each best sentence in the characters of all of them."""
        lengths = np.array([span.end - span.start for span in self.extract.spans])
        chosen = self._marked(self.extract.best) * lengths
        shares: Array = (chosen / max(float(chosen.sum()), 1.0)).astype(np.float32)
        return shares

    def _marked(self, indices: Sequence[int]) -> Array:
        return np.isin(np.arange(len(self)), indices).astype(np.float32)


def extract_documents(
    path: Path,
    *,
    gum: Path | None,
    articles: Sequence[Path],
    encoder: SentenceEncoder,
    cache: Path,
) -> list[ExtractDocument]:
    """Read extracts and the texts they name; vectors are kept in the cache."""
    extracts = read_extracts(path)
    texts = extract_texts(path, extracts, gum=gum, articles=articles)
    vectors = _cached_vectors(cache / f"{cache_name(path)}.npz", extracts, texts, encoder)
    bounds = np.cumsum([len(extract.spans) for extract in extracts])[:-1]
    parts = [np.split(rows.astype(np.float32), bounds) for rows in vectors]
    return [
        ExtractDocument(extract, attended, mean, _surface(texts[extract.id], extract.spans))
        for extract, attended, mean in zip(extracts, *parts, strict=True)
    ]


def cache_name(path: Path) -> str:
    """Return the name under which the vectors of a file of extracts are kept."""
    return path.name.split(".")[0]


def extract_document(extract: Extract, text: str, encoder: SentenceEncoder) -> ExtractDocument:
    """Encode the sentences of one extract."""
    vectors = _vectors(extract, text, encoder)
    attended, mean = (rows.astype(np.float32) for rows in (vectors.attended, vectors.mean))
    return ExtractDocument(extract, attended, mean, _surface(text, extract.spans))


def _vectors(extract: Extract, text: str, encoder: SentenceEncoder) -> SentenceVectors:
    vectors = encoder.encode(text, extract_layout(text, extract.spans))
    if vectors is None:
        raise InputError(f"{extract.id}: no word of the text is known to the tokenizer")
    return vectors


def extract_layout(text: str, spans: Sequence[Span]) -> SentenceLayout:
    """Return the sentences of an extract; a line break opens a paragraph."""
    starts = [
        index
        for index, span in enumerate(spans)
        if index == 0 or "\n" in text[spans[index - 1].end : span.start]
    ]
    return SentenceLayout(tuple(spans), tuple(starts))


def _surface(text: str, spans: Sequence[Span]) -> Array:
    layout = extract_layout(text, spans)
    opens = np.isin(np.arange(len(spans)), layout.paragraphs)
    return surface_features([span.of(text) for span in spans], opens)


def _cached_vectors(
    path: Path, extracts: Sequence[Extract], texts: dict[str, str], encoder: SentenceEncoder
) -> tuple[NDArray[np.float16], NDArray[np.float16]]:
    n_sentences = [len(extract.spans) for extract in extracts]
    if path.is_file():
        with np.load(path) as kept:
            if kept["n"].tolist() == n_sentences:
                return kept["a"], kept["m"]
    parts = []
    for extract in extracts:
        vectors = _vectors(extract, texts[extract.id], encoder)
        parts.append((vectors.attended, vectors.mean))
    attended, mean = (np.concatenate(rows) for rows in zip(*parts, strict=True))
    write_arrays(path, {"n": np.array(n_sentences), "a": attended, "m": mean})
    return attended, mean
