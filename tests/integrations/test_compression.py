"""Shorter texts within a time."""

import threading

import pytest

from discobert.api import Summarizer
from discobert.data.summary import Analysis, Summary
from discobert.errors import UsageError
from discobert.integrations.compression import Compressed, Compressor
from discobert.selection.request import DEFAULT_REQUEST, SummaryRequest

FLOOD = (
    "The river rose after days of rain. It flooded the old mill and cut the road to the harbour. "
    "Nobody was hurt, the mayor said. The mill had closed in May. "
    "Fishermen sold no herring for weeks."
)
ABOUT_HERRING = "The river rose after days of rain. Fishermen sold no herring for weeks."
TRIAL = (
    "A baker was cleared of stealing flour. The judge called the case weak. He had spent a year in "
    "jail before the trial began. His shop opens again in June."
)


def rules(model: str | None) -> Summarizer:
    return Summarizer.load("rules")


def test_order_and_number_stay_and_nothing_grows() -> None:
    texts = [FLOOD, "", TRIAL, "12 34", "Rain."]
    made = Compressor({}, load=rules).compress(texts)
    assert [len(each.text) <= len(text) for each, text in zip(made, texts, strict=True)] == (
        [True] * 5
    )
    assert made[0].text.startswith("The river rose")
    assert made[2].text.startswith("A baker")
    assert [made[place] for place in (1, 3, 4)] == [Compressed(texts[place]) for place in (1, 3, 4)]


def test_half_of_the_words_stay_unless_told_otherwise() -> None:
    (half,) = Compressor({}, load=rules).compress([FLOOD])
    (few,) = Compressor({"words": 8}, load=rules).compress([FLOOD])
    assert len(half.text.split()) <= len(FLOOD.split()) // 2
    assert few.text == "The river rose after days of rain."


def test_spans_say_what_was_kept() -> None:
    (made,) = Compressor({"sentences": 1}, load=rules).compress([FLOOD])
    assert made.spans == ((0, 34),)
    assert made.metadata == {"discobert": {"spans": [[0, 34]]}}
    assert Compressed(FLOOD).metadata == {}


def test_query_is_the_focus() -> None:
    compressor = Compressor({"sentences": 2}, load=rules)
    (made,) = compressor.compress([FLOOD], "Who sold herring?")
    assert made.text == ABOUT_HERRING
    assert compressor.compress([FLOOD])[0].text != ABOUT_HERRING
    assert compressor.compress([FLOOD], "??") == compressor.compress([FLOOD])


def test_original_is_the_answer_if_the_model_cannot_be_loaded() -> None:
    def load(model: str | None) -> Summarizer:
        raise OSError("no such disk")

    assert Compressor({}, load=load).compress([FLOOD]) == [Compressed(FLOOD)]


class Failing(Summarizer):
    """Fails with one text."""

    __slots__ = ()

    def summarize_analysis(
        self, analysis: Analysis, request: SummaryRequest = DEFAULT_REQUEST
    ) -> Summary:
        if analysis.document.text == FLOOD:
            raise RuntimeError("a fault")
        return Summarizer.summarize_analysis(self, analysis, request)


def test_original_is_the_answer_if_a_text_fails() -> None:
    made = Compressor({}, load=lambda model: Failing(rules(None).pipeline)).compress([FLOOD, TRIAL])
    assert made[0] == Compressed(FLOOD)
    assert made[1].text != TRIAL


def test_original_is_the_answer_after_the_time_limit() -> None:
    never = threading.Event()

    def load(model: str | None) -> Summarizer:
        never.wait()
        return rules(model)

    try:
        made = Compressor({}, seconds=0.05, load=load).compress([FLOOD, TRIAL])
    finally:
        never.set()
    assert made == [Compressed(FLOOD), Compressed(TRIAL)]


def test_long_texts_are_returned_as_they_are() -> None:
    made = Compressor({}, max_chars=160, load=rules).compress([FLOOD, TRIAL])
    assert made[0] == Compressed(FLOOD)
    assert made[1].text != TRIAL


def test_what_cannot_be_asked_for_is_told_at_once() -> None:
    with pytest.raises(UsageError, match="only one of"):
        Compressor({"words": 3, "chars": 9})
    with pytest.raises(UsageError, match="seconds"):
        Compressor({}, seconds=0)
