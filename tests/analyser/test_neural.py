"""How the neural analyser cuts sentences where it was told to."""

import pytest

from discobert.analyser import neural
from discobert.analyser.neural import edu_spans, trimmed
from discobert.api import load_analyser
from discobert.benchmark.texts import generated
from discobert.data.document import SourceText, Span
from discobert.data.rst import leaves


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


def test_a_book_is_encoded_some_edus_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    analyser = load_analyser().pipeline.analyser
    text = generated(400).text
    whole = analyser.analyse(SourceText("a", text))
    given_back: list[None] = []
    monkeypatch.setattr(neural, "EDUS_AT_ONCE", 20)
    monkeypatch.setattr(neural, "trim", lambda: given_back.append(None))
    found = analyser.analyse(SourceText("a", text))
    assert (found.document, found.coref) == (whole.document, whole.coref)
    assert leaves(found.rst) == leaves(whole.rst)
    assert len(given_back) > 1
