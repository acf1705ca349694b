"""What each stage promises; a single text is a batch of one."""

from collections.abc import Sequence
from typing import Protocol

from discobert.data.coref import Cluster
from discobert.data.document import Document, SentenceLayout
from discobert.data.rst import RstTree
from discobert.data.summary import Analysis, ModelId, Scores


class SentenceSplitter(Protocol):
    """Raw text to sentences and paragraphs, exact offsets."""

    def split(self, text: str) -> SentenceLayout: ...


class Analyser(Protocol):
    """Raw texts to whole analyses."""

    def analyse(self, texts: Sequence[tuple[str, str]]) -> list[Analysis]:
        """Analyse (id, text) pairs; each result depends on its own text alone."""
        ...


class Segmenter(Protocol):
    """Raw texts to documents with sentences, EDUs and subjects."""

    def segment(self, texts: Sequence[tuple[str, str]]) -> list[Document]: ...


class RstParser(Protocol):
    """Documents to RST trees."""

    def parse(self, documents: Sequence[Document]) -> list[RstTree]: ...


class CorefResolver(Protocol):
    """Documents to coreference clusters."""

    def resolve(self, documents: Sequence[Document]) -> list[tuple[Cluster, ...]]: ...


class Scorer(Protocol):
    """Analyses to one score per EDU."""

    model: ModelId

    def score(self, analyses: Sequence[Analysis]) -> list[Scores]: ...
