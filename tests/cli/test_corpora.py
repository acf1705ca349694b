"""The commands prepare, batch and stats: what they write, say and refuse."""

import gzip
import json
import sys
from io import StringIO
from pathlib import Path

import pytest
from tests.batch.corpus import read_json_lines, rows, write_rows
from tests.batch.in_process_engine import InProcessEngine

from discobert.batch.engine import run as run_module
from discobert.batch.engine.run import Outcome
from discobert.cli.app import run
from discobert.cli.run_options import ProgressBar, report_outcome

RULES = ("--model", "rules", "--jobs", "1")


@pytest.fixture(autouse=True)
def engine(monkeypatch: pytest.MonkeyPatch) -> InProcessEngine:
    made = InProcessEngine()
    monkeypatch.setattr(run_module, "run_local", made)
    return made


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return write_rows(tmp_path / "in.jsonl", rows(7, paragraphs=2))


def prepared(data: Path, *options: str) -> Path:
    pytest.importorskip("pyarrow")
    out = data.with_name("out")
    assert run(["prepare", str(data), str(out), "--corpus", "cnndm-jsonl", *RULES, *options]) == 0
    return out


def test_batch_writes_a_line_a_text(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = data.with_name("out.jsonl")
    assert run(["batch", str(data), str(out), "--words", "15", *RULES]) == 0
    found = read_json_lines(out)
    assert [line["id"] for line in found] == [f"doc-{n}" for n in range(7)]
    for line in found:
        assert isinstance(line["words"], int)
        assert line["words"] <= 15
    assert "7 documents, 0 failed" in capsys.readouterr().err
    assert run(["batch", str(data), str(out), "--words", "15", *RULES, "--resume"]) == 0
    assert "nothing to do: all 7 documents were done before" in capsys.readouterr().err


def test_bad_texts_are_lines_too(tmp_path: Path) -> None:
    good = {"id": "good", "text": "The ferry sank because the storm came."}
    long = {"id": "long", "text": "word " * 1_000_000}
    lines: list[str | dict[str, object]] = [
        "{broken",
        {"id": "fieldless", "body": "x"},
        {"id": "empty", "article": []},
        {**long},
        {**good},
        {**good},
    ]
    data = write_rows(tmp_path / "in.jsonl", lines)
    out = tmp_path / "out.jsonl"
    assert run(["batch", str(data), str(out), *RULES, "--quiet"]) == 0
    found = read_json_lines(out)
    assert [line["id"] for line in found] == ["1", "fieldless", "empty", "long", "good", "good"]
    errors = [line["error"] for line in found if "error" in line]
    codes = [error["code"] for error in errors if isinstance(error, dict)]
    assert codes == ["malformed-json", "missing-field", "empty-text", "too-long", "duplicate-id"]
    assert "5,000,000 characters, the limit is 1,000,000" in str(found[3])


def test_prepare_tells_of_documents_that_failed(
    data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_rows(data, [*rows(3), {"id": "bare", "article": ["It rains."]}])
    out = prepared(data)
    assert f"4 documents, 1 failed ({out}/errors.jsonl)" in capsys.readouterr().err
    assert read_json_lines(out / "errors.jsonl")[0]["id"] == "bare"


def test_compressed_input_is_read_and_cut(data: Path) -> None:
    packed = data.with_name("in.jsonl.gz")
    packed.write_bytes(gzip.compress(data.read_bytes()))
    out = prepared(packed, "--skip", "2", "--limit", "3", "--shard-size", "2", "--quiet")
    manifest = json.loads((out / "manifest.json").read_text())
    assert manifest["documents"] == 3
    assert [shard["documents"] for shard in manifest["shards"]] == [2, 1]


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["missing.jsonl", "out", "--corpus", "jsonl"], 3, "missing.jsonl: no such file"),
        (["in.jsonl", "out", "--corpus", "jsonl", "--column", "text=body"], 3, "its columns: id"),
        (["in.csv", "out", "--corpus", "csv", "--column", "text=body"], 3, "its columns: id, text"),
        (["in.jsonl", "out", "--corpus", "jsonl", "--column", "body"], 2, "PART=COLUMN"),
        (["in.jsonl", "in.jsonl/out", "--corpus", "jsonl"], 2, "cannot be written"),
        (["in.jsonl", "out", "--corpus", "jsonl", "--list", "x"], 2, "takes no list"),
        (["in.jsonl", "out", "--corpus", "story"], 3, "no such folder"),
        (["in.jsonl", "out", "--corpus", "wrong"], 2, "cnndm-jsonl"),
        (["in.jsonl", "out", "--corpus", "jsonl", "--ray-address", "x"], 2, "needs the engine ray"),
        (["in.jsonl", "out", "--corpus", "jsonl", "--model", "none"], 4, "no such model"),
    ],
)
def test_a_wrong_call_is_told_in_a_line(
    data: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
    code: int,
    message: str,
) -> None:
    monkeypatch.chdir(data.parent)
    Path("in.csv").write_text("id,text,summary\n")
    assert run(["prepare", "--model", "rules", *arguments]) == code
    said = capsys.readouterr().err
    assert message in said
    assert len(said.splitlines()) <= 2
    assert sorted(path.name for path in data.parent.iterdir()) == ["in.csv", "in.jsonl"]


