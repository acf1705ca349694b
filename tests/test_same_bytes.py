"""The same text gives the same bytes: alone or in company, on any thread, again and again."""

import os
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from discobert import Summarizer
from discobert.benchmark.texts import generated
from discobert.render.summaries.json import render_jsonl

TEXTS = tuple(generated(words, seed=words).text for words in (12, 40, 75, 600))
SHORT = range(3)
"""Texts of which many may be summarised."""
RUNS = 20


def bytes_of(summarizer: Summarizer, numbers: Sequence[int]) -> list[str]:
    """Summarise some of the texts in one go, with every unit, score and reason."""
    texts = [TEXTS[number] for number in numbers]
    summaries = summarizer.summarize_all(texts, names=["text"] * len(texts))
    return [render_jsonl([summary]) for summary in summaries]


@pytest.fixture(scope="module")
def summarizer() -> Summarizer:
    return Summarizer.load(threads=1)


@pytest.fixture(scope="module")
def alone(summarizer: Summarizer) -> list[str]:
    """Return what each text gives by itself."""
    return [bytes_of(summarizer, [number])[0] for number in range(len(TEXTS))]


def test_twenty_runs_give_the_same_bytes(summarizer: Summarizer, alone: list[str]) -> None:
    assert {bytes_of(summarizer, [1])[0] for _ in range(RUNS)} == {alone[1]}


@settings(
    max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(numbers=st.lists(st.sampled_from(SHORT), min_size=2, max_size=4))
def test_company_in_a_batch_changes_nothing(
    summarizer: Summarizer, alone: list[str], numbers: list[int]
) -> None:
    assert bytes_of(summarizer, numbers) == [alone[number] for number in numbers]


def test_long_and_short_texts_change_nothing_in_each_other(
    summarizer: Summarizer, alone: list[str]
) -> None:
    assert bytes_of(summarizer, [3, 0, 1]) == [alone[3], alone[0], alone[1]]


def test_two_threads_at_once_change_nothing(summarizer: Summarizer, alone: list[str]) -> None:
    numbers = [0, 1, 2] * 2
    with ThreadPoolExecutor(2) as pool:
        found = list(pool.map(lambda number: bytes_of(summarizer, [number])[0], numbers))
    assert found == [alone[number] for number in numbers]


def test_a_model_of_two_threads_changes_nothing(alone: list[str]) -> None:
    assert bytes_of(Summarizer.load(threads=2), [2, 3]) == alone[2:]


@pytest.mark.parametrize("seed", ["1", "2"])
def test_another_process_gives_the_same_bytes(alone: list[str], seed: str, tmp_path: Path) -> None:
    path = tmp_path / "text"
    path.write_text(TEXTS[3], encoding="utf-8")
    command = [sys.executable, "-m", "discobert", "summarize", str(path), "--format", "jsonl"]
    environment = {**os.environ, "PYTHONHASHSEED": seed}
    done = subprocess.run(command, capture_output=True, check=True, env=environment)
    found, expected = (
        line.partition('"sentences"')[2] for line in (done.stdout.decode(), alone[3])
    )
    assert found == expected != ""
