"""One pass of the lower layers for analyser and summariser."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, cast

import numpy as np
from tests.tiny import tiny_examples, tiny_layout

from discobert.analyser.shared_encoder import SharedEncoder
from discobert.data.document import SentenceLayout, SourceText, Span
from discobert.data.summary import Analysis
from discobert.runtime.encoder import EncodedText

if TYPE_CHECKING:
    from discobert.analyser.neural import NeuralAnalyser

ANALYSES = {example.analysis.document.text: example.analysis for example in tiny_examples()}


@dataclass
class Stub:
    """Notes how often the lower layers run."""

    runs: list[str] = field(default_factory=list)
    guided: list[Sequence[Span] | None] = field(default_factory=list)

    def encode(self, source: SourceText, sentences: SentenceLayout | None = None) -> EncodedText:
        self.runs.append(source.id)
        analysis = ANALYSES[source.text]
        own = SentenceLayout(analysis.document.sentences, analysis.document.paragraphs)
        layout = tiny_layout(analysis)
        lower = np.zeros((len(layout.ids), 2), dtype=np.float32)
        return EncodedText(source, sentences or own, layout, lower)

    def analyse_encoded(self, encoded: EncodedText, edus: Sequence[Span] | None = None) -> Analysis:
        self.guided.append(edus)
        return ANALYSES[encoded.text]


def test_the_lower_layers_run_once_a_text() -> None:
    stub = Stub()
    shared = SharedEncoder(cast("NeuralAnalyser", stub))
    for text, analysis in ANALYSES.items():
        assert shared.analyse(SourceText(analysis.document.id, text)) is analysis
        assert shared.encoded(analysis).text == analysis.document.text
    assert len(stub.runs) == 4


def test_the_oldest_encodings_are_forgotten_and_made_again() -> None:
    stub = Stub()
    shared = SharedEncoder(cast("NeuralAnalyser", stub), max_pieces=230)
    first, second, third, _ = ANALYSES.values()
    for analysis in (first, second, third, third, first):
        shared.encoded(analysis)
    assert stub.runs == ["flood", "match", "trial", "flood"]


def test_an_encoding_can_be_given_away_when_it_is_asked_for() -> None:
    stub = Stub()
    shared = SharedEncoder(cast("NeuralAnalyser", stub))
    shared.disable_cache()
    for text, analysis in ANALYSES.items():
        shared.analyse(SourceText(analysis.document.id, text))
        shared.encoded(analysis)
    assert stub.runs == [analysis.document.id for analysis in ANALYSES.values()]
    shared.encoded(analysis)
    assert stub.runs[-2:] == [analysis.document.id] * 2


def test_gold_sentences_and_edus_are_handed_on() -> None:
    stub = Stub()
    shared = SharedEncoder(cast("NeuralAnalyser", stub))
    document = next(iter(ANALYSES.values())).document
    edus = [edu.span for edu in document.edus]
    sentences = SentenceLayout(document.sentences, document.paragraphs)
    encoded = shared.encode(SourceText(document.id, document.text), sentences)
    assert encoded.sentences is sentences
    assert shared.analyse_encoded(encoded, edus).document == document
    assert stub.guided == [edus]


def test_an_encoding_too_large_to_keep_is_given_away() -> None:
    stub = Stub()
    shared = SharedEncoder(cast("NeuralAnalyser", stub), max_pieces=10)
    text, analysis = next(iter(ANALYSES.items()))
    shared.analyse(SourceText(analysis.document.id, text))
    for expected in (["flood"], ["flood"] * 2, ["flood"] * 3):
        shared.encoded(analysis)
        assert stub.runs == expected
