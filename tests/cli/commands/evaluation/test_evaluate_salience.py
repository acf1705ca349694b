"""``discobert evaluate-salience``, as users call it."""

import json
from pathlib import Path
from typing import Any

import pytest

from discobert.cli.app import run

ARTICLES = (
    ("A mill burnt down in Wales.", "Rain is expected.", "Nobody was hurt in the fire."),
    ("Rovers won the cup.", "Fans sang all night.", "City had won it twice before."),
)


def lines(path: Path, rows: list[dict[str, Any]]) -> Path:
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    return path


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    rows = [
        {"id": f"a{number}", "article": list(lines), "highlights": [lines[0]]}
        for number, lines in enumerate(ARTICLES)
    ]
    return lines(tmp_path / "articles.jsonl", rows)


def test_json_names_both_kinds_of_unit(corpus: Path, tmp_path: Path) -> None:
    out = tmp_path / "areas.json"
    command = ["evaluate-salience", "--data", str(corpus), "--format", "json", "-o", str(out)]
    assert run([*command, "--quiet"]) == 0
    found = json.loads(out.read_text(encoding="utf-8"))
    assert found["areas"]["sentence"]["documents"] == 2
    assert found["areas"]["sentence"]["position"] == [1.0, 1.0, 1.0]
    assert 0 <= found["areas"]["edu"]["scores"][0] <= 1
    assert found["run"]["model"]["name"] == "discobert-en"


def test_the_table_is_for_terminals(corpus: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["evaluate-salience", "--data", str(corpus), "--limit", "1", "--quiet"]) == 0
    shown = capsys.readouterr().out
    assert "Salience" in shown
    assert max(map(len, shown.splitlines())) <= 80


def test_texts_without_a_word_are_passed_over(corpus: Path, tmp_path: Path) -> None:
    unusable: list[dict[str, Any]] = [
        {"id": f"b{number}", "article": article, "highlights": ["A mill burnt down."]}
        for number, article in enumerate(([], [" "], ["…"], ["\u200b"]))
    ]
    given = [*map(json.loads, corpus.read_text(encoding="utf-8").splitlines()), *unusable]
    data, out = lines(tmp_path / "more.jsonl", given), tmp_path / "areas.json"
    command = ["evaluate-salience", "--data", str(data), "--format", "json", "-o", str(out)]
    assert run([*command, "--quiet"]) == 0
    found = json.loads(out.read_text(encoding="utf-8"))
    assert found["areas"]["sentence"]["documents"] == 2


@pytest.mark.parametrize("skip", ["2", "9"])
def test_without_an_article_there_is_nothing_to_evaluate(
    corpus: Path, skip: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["evaluate-salience", "--data", str(corpus), "--skip", skip, "--quiet"]) != 0
    assert "no article to evaluate" in capsys.readouterr().err


def test_without_a_text_to_rank_there_is_nothing_to_report(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    row = {"id": "a", "article": ["Rain is expected."], "highlights": ["Zebra."]}
    data = lines(tmp_path / "one.jsonl", [row])
    assert run(["evaluate-salience", "--data", str(data), "--quiet"]) != 0
    assert "no text to rank units of" in capsys.readouterr().err