def test_an_output_from_another_input_is_refused(
    data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = str(data.with_name("out.jsonl"))
    assert run(["batch", str(data), out, *RULES]) == 0
    write_rows(data, rows(5))
    assert run(["batch", str(data), out, *RULES]) == 2
    assert "--force replaces it" in capsys.readouterr().err
    assert run(["batch", str(data), out, *RULES, "--force"]) == 0


def test_an_interrupt_is_no_fault(
    data: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(run_module, "run_local", interrupted)
    assert run(["batch", str(data), str(data.with_name("out.jsonl")), *RULES]) == 130
    said = capsys.readouterr().err
    assert "--resume goes on from there" in said
    assert "Traceback" not in said


def test_the_input_is_never_the_output(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = data.read_bytes()
    assert run(["batch", str(data), str(data), *RULES, "--force"]) == 2
    assert "is an input too" in capsys.readouterr().err
    assert data.read_bytes() == before


def test_stats_stand_beside_the_paper(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = str(prepared(data, "--quiet"))
    assert run(["stats", out, "--verify"]) == 0
    table = capsys.readouterr().out
    assert "CNN/DM (paper)" in table
    assert "oracle sentences after the tenth, %" in table
    assert "█" in table
    assert run(["stats", out, "--format", "json"]) == 0
    figures = json.loads(capsys.readouterr().out)
    assert figures["documents"] == 7
    assert figures["run"]["model"]["name"] == "rules"
    assert figures["averages"]["sentences"] == 8
    assert figures["averages"]["RST edges"] == figures["averages"]["EDUs"] - 1
    assert sum(figures["histograms"][2]["series"]["reference"]) == 7
    assert run(["stats", out, "--format", "markdown"]) == 0
    assert capsys.readouterr().out.startswith("| average a document | this corpus |")


def test_stats_cut_only_what_has_pieces(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["stats", str(prepared(data, "--quiet")), "--max-pieces", "768"]) == 3
    assert "prepared without word pieces, so it cannot be cut" in capsys.readouterr().err


def test_stats_draw_a_page_that_needs_nothing_else(data: Path) -> None:
    page = data.with_name("page.html")
    assert run(["stats", str(prepared(data, "--quiet")), "--format", "html", "-o", str(page)]) == 0
    text = page.read_text(encoding="utf-8")
    assert text.count("<svg") == 3
    assert "http" not in text.replace("http://www.w3.org/2000/svg", "")  # a name, not an address
    assert "<script" not in text


def test_stats_of_something_else_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["stats", str(tmp_path)]) == 3
    assert "no prepared corpus there" in capsys.readouterr().err


def test_a_bar_is_drawn_for_somebody_who_watches(monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(StringIO):
        def isatty(self) -> bool:
            return True

    screen = Terminal()
    monkeypatch.setattr(sys, "stderr", screen)
    with ProgressBar("Preparing", quiet=False) as bar:
        bar.scanned(10)
        bar.begun(10, 4)
        bar.advanced(3)
    drawn = screen.getvalue()
    assert "Preparing" in drawn
    assert "7/10" in drawn
    quiet = Terminal()
    monkeypatch.setattr(sys, "stderr", quiet)
    with ProgressBar("Preparing", quiet=True) as bar:
        bar.begun(1, 0)
        bar.advanced(1)
    assert quiet.getvalue() == ""


def test_an_outcome_is_summed_up(capsys: pytest.CaptureFixture[str]) -> None:
    report_outcome(Outcome(10, 1, 2.0, 4, 3, damaged=1), where=" (errors.jsonl)", quiet=False)
    assert capsys.readouterr().err.splitlines() == [
        "10 documents, 1 failed (errors.jsonl); 2.0 s, 3.0 documents a second",
        "4 of them were done before",
        "warning: 3 listed articles are not in the corpus",
        "warning: 1 finished shards were damaged and done again",
    ]
