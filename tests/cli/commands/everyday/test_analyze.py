"""``discobert analyze``, as users call it."""

import io
import json
import re
import sys
from pathlib import Path

import pytest

from discobert.cli.app import run
from discobert.cli.commands.everyday.analyze import default_format
from discobert.formats import AnalysisFormat
from discobert.store.treebanks import read_tree

TEXT = "When it rained, the old bridge was closed.\r\n\r\nEngineers found cracks – 🙂.\n"
RULES = ("analyze", "--model", "rules")


@pytest.fixture
def article(tmp_path: Path) -> Path:
    path = tmp_path / "article.txt"
    path.write_bytes(TEXT.encode())
    return path


def test_json_goes_into_a_pipe(article: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run([*RULES, str(article)]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["format"] == 1
    assert found["text"] == TEXT
    assert {"sentences", "edus", "tree", "dependencies", "clusters", "graphs"} <= set(found)
    edus = [TEXT[edu["start"] : edu["end"]] for edu in found["edus"]]
    assert edus == [
        "When it rained,",
        "the old bridge was closed.",
        "Engineers found cracks – 🙂.",
    ]


def test_several_files_give_one_array(article: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run([*RULES, str(article), str(article), "--format", "json"]) == 0
    first, second = json.loads(capsys.readouterr().out)
    assert first == second


def test_standard_input_is_read(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"It rains. We go.")))
    assert run([*RULES, "-", "--format", "tree"]) == 0
    assert capsys.readouterr().out == (
        "stdin: 1 paragraph, 2 sentences, 2 EDUs\n"
        "\n"
        "elaboration 0–1\n"
        "├─N 0 It rains.\n"
        "└╌S 1 We go.\n"
    )


def test_terminal_gets_a_tree_of_its_width(
    article: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", "30")
    assert run([*RULES, str(article)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert "elaboration 0–2" in lines
    assert max(map(len, lines)) <= 30


@pytest.mark.parametrize("kind", ["rs3", "dis"])
def test_tree_files_can_be_read_again(article: Path, tmp_path: Path, kind: str) -> None:
    output = tmp_path / f"out.{kind}"
    assert run([*RULES, str(article), "-o", str(output)]) == 0
    assert read_tree(output).edus[0] == "When it rained,"


def test_html_is_one_page_for_all_texts(article: Path, tmp_path: Path) -> None:
    output = tmp_path / "out.html"
    assert run([*RULES, str(article), str(article), "-o", str(output)]) == 0
    page = output.read_text(encoding="utf-8")
    assert page.startswith("<!DOCTYPE html>")
    assert len(re.findall("<article", page)) == 2


@pytest.mark.parametrize("kind", ["rs3", "dis"])
def test_tree_files_hold_one_text(
    article: Path, capsys: pytest.CaptureFixture[str], kind: str
) -> None:
    assert run([*RULES, str(article), str(article), "--format", kind]) == 2
    assert f"--format {kind} holds one tree, but 2 files are named" in capsys.readouterr().err


def test_output_must_not_be_an_input(article: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run([*RULES, str(article), "-o", str(article)]) == 2
    assert article.read_bytes() == TEXT.encode()


@pytest.mark.parametrize(
    ("content", "message"),
    [(b"", "empty"), (b" \n", "white space"), (b"?!", "no letters"), (b"\xff\xfe\xff", "UTF-16")],
)
def test_bad_input_is_refused_in_a_line(
    article: Path, capsys: pytest.CaptureFixture[str], content: bytes, message: str
) -> None:
    article.write_bytes(content)
    assert run([*RULES, str(article)]) == 3
    out, err = capsys.readouterr()
    assert out == ""
    assert message in err
    assert err.count("\n") == 1


def test_missing_bundle_has_its_own_exit_code(
    article: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["analyze", "--model", "no-such-model", str(article)]) == 4


@pytest.mark.parametrize(
    ("output", "on_terminal", "form"),
    [
        (None, True, AnalysisFormat.TREE),
        (None, False, AnalysisFormat.JSON),
        ("a.HTML", True, AnalysisFormat.HTML),
        ("a.htm", True, AnalysisFormat.HTML),
        ("a.rs3", False, AnalysisFormat.RS3),
        ("a.dis", False, AnalysisFormat.DIS),
        ("a.txt", False, AnalysisFormat.TREE),
        ("a", True, AnalysisFormat.JSON),
    ],
)
def test_form_follows_output_and_reader(
    output: str | None, on_terminal: bool, form: AnalysisFormat
) -> None:
    path = None if output is None else Path(output)
    assert default_format(path, on_terminal=on_terminal) is form


def test_a_text_in_another_language_is_warned_of(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "ja.txt"
    path.write_text("市は土曜日に橋を再び開く。", encoding="utf-8")
    assert run(["analyze", str(path), "--model", "rules"]) == 0
    assert "ja.txt: the text does not look like English" in capsys.readouterr().err
    assert run(["analyze", str(path), "--model", "rules", "--quiet"]) == 0
    assert capsys.readouterr().err == ""


RS3 = """<rst><header><relations><rel name="condition" type="rst"/></relations></header><body>
<segment id="1" parent="2" relname="condition">If it rains,</segment>
<segment id="2" parent="3" relname="span">we go home.</segment>
<group id="3" type="span"/></body></rst>"""


@pytest.mark.parametrize("command", [RULES, ("summarize", "--model", "rules")])
def test_a_tree_file_is_the_analysis_that_it_holds(
    command: tuple[str, ...], article: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "own.rs3"
    path.write_text(RS3)
    assert run([*command, str(path), str(article), "--format", "json"]) == 0
    own, other = json.loads(capsys.readouterr().out)
    if command is RULES:
        assert own["tree"]["relation"] == "condition"
        assert (own["text"], other["text"]) == ("If it rains, we go home.", TEXT)
    else:
        assert own["text"] == "If it rains, we go home."
    assert run([*command, str(path), "--input", "text"]) == 0
    assert "segment id" in capsys.readouterr().out


def test_the_tree_of_a_tree_file_is_drawn(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "own.rs3"
    path.write_text(RS3)
    assert run([*RULES, str(path), "--format", "tree"]) == 0
    assert "condition 0–1" in capsys.readouterr().out


def test_what_a_reader_leaves_out_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "a.md"
    path.write_text("The bridge is closed.\n\n|a|b|\n|-|-|\n|1|2|\n")
    assert run([*RULES, str(path), "--format", "json"]) == 0
    shown = capsys.readouterr()
    assert shown.err.endswith("a.md: 1 table was left out (tables-skipped)\n")
    assert json.loads(shown.out)["markup"]["kind"] == "markdown"
    assert run([*RULES, str(path), "--quiet"]) == 0
    assert capsys.readouterr().err == ""
