"""One pass of the trunk for analyser and summariser."""

from dataclasses import dataclass, field
from typing import cast

import numpy as np
from tests.tiny import tiny_examples, tiny_layout

from discobert.data.document import SentenceLayout
from discobert.data.summary import Analysis
from discobert.stages.neural import NeuralAnalyser, Reading
from discobert.stages.readings import SharedReader

ANALYSES = {example.analysis.document.text: example.analysis for example in tiny_examples()}


@dataclass
class Stub:
    """Counts how often the trunk runs."""

    reads: list[str] = field(default_factory=list)

    def read(self, name: str, text: str, sentences: SentenceLayout | None = None) -> Reading:
        self.reads.append(name)
        analysis = ANALYSES[text]
        own = SentenceLayout(analysis.document.sentences, analysis.document.paragraphs)
        layout = tiny_layout(analysis)
        trunk = np.zeros((len(layout.ids), 2), dtype=np.float32)
        return Reading(name, text, sentences or own, layout, trunk)

    def analyse_reading(self, reading: Reading) -> Analysis:
        return ANALYSES[reading.text]


def test_the_trunk_runs_once_a_text() -> None:
    stub = Stub()
    shared = SharedReader(cast("NeuralAnalyser", stub))
    texts = [(analysis.document.id, text) for text, analysis in ANALYSES.items()]
    for analysis in shared.analyse(texts):
        assert shared.read(analysis).text == analysis.document.text
    assert len(stub.reads) == 4


def test_the_oldest_readings_are_forgotten_and_made_again() -> None:
    stub = Stub()
    shared = SharedReader(cast("NeuralAnalyser", stub), max_pieces=230)
    first, second, third, _ = ANALYSES.values()
    for analysis in (first, second, third, third, first):
        shared.read(analysis)
    assert stub.reads == ["flood", "match", "trial", "flood"]
