"""The root command, its help texts, and how errors become exit codes."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from discobert import __version__, errors
from discobert.__main__ import main
from discobert.cli import app as app_module
from discobert.cli.app import COMMANDS, Command, run
from discobert.cli.exit_codes import exit_code


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (errors.UsageError("x"), 2),
        (errors.ConfigError("x"), 2),
        (errors.MissingExtra("ray", "batch"), 2),
        (errors.InputError("x"), 3),
        (errors.FormatError("x"), 3),
        (errors.BundleError("x"), 4),
        (errors.InvalidSpan("x"), 1),
        (errors.DiscobertError("x"), 1),
    ],
)
def test_every_error_has_its_exit_code(error: errors.DiscobertError, code: int) -> None:
    assert exit_code(error) == code


def test_version_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--version"]) == 0
    assert re.fullmatch(
        rf"discobert {re.escape(__version__)} \(model discobert-en \d+\.\d+\.\d+\)\n",
        capsys.readouterr().out,
    )


def test_version_is_printed_without_a_model(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("discobert.store.bundle.SHIPPED", tmp_path)
    assert run(["--version"]) == 0
    assert capsys.readouterr().out == f"discobert {__version__}\n"


def test_help_is_a_command_too(capsys: pytest.CaptureFixture[str]) -> None:
    info = ["info", "--help"]
    same = (["help"], ["--help"]), (["help", "info"], info), (["--help", "info"], info)
    for asked, known in same:
        assert run(asked) == 0
        shown = capsys.readouterr().out
        assert run(known) == 0
        assert capsys.readouterr().out == shown


@pytest.mark.parametrize("name", [command.name for command in COMMANDS])
def test_help_of_every_command_ends_with_an_example(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([name, "--help"]) == 0
    out = capsys.readouterr().out
    assert f"Example: discobert {name}" in " ".join(out.split())
    assert "--quiet" in out
    assert "--debug" in out


@pytest.mark.parametrize("width", [40, 80, 200])
@pytest.mark.parametrize("name", ["--help", *(command.name for command in COMMANDS)])
def test_help_is_as_wide_as_the_terminal(
    name: str, width: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    assert run([name, "-h"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= width
    assert not any("<bool>" in line for line in lines)


def test_everyday_commands_come_first(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["-h"]) == 0
    out = capsys.readouterr().out
    assert out.index("Everyday") < out.index("  summarize ") < out.index("  info ")
    assert out.index("  info ") < out.index("Corpora, ") < out.index("  evaluate ")


def test_options_that_choose_among_names_show_them(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["summarize", "--help"]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert (
        "(text, json, jsonl, html, markdown, source or tree). [default: by the suffix of -o"
        in shown
    )
    assert "--quiet No progress" in shown


def test_no_command_shows_the_help_as_wrong_usage(capsys: pytest.CaptureFixture[str]) -> None:
    assert run([]) == 2
    assert "summarize" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["sumarize"], "unknown command 'sumarize' (did you mean summarize?); see"),
        (["--quiet"], "unknown option --quiet; see discobert --help"),
        (["summarize", "--word", "3"], "unknown option --word (did you mean --words?); see"),
        (["summarize", "--json"], "unknown option --json (did you mean --format json?); see"),
        (["summarize", "--html"], "(did you mean --format html?)"),
        (["summarize", "--query", "x"], "unknown option --query (did you mean --focus?); see"),
        (["summarize", "--max-words", "3"], "(did you mean --words?)"),
        (["summarize", "-n", "3"], "unknown option -n (did you mean --sentences or --words?)"),
        (["info", "-n"], "unknown option -n; see discobert info --help"),
        ([__file__], f"(did you mean discobert summarize {__file__}?)"),
        (["summarize", "-x"], "unknown option -x; see discobert summarize --help"),
        (
            ["summarize", "--format", "pdf"],
            "--format takes text, json, jsonl, html, markdown, source or tree, got 'pdf'",
        ),
        (["summarize", "--words", "many"], "--words takes a whole number, got 'many'"),
        (["summarize", "--words", "2.5"], "--words takes a whole number, got '2.5'"),
        (["summarize", "--ratio", "half"], "--ratio takes a number, got 'half'"),
        (["summarize", "--threads", "0"], "--threads takes a whole number of at least 1, got 0"),
        (["summarize", "--words"], "--words needs a value: --words N"),
        (["summarize", "--words", "--chars", "3"], "--words needs a value: --words N"),
        (["summarize", "--quiet=3"], "--quiet takes no value, got '3'"),
        (["prepare"], "SOURCE is missing"),
        (["prepare", "a", "b"], "--corpus is missing; use cnndm-jsonl, story, nyt"),
        (["stats", "a", "b"], "one argument too many: 'b'"),
    ],
)
def test_wrong_usage_is_one_line_that_points_to_the_help(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(arguments) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("error: ")
    assert message in err
    assert err.endswith("--help\n")
    assert err.count("\n") == 1


def raising(error: BaseException, monkeypatch: pytest.MonkeyPatch) -> None:
    """Make ``discobert fail`` a command that raises the error."""

    def fail(*, debug: bool = False) -> None:
        raise error

    monkeypatch.setattr(Command, "load", lambda command: fail)
    monkeypatch.setattr(app_module, "COMMANDS", (Command("fail", "", "", "everyday"),))


def test_fault_of_ours_is_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    raising(KeyError("two\nlines"), monkeypatch)
    assert run(["fail"]) == 1
    err = capsys.readouterr().err
    assert err.startswith("error: a fault of ours: KeyError")
    assert err.endswith("--debug shows where\n")
    assert err.count("\n") == 1


def test_debug_lets_the_traceback_through(monkeypatch: pytest.MonkeyPatch) -> None:
    raising(errors.InputError("x"), monkeypatch)
    with pytest.raises(errors.InputError):
        run(["fail", "--debug"])


def test_interrupt_exits_as_shells_expect(monkeypatch: pytest.MonkeyPatch) -> None:
    raising(KeyboardInterrupt(), monkeypatch)
    assert run(["fail"]) == 130


def test_entry_point_leaves_with_the_exit_code(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["discobert", "nonsense"])
    with pytest.raises(SystemExit) as exit_info:
        main()
    assert exit_info.value.code == 2


def test_module_runs_as_a_command_without_files_of_the_working_directory(tmp_path: Path) -> None:
    for name in ("dataclasses", "json", "numpy", "typing"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit(7)", encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "discobert", "--version"], capture_output=True, cwd=tmp_path
    )
    assert done.returncode == 0
    assert done.stdout.startswith(f"discobert {__version__} (model ".encode())
