"""Rating sheets and ratings on the command line."""

import json
import re
from collections.abc import Sequence
from pathlib import Path

import pytest
from tests.evaluate.rating_builders import KEY, row, saved

from discobert.cli.app import run
from discobert.data.rating import Place
from discobert.evaluate.ratings.key import decode_key, read_key_file

ARTICLES = [
    {
        "id": f"doc-{n}",
        "article": [f"A ferry with {n} cars sank.", "Nobody was hurt.", "It rained.", "He sang."],
        "highlights": [f"Ferry with {n} cars sank"],
    }
    for n in range(4)
]
PAIR = ("--systems", "lead3,oracle-sentence")


@pytest.fixture
def data(tmp_path: Path) -> Path:
    path = tmp_path / "data.jsonl"
    path.write_text("".join(f"{json.dumps(row)}\n" for row in ARTICLES), encoding="utf-8")
    return path


def evaluate(*arguments: str | Path) -> int:
    return run(["evaluate", *map(str, arguments)])


def write(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def answers(values: Sequence[tuple[int, int]]) -> dict[str, object]:
    """Rate overall quality alone, first and second summary of each document."""
    return {
        str(number): {"first": {"overall": first}, "second": {"overall": second}}
        for number, (first, second) in enumerate(values, start=1)
    }


def test_a_sheet_is_written_beside_the_report(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sheet = tmp_path / "sheet.html"
    code = evaluate("--data", data, *PAIR, "--rating-sheet", sheet, "--sample", "3", "--seed", "5")
    assert code == 0
    assert "oracle-sentence" in capsys.readouterr().out
    page = sheet.read_text(encoding="utf-8")
    found = re.search(r'data-key="([^"]+)"', page)
    assert found is not None
    key = decode_key(found[1], name="x")
    assert key.panel.systems == ("lead3", "oracle-sentence")
    assert len(key.panel.documents) == 3
    assert "A ferry with" in page
    assert "lead3" not in page


def test_another_systems_summaries_can_be_rated(data: Path, tmp_path: Path) -> None:
    rows = [{"id": row["id"], "summary": ["Something <else>."]} for row in ARTICLES]
    other = write(tmp_path / "other.jsonl", "".join(f"{json.dumps(row)}\n" for row in rows))
    sheet = tmp_path / "sheet.html"
    named = ("--systems", "lead3", "--outputs", f"other={other}")
    assert evaluate("--data", data, *named, "--rating-sheet", sheet) == 0
    assert sheet.read_text(encoding="utf-8").count("Something &lt;else&gt;.") == 4


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--systems", "lead3"], "two or three systems, got 1: lead3; name them with --systems"),
        (
            ["--systems", "lead3,lexrank,rst-trim,oracle-edu"],
            "two or three systems, got 4: lead3, ",
        ),
        ([*PAIR, "--skip", "4"], "no article to rate"),
    ],
)
def test_what_makes_no_sheet_is_refused_before_any_work(
    data: Path,
    tmp_path: Path,
    arguments: list[str],
    message: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    sheet = tmp_path / "sheet.html"
    assert evaluate("--data", data, *arguments, "--rating-sheet", sheet) in {2, 3}
    assert message in capsys.readouterr().err
    assert not sheet.exists()


def test_a_sheet_is_a_page_or_markdown(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert evaluate("--data", data, *PAIR, "--rating-sheet", tmp_path / "sheet.pdf") == 2
    assert "sheet.pdf: a rating sheet is written as .html or .md" in capsys.readouterr().err


def test_several_raters_get_a_sheet_each(data: Path, tmp_path: Path) -> None:
    options = ("--raters", "2", "--shared-documents", "2")
    sheet = tmp_path / "sheet.html"
    assert evaluate("--data", data, *PAIR, "--rating-sheet", sheet, *options) == 0
    assert not sheet.exists()
    pages = [(tmp_path / f"sheet-{n}.html").read_text(encoding="utf-8") for n in (1, 2)]
    shown = [set(re.findall(r'data-item="(\d)"', page)) for page in pages]
    assert [len(items) for items in shown] == [3, 3]
    assert len(shown[0] & shown[1]) == 2


def test_markdown_sheets_of_three_systems_are_scored_with_their_key(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "panel"
    folder.mkdir()
    sheet = folder / "sheet.md"
    systems = ("--systems", "lead3,lexrank,oracle-sentence")
    assert evaluate("--data", data, *systems, "--rating-sheet", sheet) == 0
    assert "# Item 4" in sheet.read_text(encoding="utf-8")
    write(folder / "ann.jsonl", f"{row(1, 'A>B>C')}\n{row(2, 'A=B=C')}\n")
    capsys.readouterr()
    assert evaluate("--ratings", folder, "--format", "json") == 0
    out, err = capsys.readouterr()
    report = json.loads(out)
    assert err == ""
    assert list(report["systems"]) == ["lead3", "lexrank", "oracle-sentence"]
    assert (report["documents"], report["documents_rated"]) == (4, 2)
    assert [pair["preference"]["same"] for pair in report["comparisons"]] == [1, 1, 1]
    key = read_key_file(json.loads((folder / "sheet.key.json").read_text()), name="x")
    order = [key.system_at(0, place) for place in Place]
    for pair in report["comparisons"]:
        is_before = order.index(pair["system"]) < order.index(pair["against"])
        assert pair["preference"]["better"] == int(is_before)


def test_ratings_are_scored_as_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ann = write(tmp_path / "ann.json", saved(answers=answers([(1, 5), (4, 2), (3, 3)])))
    bo = write(tmp_path / "bo.json", saved(rater="r2", name="Bo", answers=answers([(1, 4)])))
    assert evaluate("--ratings", ann, "--ratings", bo, "--format", "json") == 0
    out, err = capsys.readouterr()
    report = json.loads(out)
    assert report["sheet"] == KEY.panel.panel
    assert report["systems"]["old"]["overall"]["mean"] == pytest.approx(2.0)  # 1, 2 (swapped), 3
    assert report["versus"]["overall"]["better"] == 2
    assert "warning: Bo has rated 0 of 3 documents in full; scored with what is there" in err


def test_a_folder_stands_for_its_files_and_tables_are_drawn(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for number, when in enumerate(("2026-01", "2026-02")):
        write(tmp_path / f"{number}.json", saved(saved=when, answers=answers([(1, 5)])))
    assert evaluate("--ratings", tmp_path, "--quiet") == 0
    out, err = capsys.readouterr()
    assert "by 1 rater on 1 of 3 documents" in out
    assert err == ""
    assert evaluate("--ratings", tmp_path, "--format", "markdown") == 0
    out, err = capsys.readouterr()
    assert "| overall | +4.00 [+4.00, +4.00] | 1.000 | 1 | 0 | 0 |" in out
    assert "1 of 2 files were saved again later by the same rater" in err


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "is not valid JSON"),
        ("<!DOCTYPE html>", "a page, not ratings"),
        (saved(key="x"), "key is damaged"),
        (saved(answers={}), "no question has been answered"),
    ],
)
def test_bad_files_are_errors_of_input(
    tmp_path: Path, text: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert evaluate("--ratings", write(tmp_path / "x.json", text)) == 3
    assert message in capsys.readouterr().err


def test_an_empty_folder_and_a_missing_file_are_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert evaluate("--ratings", tmp_path) == 3
    assert "no .json or .jsonl file in this folder" in capsys.readouterr().err
    assert evaluate("--ratings", tmp_path / "none.json") == 3
    assert "no such file" in capsys.readouterr().err


def test_ratings_go_alone(data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert evaluate("--ratings", tmp_path, "--data", data) == 2
    assert "it goes without --data, --rating-sheet" in capsys.readouterr().err


def test_nothing_at_all_is_wrong_usage(capsys: pytest.CaptureFixture[str]) -> None:
    assert evaluate() == 2
    assert "name a corpus (--data) or saved ratings (--ratings)" in capsys.readouterr().err


def test_one_file_cannot_hold_two_outputs(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sheet = tmp_path / "x.html"
    assert evaluate("--data", data, *PAIR, "--rating-sheet", sheet, "-o", sheet) == 2
    assert "x.html: named for two outputs" in capsys.readouterr().err
    saved_file = write(tmp_path / "ann.json", saved())
    assert evaluate("--ratings", saved_file, "-o", saved_file) == 2
    assert "ann.json: is an input too" in capsys.readouterr().err
