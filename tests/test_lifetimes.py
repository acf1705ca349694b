"""Texts and networks are freed at once, without the collector of cycles."""

import gc
from collections.abc import Iterator
from weakref import ref

import pytest

from discobert import Summarizer
from discobert.analyser.parser_states import StateLayers
from discobert.discourse.references import References
from discobert.selection.readable.coherence import Coherence
from discobert.selection.request import SummaryRequest

TEXT = (
    "Al Ray won the vote on Monday. He said that the city would change. Rain fell on Tuesday. "
    "Crews, who were late, closed the bridge. The mayor, Bo Lee, saw cracks. She left. This was "
    "allowed by the council. “It is old,” Cy Dow said. “It must go.” The decision came late."
)


@pytest.fixture
def no_collector() -> Iterator[None]:
    """Free what nothing refers to, but no cycles."""
    gc.collect()
    gc.disable()
    yield
    gc.enable()


def alive(*kinds: type) -> list[object]:
    # Not isinstance: some libraries compute __class__ of their objects, with warnings.
    return [each for each in gc.get_objects() if type(each) in kinds]


@pytest.mark.usefixtures("no_collector")
@pytest.mark.parametrize("style", ["readable", "paper"])
def test_a_text_is_freed_with_its_summary(style: str) -> None:
    summarizer = Summarizer.load("en")
    before = len(alive(References, Coherence))
    analysis = summarizer.analyze(TEXT)
    summary = summarizer.summarize_analysis(analysis, SummaryRequest.of(style=style, words=20))
    assert summary.text
    document = ref(analysis.document)
    del analysis, summary
    assert document() is None
    assert len(alive(References, Coherence)) == before


@pytest.mark.usefixtures("no_collector")
def test_the_networks_are_freed_with_the_summarizer() -> None:
    before = len(alive(StateLayers))
    summarizer = Summarizer.load("en")
    summarizer.summarize(TEXT, words=20)
    assert len(alive(StateLayers)) == before + 1
    del summarizer
    assert len(alive(StateLayers)) == before
