"""What each stage promises; a single text is a batch of one."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from discobert.data.coref import Cluster
from discobert.data.document import Document, SentenceLayout
from discobert.data.rst import RstTree
from discobert.data.summary import Analysis, ModelId, Scores
from discobert.discourse.units import UnitKind
from discobert.selection.select import SelectionOptions


class SentenceSplitter(Protocol):
    """Raw text to sentences and paragraphs, exact offsets."""

    def split(self, text: str) -> SentenceLayout:
        """Cover every non-space character; a paragraph break ends a sentence."""
        ...


class Analyser(Protocol):
    """Raw texts to whole analyses."""

    def analyse(self, texts: Sequence[tuple[str, str]]) -> list[Analysis]:
        """Analyse (id, text) pairs; each result depends on its own text alone."""
        ...


class Segmenter(Protocol):
    """Raw texts to documents with sentences, EDUs and subjects."""

    def segment(self, texts: Sequence[tuple[str, str]]) -> list[Document]:
        """Segment (id, text) pairs."""
        ...


class RstParser(Protocol):
    """Documents to RST trees."""

    def parse(self, documents: Sequence[Document]) -> list[RstTree]:
        """Return one binary tree over all EDUs of each document."""
        ...


class CorefResolver(Protocol):
    """Documents to coreference clusters."""

    def resolve(self, documents: Sequence[Document]) -> list[tuple[Cluster, ...]]:
        """Return the clusters of each document; mentions of one thing alone may be left out."""
        ...


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a judge thinks of one text: a score an EDU, and how to choose when nobody says."""

    scores: Scores
    usual: SelectionOptions


class Judge(Protocol):
    """Analyses to scores with a length rule of its own."""

    @property
    def model(self) -> ModelId:
        """Who judges."""
        ...

    @property
    def kind(self) -> UnitKind:
        """What a summary is made of when nobody says."""
        ...

    def judge(self, analysis: Analysis) -> Judgement:
        """Judge one text by itself."""
        ...


class Scorer(Protocol):
    """Analyses to one score per EDU."""

    @property
    def model(self) -> ModelId:
        """Who scored."""
        ...

    def score(self, analyses: Sequence[Analysis]) -> list[Scores]:
        """Score every EDU of each analysis."""
        ...
