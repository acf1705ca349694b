"""Results, notes and progress."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from discobert.cli.outputs import emit, note, progress, spinner


def test_result_goes_to_standard_output_as_utf8(capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    emit("é\r\n", None)
    assert capsysbinary.readouterr().out == "é\r\n".encode()


def test_result_goes_to_a_file(tmp_path: Path) -> None:
    emit("é \ud800\n", tmp_path / "out")
    assert (tmp_path / "out").read_bytes() == b"\xc3\xa9 \\ud800\n"


@pytest.mark.parametrize(("quiet", "expected"), [(False, "a\nb\n"), (True, "")])
def test_notes_go_to_standard_error_unless_quiet(
    quiet: bool, expected: str, capsys: pytest.CaptureFixture[str]
) -> None:
    note(["a", "b"], quiet=quiet)
    assert capsys.readouterr() == ("", expected)


@pytest.mark.parametrize("quiet", [False, True])
def test_progress_passes_all_items_on(
    quiet: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    assert list(progress([1, 2, 3], label="Counting", quiet=quiet)) == [1, 2, 3]
    assert capsys.readouterr().out == ""


def test_progress_is_silent_without_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    assert list(progress([1, 2, 3], label="Counting", quiet=False)) == [1, 2, 3]
    assert capsys.readouterr() == ("", "")


FLOOD = (
    "import sys; from discobert.cli import app\n"
    "from discobert.cli.outputs import emit\n"
    "app.COMMANDS = (app.Command('flood', '', '', 'everyday'),)\n"
    "app.Command.load = lambda command: lambda: emit('x' * 1_000_000, None)\n"
    "sys.exit(app.run(['flood']))"
)


@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_all_of_a_long_result_is_written(unbuffered: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", FLOOD],
        capture_output=True,
        check=True,
        env={**os.environ, "PYTHONUNBUFFERED": unbuffered},
    )
    assert len(done.stdout) == 1_000_000


def test_reader_that_leaves_early_is_no_error() -> None:
    with subprocess.Popen(
        [sys.executable, "-c", FLOOD], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.read(1)
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait() == 141


def test_a_long_text_shows_its_stage(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from discobert.runtime.stages import steps

    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    monkeypatch.setenv("TERM", "xterm")
    with spinner(30_000, quiet=False):
        list(steps("parsing", [0, 1], 2))
    assert "Parsing 50%" in capsys.readouterr().err
    for n_chars, quiet in ((30_000, True), (300, False)):
        with spinner(n_chars, quiet=quiet):
            list(steps("parsing", [0, 1], 2))
        assert capsys.readouterr().err == ""
