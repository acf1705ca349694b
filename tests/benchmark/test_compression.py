"""The comparison of compressors: chunks, budgets, and questions that can be answered."""

import pytest
from benchmarks import compression
from benchmarks.compression import (
    QUESTIONS,
    by_first_words,
    first_words,
    load_systems,
    measure,
    n_answers,
)


def test_a_chunk_is_the_text_as_it_stands_up_to_a_number_of_words() -> None:
    assert first_words("One  two\n\nthree four.", 3) == "One  two\n\nthree"
    assert first_words(" One two. \n", 5) == " One two."


def test_every_question_can_be_answered_from_its_chunk() -> None:
    assert n_answers(lambda text, query: text) == sum(map(len, QUESTIONS.values()))
    assert n_answers(lambda text, query: "") == 0


def test_costs_and_words_are_those_of_the_system() -> None:
    found = measure({"first words": by_first_words(0.25)}, runs=1)["first words"]
    assert found.kept == pytest.approx(0.25, abs=0.01)
    assert found.cost.cpu < 1


def test_systems_without_their_library_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(ratio: float) -> compression.Compress:
        raise ImportError

    systems = {"first words": by_first_words, "x": broken}
    monkeypatch.setattr(compression, "SYSTEMS", systems)
    assert list(load_systems(0.5)) == ["first words"]
