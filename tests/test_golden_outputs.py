"""Texts of many kinds are analysed and summarised as they were before."""

from pathlib import Path

import pytest
from tests.golden_outputs import (
    COMMANDS,
    GOLDEN,
    TEXTS,
    Json,
    command_path,
    describe,
    differences,
    layout,
    output_path,
    parse,
    run_command,
)

from discobert import Summarizer

AGAIN = "scripts/golden writes the outputs anew, if the change is meant"


@pytest.fixture(scope="module")
def summarizer() -> Summarizer:
    return Summarizer.load(threads=1)


def require_same(path: Path, found: Json) -> None:
    changed = list(differences(parse(path), found))
    assert not changed, "\n".join([f"{path.relative_to(GOLDEN)} differs ({AGAIN}):", *changed])


@pytest.mark.parametrize("name", TEXTS)
def test_analysis_and_summaries_are_as_before(summarizer: Summarizer, name: str) -> None:
    require_same(output_path(name), describe(summarizer, name))


@pytest.mark.parametrize("name", COMMANDS)
def test_output_of_the_command_is_as_before(name: str) -> None:
    require_same(command_path(name), run_command(name))


def test_every_output_belongs_to_a_text() -> None:
    assert {path.stem for path in (GOLDEN / "outputs").iterdir()} == set(TEXTS)
    assert {path.stem for path in (GOLDEN / "commands").iterdir()} == set(COMMANDS)


@pytest.mark.parametrize(
    ("found", "field"),
    [
        ({"words": 8, "scores": [0.5], "text": ["One."]}, "words"),
        ({"words": 7.0, "scores": [0.5], "text": ["One."]}, "words"),
        ({"words": 7, "scores": [0.53], "text": ["One."]}, "scores[0]"),
        ({"words": 7, "scores": [], "text": ["One."]}, "scores"),
        ({"words": 7, "scores": [0.5], "text": ["Two."]}, "text[0]"),
        ({"words": 7, "scores": [0.5]}, "text"),
        ({"words": 7, "scores": [0.5], "text": ["One."], "joined": "One."}, "joined"),
    ],
)
def test_a_difference_names_its_field(found: Json, field: str) -> None:
    expected: Json = {"words": 7, "scores": [0.5], "text": ["One."]}
    assert [line.partition(":")[0] for line in differences(expected, found)] == [field]


def test_fractions_may_move_a_little() -> None:
    assert not list(differences({"scores": [0.5, 1.0]}, {"scores": [0.515, 0.985]}))


def test_layout_is_read_back(tmp_path: Path) -> None:
    value: Json = {"text": ["a" * 60, "b" * 60], "edus": [[0, 1, True, 0.5, []]], "none": {}}
    path = tmp_path / "value.json"
    path.write_text(layout(value), encoding="utf-8")
    assert parse(path) == value
