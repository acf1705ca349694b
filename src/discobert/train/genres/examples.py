"""Inputs and targets of the heads for texts that are no news.

N sentences, I width of what the heads read, H width of vectors of pieces.
"""

import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from discobert.metrics.rouge import reference_of, rouge
from discobert.runtime.tensors import Array, read_tensors
from discobert.scorer.genre_network import genre_inputs
from discobert.scorer.load import SENTENCE_WEIGHTS
from discobert.scorer.sentence_network import SentenceNetwork
from discobert.store.bundle import Bundle
from discobert.store.corpora.extracts import extract_texts, read_extracts
from discobert.store.treebanks.gum import read_gum
from discobert.store.treebanks.gum_summaries import read_gum_summaries
from discobert.train.sentences.extracts import (
    ExtractDocument,
    extract_document,
    extract_layout,
)
from discobert.train.sentences.vectors import SentenceEncoder

logger = logging.getLogger(__name__)

NEWS = "news"
"""Genre of GUM whose texts count as news."""
FURTHER_NEWS = "train-4.jsonl.xz"
"""Articles of configs/news-extracts.jsonl.xz."""


@dataclass(frozen=True, slots=True)
class GenreExample:
    """One text: the inputs of its sentences, and what is known of them."""

    id: str
    is_news: bool
    is_dev: bool
    inputs: Array
    """What the heads read, (N, I)."""
    means: Array
    """Means of the pieces of each sentence, (N, H)."""
    extract: ExtractDocument | None = None
    """An editor's choice, if there is one."""
    gain: Array | None = None
    """Mean ROUGE-1 + ROUGE-2 of each sentence alone, if there are reference summaries; (N)."""


@dataclass(frozen=True)
class ExampleReader:
    """Reads texts and runs a bundle's encoder and sentence network over them."""

    encoder: SentenceEncoder
    network: SentenceNetwork

    @classmethod
    def of(cls, bundle: Bundle) -> "ExampleReader":
        """Load a bundle's networks."""
        network = SentenceNetwork.of(read_tensors(bundle.read(SENTENCE_WEIGHTS)))
        return cls(SentenceEncoder.of(bundle), network)

    def extracts(self, files: Sequence[Path], data: Path) -> Iterator[GenreExample]:
        """Yield the extracts of some files; ``data`` holds the corpora that have their texts."""
        for path in files:
            extracts = read_extracts(path)
            texts = extract_texts(
                path,
                extracts,
                gum=data / "gum" / "gum_v11.jsonl.xz",
                amalgum=data / "amalgum" / "amalgum_v02_silver.jsonl.xz",
                articles=_articles(data / "cnndm"),
            )
            for extract in extracts:
                text = texts[extract.id]
                document = extract_document(extract, text, self.encoder)
                layout = extract_layout(text, extract.spans)
                sentences = [span.of(text) for span in extract.spans]
                yield GenreExample(
                    id=extract.id,
                    is_news=extract.is_news,
                    is_dev=extract.split != "train",
                    inputs=self._inputs(
                        document.attended, document.mean, sentences, layout.paragraphs
                    ),
                    means=document.mean,
                    extract=document,
                )
            logger.info("read %d extracts of %s", len(extracts), path)

    def summaries(self, gum: Path) -> Iterator[GenreExample]:
        """Yield the texts of GUM with their human summaries, but for NC licences and test."""
        summaries = read_gum_summaries(gum)
        for gold in read_gum(gum):
            if gold.split == "test" or (gold.non_commercial and gold.split == "train"):
                continue
            if not summaries[gold.id]:
                continue
            layout = self.encoder.split(gold.text, max_words=len(gold.text.split()) + 1)
            vectors = self.encoder.encode(gold.text, layout)
            if vectors is None:
                continue
            attended, mean = (rows.astype(np.float32) for rows in (vectors.attended, vectors.mean))
            sentences = [span.of(gold.text) for span in layout.sentences]
            yield GenreExample(
                id=gold.id,
                is_news=gold.genre == NEWS,
                is_dev=gold.split != "train",
                inputs=self._inputs(attended, mean, sentences, layout.paragraphs),
                means=mean,
                gain=_gains(sentences, summaries[gold.id]),
            )

    def _inputs(
        self, attended: Array, mean: Array, sentences: Sequence[str], paragraphs: Sequence[int]
    ) -> Array:
        outputs = self.network(attended, mean, sentences, paragraphs)
        return genre_inputs(outputs.inputs, mean, sentences)


def _articles(folder: Path) -> list[Path]:
    """Return the files with the texts of extracts from news; further ones may be missing."""
    further = folder / FURTHER_NEWS
    return [folder / "train-7.jsonl.xz", *([further] if further.exists() else [])]


def _gains(sentences: Sequence[str], summaries: Sequence[str]) -> Array:
    references = [reference_of([summary]) for summary in summaries]
    found = []
    for sentence in sentences:
        scores = [rouge(reference, [" ".join(sentence.split())]) for reference in references]
        found.append(np.mean([score.rouge1.f1 + score.rouge2.f1 for score in scores]))
    return np.array(found, dtype=np.float32)
