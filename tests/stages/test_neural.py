"""How the neural analyser cuts sentences where it was told to."""

import pytest

from discobert.data.document import Span
from discobert.stages.neural import edu_spans, trimmed


def units(marked: str) -> list[str]:
    """Cut a sentence before every bar, in as far as it may be cut there."""
    parts = marked.split("|")
    text = "".join(parts)
    ends = [sum(map(len, parts[: number + 1])) for number in range(len(parts))]
    spans = trimmed(text, edu_spans(text, [Span(0, len(text))], ends[:-1]))
    return [span.of(text) for span in spans]


def test_sentences_are_cut_at_characters() -> None:
    text = "She left, he said. It rained."
    sentences = [Span(0, 18), Span(19, 29)]
    found = edu_spans(text, sentences, [0, 10, 19])
    assert [span.of(text) for span in trimmed(text, found)] == [
        *["She left,", "he said.", "It rained."]
    ]


@pytest.mark.parametrize(
    ("marked", "expected"),
    [
        ("He ran |– |as he must.", ["He ran", "– as he must."]),
        ("He ran|—|fast.", ["He ran", "—fast."]),
        ("He ran |[...] |and fell.", ["He ran [...]", "and fell."]),
        ("... |He ran.", ["... He ran."]),
        ("He ran |!!", ["He ran !!"]),
        ("He ran |– |...", ["He ran – ..."]),
        ("He ran |– |... |away.", ["He ran", "– ... away."]),
        ("He ran |*** |– |away.", ["He ran ***", "– away."]),
        ("– |!", ["– !"]),
        ("He ran |5 |– |and 6.", ["He ran", "5", "– and 6."]),
    ],
)
def test_marks_are_no_units_of_their_own(marked: str, expected: list[str]) -> None:
    assert units(marked) == expected
