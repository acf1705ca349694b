"""What analyser and scorer promise, so that other implementations can take their place."""

from typing import Protocol

from discobert.data.document import SentenceLayout, SourceText
from discobert.data.summary import Analysis, ModelId
from discobert.discourse.units import UnitKind
from discobert.selection.build import Salience


class SentenceSplitter(Protocol):
    """Raw text to sentences and paragraphs, with exact offsets."""

    def split(self, text: str) -> SentenceLayout:
        """Cover every non-space character; a paragraph break ends a sentence."""
        ...


class Analyser(Protocol):
    """Raw text to sentences, EDUs, RST tree and coreference."""

    def analyse(self, source: SourceText) -> Analysis:
        """Analyse one text; the result depends on that text alone."""
        ...


class Scorer(Protocol):
    """Analysis to the salience of every unit."""

    @property
    def model(self) -> ModelId:
        """The name and version that summaries carry."""
        ...

    @property
    def unit(self) -> UnitKind:
        """What the scores were trained to select."""
        ...

    def score(self, analysis: Analysis) -> Salience:
        """Score the units of one text by itself."""
        ...
