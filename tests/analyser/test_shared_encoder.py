"""One pass of the trunk for analyser and summariser."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, cast

import numpy as np
from tests.tiny import tiny_examples, tiny_layout

from discobert.analyser.shared_encoder import SharedEncoder
from discobert.data.document import SentenceLayout, Span
from discobert.data.summary import Analysis
from discobert.runtime.encoder import EncodedText

if TYPE_CHECKING:
    from discobert.analyser.neural import NeuralAnalyser

ANALYSES = {example.analysis.document.text: example.analysis for example in tiny_examples()}


@dataclass
class Stub:
    """Counts how often the trunk runs."""

    reads: list[str] = field(default_factory=list)
    guided: list[Sequence[Span] | None] = field(default_factory=list)

    def read(self, name: str, text: str, sentences: SentenceLayout | None = None) -> EncodedText:
        self.reads.append(name)
        analysis = ANALYSES[text]
        own = SentenceLayout(analysis.document.sentences, analysis.document.paragraphs)
        layout = tiny_layout(analysis)
        trunk = np.zeros((len(layout.ids), 2), dtype=np.float32)
        return EncodedText(name, text, sentences or own, layout, trunk)

    def analyse_encoded(self, reading: EncodedText, edus: Sequence[Span] | None = None) -> Analysis:
        self.guided.append(edus)
        return ANALYSES[reading.text]


def test_the_trunk_runs_once_a_text() -> None:
    stub = Stub()
    shared = SharedEncoder(cast("NeuralAnalyser", stub))
    texts = [(analysis.document.id, text) for text, analysis in ANALYSES.items()]
    for analysis in shared.analyse(texts):
        assert shared.encoded(analysis).text == analysis.document.text
    assert len(stub.reads) == 4


def test_the_oldest_readings_are_forgotten_and_made_again() -> None:
    stub = Stub()
    shared = SharedEncoder(cast("NeuralAnalyser", stub), max_pieces=230)
    first, second, third, _ = ANALYSES.values()
    for analysis in (first, second, third, third, first):
        shared.encoded(analysis)
    assert stub.reads == ["flood", "match", "trial", "flood"]


def test_a_reading_can_be_given_away_when_it_is_asked_for() -> None:
    stub = Stub()
    shared = SharedEncoder(cast("NeuralAnalyser", stub))
    shared.disable_cache()
    for text, analysis in ANALYSES.items():
        shared.analyse([(analysis.document.id, text)])
        shared.encoded(analysis)
    assert stub.reads == [analysis.document.id for analysis in ANALYSES.values()]
    shared.encoded(analysis)
    assert stub.reads[-2:] == [analysis.document.id] * 2


def test_gold_sentences_and_edus_are_handed_on() -> None:
    stub = Stub()
    shared = SharedEncoder(cast("NeuralAnalyser", stub))
    document = next(iter(ANALYSES.values())).document
    edus = [edu.span for edu in document.edus]
    sentences = SentenceLayout(document.sentences, document.paragraphs)
    reading = shared.read(document.id, document.text, sentences)
    assert reading.sentences is sentences
    assert shared.analyse_encoded(reading, edus).document == document
    assert stub.guided == [edus]


def test_a_reading_too_large_to_remember_is_given_away() -> None:
    stub = Stub()
    shared = SharedEncoder(cast("NeuralAnalyser", stub), max_pieces=10)
    text, analysis = next(iter(ANALYSES.items()))
    shared.analyse([(analysis.document.id, text)])
    for expected in (["flood"], ["flood"] * 2, ["flood"] * 3):
        shared.encoded(analysis)
        assert stub.reads == expected
