"""The root command, its help texts, and how errors become exit codes."""

import subprocess
import sys

import pytest
import typer

from discobert import __version__, errors
from discobert.__main__ import main
from discobert.cli import app as app_module
from discobert.cli.app import COMMANDS, run
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
    assert capsys.readouterr().out == f"discobert {__version__}\n"


@pytest.mark.parametrize("name", [command.name for command in COMMANDS])
def test_help_of_every_command_ends_with_an_example(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([name, "--help"]) == 0
    out = capsys.readouterr().out
    assert f"Example: discobert {name}" in out
    assert "--quiet" in out
    assert "--debug" in out


def test_no_command_shows_the_help_as_wrong_usage(capsys: pytest.CaptureFixture[str]) -> None:
    assert run([]) == 2
    assert "summarize" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["sumarize"], "No such command 'sumarize'"),
        (["summarize", "--lines", "3"], "No such option: --lines"),
        (["summarize", "--format", "pdf"], "'pdf' is not one of 'text', 'json'"),
        (["summarize", "--words", "many"], "Invalid value for '--words'"),
        (["summarize", "--threads", "0"], "Invalid value for '--threads'"),
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
    app = typer.Typer()

    @app.callback()
    def root() -> None:
        pass

    @app.command()
    def fail(*, debug: bool = False) -> None:
        raise error

    monkeypatch.setattr(app_module, "make_app", lambda wanted: app)


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


def test_module_runs_as_a_command() -> None:
    done = subprocess.run([sys.executable, "-m", "discobert", "--version"], capture_output=True)
    assert (done.returncode, done.stdout) == (0, f"discobert {__version__}\n".encode())
