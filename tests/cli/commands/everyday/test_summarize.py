"""``discobert summarize``, as users call it."""

import io
import json
import sys
from pathlib import Path

import pytest
from tests.builders import analysis, tree

from discobert.cli.app import run
from discobert.data.codecs.analysis import encode_analysis
from discobert.data.codecs.json_text import dumps
from discobert.data.summary import ModelId
from discobert.errors import InputError, MissingExtra
from discobert.store.bundle import write_bundle
from discobert.store.treebanks import format_tree, from_analysis

TEXT = (
    "The old bridge, which carries many cars, was closed in May.\r\n\r\n"
    "Engineers found cracks – 🙂 – because salt had eaten the steel. Na\u0308ive hopes died.\r\n"
)
RULES = ("summarize", "--model", "rules")
PAPER = (*RULES, "--style", "paper")


@pytest.fixture
def article(tmp_path: Path) -> Path:
    path = tmp_path / "article.txt"
    path.write_bytes(TEXT.encode())
    return path


def test_text_is_printed(article: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run([*PAPER, str(article), "--words", "7"]) == 0
    assert capsys.readouterr() == ("The old bridge was closed in May.\n", "")


def test_json_units_are_slices_of_the_input(
    article: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([*PAPER, str(article), "--words", "7", "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["format"] == 1
    assert found["id"] == str(article)
    assert found["words"] == 7
    assert found["text"] == " ".join(found["sentences"])
    assert "no network" in found["model"]["name"]
    for unit in found["units"]:
        assert TEXT[unit["start"] : unit["end"]] == unit["text"]
    covered = "".join(unit["text"] for unit in found["units"])
    assert "".join(covered.split()) == "".join(TEXT.split())
    chosen = {unit["index"] for unit in found["units"] if unit["selected"]}
    assert all(chosen.issuperset(unit["depends_on"]) for unit in found["units"] if unit["selected"])


def test_several_files_give_one_array(article: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run([*RULES, str(article), str(article), "--format", "json"]) == 0
    first, second = json.loads(capsys.readouterr().out)
    assert first == second


def test_one_bad_file_does_not_stop_the_others(
    article: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    empty = tmp_path / "empty.txt"
    empty.write_text("", encoding="utf-8")
    missing = tmp_path / "missing.txt"
    files = [str(missing), str(article), str(empty)]
    assert run([*RULES, *files, "--format", "json"]) == 3
    out, err = capsys.readouterr()
    (found,) = json.loads(out)
    assert found["id"] == str(article)
    assert err.splitlines() == [
        f"error: {missing}: no such file",
        f"error: {empty}: the text is empty",
    ]
    assert run(["analyze", "--model", "rules", *files]) == 3
    (found,) = json.loads(capsys.readouterr().out)
    assert found["id"] == str(article)


def test_bad_files_alone_write_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for command in ("summarize", "analyze"):
        assert run([command, "--model", "rules", str(tmp_path / "a"), str(tmp_path / "b")]) == 3
        out, err = capsys.readouterr()
        assert (out, err.count("no such file")) == ("", 2)


def test_source_and_tree_show_what_was_chosen(
    article: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([*PAPER, str(article), "--words", "7", "--format", "source"]) == 0
    first = capsys.readouterr().out.split("\n\n")[1]
    assert first == "[The old bridge,] which carries many cars, [was closed in May.]"
    assert run([*PAPER, str(article), "--words", "7", "--format", "tree"]) == 0
    assert " 0* The old bridge," in capsys.readouterr().out
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert run([*PAPER, str(article), "--words", "7", "--format", "tree"]) == 0
    assert "\033[1;32mThe old bridge,\033[0m" in capsys.readouterr().out


def test_json_lines_and_markdown_are_written(
    article: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([*PAPER, str(article), "--format", "jsonl"]) == 0
    assert json.loads(capsys.readouterr().out)["format"] == 1
    assert run([*PAPER, str(article), "--format", "markdown", "--words", "7"]) == 0
    assert "\n- The old bridge was closed in May.\n" in capsys.readouterr().out


def test_page_is_written_for_a_file_of_that_name(article: Path, tmp_path: Path) -> None:
    assert run([*PAPER, str(article), "--words", "7", "-o", str(tmp_path / "a.html")]) == 0
    page = (tmp_path / "a.html").read_text(encoding="utf-8")
    assert page.startswith("<!DOCTYPE html>")
    assert "7 of 26 words" in page


def test_a_file_that_cannot_be_written_is_refused_before_any_work(
    article: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for command in ("summarize", "analyze"):
        output = tmp_path / "out.docx"
        assert run([command, "--model", "none", str(article), "-o", str(output)]) == 2
        assert capsys.readouterr().err.startswith("error: out.docx: .docx is none of the kinds")
        assert not output.exists()


def test_terminal_shows_how_long_the_summary_is(
    article: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    monkeypatch.setenv("COLUMNS", "20")
    assert run([*PAPER, str(article), "--words", "7"]) == 0
    header, text = capsys.readouterr().out.split("\n\n")
    assert " ".join(header.split()) == f"{article}: 7 of 26 words (27 %), from 1 of 3 sentences"
    assert text == "The old bridge was\nclosed in May.\n"


def test_content_can_be_steered(
    article: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([*PAPER, str(article), "--edus", "1", "--focus", "cracks"]) == 0
    assert "cracks" in capsys.readouterr().out
    assert run([*PAPER, str(article), "--words", "9", "--focus", "elephants"]) == 0
    assert "focus-not-found" in capsys.readouterr().err
    path = tmp_path / "quotes.txt"
    path.write_text("“We left,” she said. It rained. Nobody came.", encoding="utf-8")
    assert run([*PAPER, str(path), "--words", "5", "--exclude-quotes", "--keep-lead"]) == 0
    assert capsys.readouterr().out == "It rained. Nobody came.\n"


def test_offsets_refer_to_the_text_that_json_can_carry(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "notes.md"
    path.write_text("# The bridge\n\nIt was **closed** in May.", encoding="utf-8")
    for form in ("json", "jsonl"):
        assert run([*RULES, str(path), "--format", form, "--include-source"]) == 0
        found = json.loads(capsys.readouterr().out)
        assert found["source"] == "The bridge\n\nIt was closed in May.\n"
        for unit in found["units"]:
            assert found["source"][unit["start"] : unit["end"]] == unit["text"]
    assert run([*RULES, str(path), "--format", "json", "--input", "text"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert "**closed**" in found["text"]
    assert "source" not in found


def test_lines_of_json_give_a_summary_each(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = b'{"id": "a", "text": "It rained."}\n{"id": "b", "article": ["Bo left."]}\n'
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(lines)))
    assert run([*RULES]) == 0
    assert capsys.readouterr().out == "==> a <==\nIt rained.\n\n==> b <==\nBo left.\n"


@pytest.mark.parametrize(
    ("error", "code"),
    [(InputError("a.pdf: is encrypted"), 3), (MissingExtra("pypdf", "inputs"), 2)],
)
def test_file_that_gives_no_text_is_one_line(
    error: Exception,
    code: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def refuse(*arguments: object, **options: object) -> str:
        raise error

    monkeypatch.setattr("discobert.store.inputs.read.extract_text", refuse)
    path = tmp_path / "a.pdf"
    path.write_bytes(b"%PDF-1.7")
    assert run([*RULES, str(path)]) == code
    assert capsys.readouterr() == ("", f"error: {error}\n")


def test_scripts_in_a_text_are_shown_not_run(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("The page <script>alert(1)</script> was closed.", encoding="utf-8")
    assert run([*RULES, str(path), "-o", str(tmp_path / "a.html")]) == 0
    page = (tmp_path / "a.html").read_text(encoding="utf-8")
    assert "&lt;script&gt;alert(1)" in page
    assert page.count("<script>") == 1


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (["--sentences", "1"], "The old bridge, which carries many cars, was closed in May."),
        (["--edus", "2"], "The old bridge was closed in May."),
        (["--chars", "40"], "The old bridge was closed in May."),
        (["--ratio", "0.35"], "The old bridge was closed in May."),
        (["--words", "12", "--unit", "sentence"], TEXT.splitlines()[0]),
        (["--words", "500"], TEXT.replace("\r\n\r\n", " ").strip()),
    ],
)
def test_lengths_are_upper_bounds(
    options: list[str], expected: str, article: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([*PAPER, str(article), *options]) == 0
    assert capsys.readouterr().out == f"{expected}\n"


def test_unit_that_fits_nowhere_is_given_with_a_warning(
    article: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = [*PAPER, str(article), "--words", "1"]
    assert run(arguments) == 0
    out, err = capsys.readouterr()
    assert out.strip()
    assert "over-budget" in err
    assert run([*arguments, "--quiet"]) == 0
    again, err = capsys.readouterr()
    assert again == out
    assert "over-budget" in err  # a broken bound is told in quiet mode, too


def test_a_summary_well_below_its_length_says_why(
    article: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = [*PAPER, str(article), "--words", "500"]
    assert run(arguments) == 0
    noted = capsys.readouterr().err
    assert noted.startswith(f"note: {article}: ends after ")
    assert noted.endswith(" of 500 words: the summary is the whole text\n")
    for silent in ([*arguments, "--quiet"], [*PAPER, str(article)]):
        assert run(silent) == 0
        assert capsys.readouterr().err == ""


def test_one_word_comes_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"Hello")))
    assert run([*RULES]) == 0
    assert capsys.readouterr().out == "Hello\n"


def test_output_file_is_written_and_nothing_printed(
    article: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([*PAPER, str(article), "--words", "7", "-o", str(tmp_path / "out")]) == 0
    assert (tmp_path / "out").read_text() == "The old bridge was closed in May.\n"
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "the text is empty"),
        (b" \r\n\t", "nothing but white space"),
        (b"12 + 3 = 15!", "no letters"),
        (b"PK\x03\x04\0\0", "a ZIP archive"),
        (b"Text \0", "binary data"),
        (b"caf\xe9", "not UTF-8: byte 0xE9 at offset 3"),
    ],
)
def test_unreadable_text_is_one_line_and_code_three(
    content: bytes, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "bad.txt"
    path.write_bytes(content)
    assert run([*RULES, str(path)]) == 3
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(f"error: {path}: ")
    assert message in err
    assert err.count("\n") == 1


@pytest.mark.parametrize("name", [".", "missing.txt"])
def test_directory_and_missing_file_are_code_three(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([*RULES, str(tmp_path / name)]) == 3
    assert capsys.readouterr().err.count("\n") == 1


@pytest.mark.parametrize(
    "options",
    [
        ["--words", "9", "--edus", "2"],
        ["--words", "0"],
        ["--ratio", "1.5"],
        ["--ratio", "nan"],
        ["--encoding", "utf-99"],
        ["--unit", "word"],
        ["--style", "poem"],
        ["--focus", "!"],
        ["--input", "odt"],
        ["-o", "{article}"],
        ["{article}", "--analysis", "x.rs3"],
        ["--analysis", "x.txt"],
    ],
)
def test_contradictory_or_impossible_options_are_code_two(
    options: list[str], article: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given = [option.format(article=article) for option in options]
    assert run([*RULES, str(article), *given]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1


def test_named_encoding_is_used(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "latin.txt"
    path.write_bytes("Café.".encode("latin-1"))
    assert run([*RULES, str(path), "--encoding", "latin-1"]) == 0
    assert capsys.readouterr().out == "Café.\n"


def test_missing_and_damaged_models_are_code_four(
    article: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["summarize", str(article), "--model", "klingon"]) == 4
    assert "klingon: no such model" in capsys.readouterr().err
    files = {"tokenizer.json": b"{}", "MODEL_CARD.md": b"#"}
    write_bundle(tmp_path / "tiny", model=ModelId("t", "1"), settings={}, files=files)
    (tmp_path / "tiny" / "config.json").write_bytes(b"{}")
    assert run(["summarize", str(article), "--model", str(tmp_path / "tiny")]) == 4
    assert "config.json: damaged" in capsys.readouterr().err


BROUGHT = analysis(
    "[He left] [because it rained.] | [She stayed.]", tree("NS", tree("SN", 0, 1), 2)
)


@pytest.mark.parametrize("kind", ["json", "rs3", "dis"])
def test_brought_discourse_is_obeyed(
    kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / f"a.{kind}"
    written = dumps(encode_analysis(BROUGHT)) if kind == "json" else None
    path.write_text(written or format_tree(from_analysis(BROUGHT), kind), encoding="utf-8")
    arguments = [*PAPER, "--analysis", str(path), "--edus", "1", "--format", "json"]
    assert run(arguments) == 0
    units = json.loads(capsys.readouterr().out)["units"]
    assert [unit["depends_on"] for unit in units] == [[1], [], []]
    assert [unit["selected"] for unit in units] == [False, True, False]


def test_brought_discourse_must_be_of_the_text(
    article: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "a.rs3"
    path.write_text(format_tree(from_analysis(BROUGHT), "rs3"), encoding="utf-8")
    assert run([*RULES, str(article), "--analysis", str(path)]) == 3
    assert "EDU 1 is not in the text" in capsys.readouterr().err


def test_tree_with_a_missing_edu_is_code_three(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "a.dis"
    whole = format_tree(from_analysis(BROUGHT), "dis")
    lines = [line for line in whole.splitlines() if "She stayed" not in line]
    path.write_text("\n".join(lines), encoding="utf-8")
    assert run([*RULES, "--analysis", str(path)]) == 3
    assert capsys.readouterr().err.count("\n") == 1


def test_the_source_goes_with_json_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "a.txt"
    path.write_text("It rained.", encoding="utf-8")
    assert run([*RULES, str(path), "--include-source"]) == 2
    assert "goes with --format json or jsonl, not text" in capsys.readouterr().err
    assert run([*RULES, str(path), "--include-source", "-o", str(tmp_path / "a.json")]) == 0


def test_units_of_markdown_name_their_place_in_the_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    markdown = "# Port *news*\n\nThe [old](x) bridge\nis &amp; was shut.\n\n- Nobody *came*.\n"
    path = tmp_path / "a.md"
    path.write_text(markdown)
    assert run([*RULES, str(path), "--words", "500", "--format", "json", "--include-source"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["extracted_from"] == "markdown"
    units = found["units"]
    assert [found["source"][unit["start"] : unit["end"]] for unit in units] == [
        unit["text"] for unit in units
    ]
    assert [markdown[unit["source_start"] : unit["source_end"]] for unit in units] == [
        "Port *news",
        "The [old](x) bridge\nis &amp; was shut.",
        "Nobody *came*.",
    ]
    assert [unit.get("kind") for unit in units] == ["heading", None, "list-item"]


def test_pieces_of_a_transcript_have_speaker_and_time(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "a.vtt"
    path.write_text(
        "WEBVTT\n\n00:01.500 --> 00:03.000\n<v Ann>The bridge\n\n"
        "00:03.000 --> 00:04.000\nis closed."
    )
    assert run([*RULES, str(path), "--format", "json"]) == 0
    (unit,) = json.loads(capsys.readouterr().out)["units"]
    assert unit["text"] == "Ann: The bridge is closed."
    assert (unit["speaker"], unit["time"], unit["kind"]) == ("Ann", [1.5, 4.0], "turn")


def test_analysis_and_tree_file_do_not_go_together(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "own.dis"
    path.write_text("( Root (leaf 1) (text _!It rains._!) )")
    assert run([*RULES, str(path), "--analysis", str(path)]) == 2
    assert "is an analysis itself" in capsys.readouterr().err


def test_sentences_of_a_readme_are_those_that_a_reader_sees(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "README.md"
    path.write_text(
        "**Status**\nThe tool works with 1.4.2. fzf reads its lists. See x.yaml. docker does.\n"
        "## Install it\nRun `make`. Then start it.\n- It is small\n- It is fast\n"
    )
    assert run([*RULES, str(path), "--words", "500", "--format", "json"]) == 0
    whole = json.loads(capsys.readouterr().out)["sentences"]
    assert whole == [
        "The tool works with 1.4.2.", "fzf reads its lists.", "See x.yaml.",
        "docker does.", "Run make.", "Then start it.", "It is small.", "It is fast.",
    ]  # fmt: skip
    assert run([*RULES, str(path), "--sentences", "3", "--format", "json"]) == 0
    shown = json.loads(capsys.readouterr().out)["sentences"]
    assert len(shown) == 3
    assert set(shown) <= set(whole)
