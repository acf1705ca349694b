"""``discobert evaluate-salience``, as users call it."""

import json
from pathlib import Path

import pytest

from discobert.cli.app import run

ARTICLES = (
    ("A mill burnt down in Wales.", "Rain is expected.", "Nobody was hurt in the fire."),
    ("Rovers won the cup.", "Fans sang all night.", "City had won it twice before."),
)


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    rows = [
        {"id": f"a{number}", "article": list(lines), "highlights": [lines[0]]}
        for number, lines in enumerate(ARTICLES)
    ]
    path = tmp_path / "articles.jsonl"
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    return path


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
