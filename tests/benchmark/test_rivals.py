"""Systems to be compared with."""

import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace

import numpy as np
import pytest
from benchmarks import rivals
from benchmarks.rivals import OurSentences, load_rivals, main

TEXT = "Rain fell. “We left,” she said. It was late. Nobody came."


def test_lead_is_the_first_three_sentences(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "text.txt"
    path.write_text(TEXT, encoding="utf-8")
    main(["lead-3", str(path)])
    assert capsys.readouterr().out == "Rain fell. “We left,” she said. It was late.\n"


def test_systems_that_are_not_installed_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rivals, "find_spec", lambda name: None)
    assert list(load_rivals()) == ["lead-3"]


def test_a_system_that_lacks_a_library_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken() -> rivals.Summarise:
        raise ImportError

    monkeypatch.setattr(rivals, "RIVALS", {"lead-3": (rivals.lead, ()), "x": (broken, ())})
    assert list(load_rivals()) == ["lead-3"]


def module(monkeypatch: pytest.MonkeyPatch, name: str, **members: object) -> None:
    """Put a module of a library that need not be installed in its place."""
    made = ModuleType(name)
    vars(made).update(members)
    monkeypatch.setitem(sys.modules, name, made)


def test_other_libraries_are_called_as_they_want_to_be(monkeypatch: pytest.MonkeyPatch) -> None:
    class Ranker:
        def __call__(self, document: tuple[str, ...], count: int) -> tuple[str, ...]:
            return document[-count:]

    class Parser:
        @staticmethod
        def from_string(text: str, tokenizer: OurSentences) -> SimpleNamespace:
            return SimpleNamespace(document=tokenizer.to_sentences(text))

    for name in ("sumy", "sumy.parsers", "sumy.summarizers", "summa"):
        module(monkeypatch, name)
    module(monkeypatch, "sumy.parsers.plaintext", PlaintextParser=Parser)
    module(monkeypatch, "sumy.summarizers.lex_rank", LexRankSummarizer=Ranker)
    module(monkeypatch, "sumy.summarizers.text_rank", TextRankSummarizer=Ranker)
    module(monkeypatch, "summa.summarizer", summarize=lambda text, words: text[:words])
    last = "“We left,” she said. It was late. Nobody came."
    assert rivals.sumy_lexrank()(TEXT) == rivals.sumy_textrank()(TEXT) == last
    assert rivals.summa_textrank()(TEXT) == TEXT[:60]
    assert OurSentences().to_words("“We left,” she – said.") == ("We", "left", "she", "–", "said")


def test_sentences_next_to_centres_are_taken() -> None:
    pytest.importorskip("torch")
    pytest.importorskip("transformers")
    from benchmarks.centroids import nearest_to_centres

    rows = np.array([[0, 0], [9, 9], [0, 2], [0, 1], [9, 8], [9, 7]], dtype=np.float32)
    assert nearest_to_centres(rows, 2) == [3, 4]
    assert nearest_to_centres(rows[:2] * 0, 2) == [0, 1]


def test_centroids_start_with_the_first_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("torch")
    pytest.importorskip("transformers")
    from benchmarks.centroids import Centroids

    def vector(self: Centroids, sentence: str) -> np.ndarray:
        return np.array([len(sentence), 0], dtype=np.float32)

    monkeypatch.setattr(Centroids, "vector", vector)
    long = [f"{'Rain fell on the town' + ' and on the hills' * n}." for n in range(2, 8)]
    found = rivals.split(Centroids(None, None)(" ".join(["Too short.", *long])))
    assert len(found) == 3
    assert found[0] == long[0]
    assert Centroids(None, None)(long[0]) == long[0]
