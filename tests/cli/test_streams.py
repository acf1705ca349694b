"""Streams that are closed or full, terminals, and signals."""

import io
import os
import pty
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from discobert.cli.app import run
from discobert.cli.streams import tell, visible

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="needs /dev/full and /proc")
COMMAND = f"{sys.executable} -m discobert"
RULES = "--model rules --words 9"


@pytest.fixture
def text(tmp_path: Path) -> Path:
    file = tmp_path / "a.txt"
    file.write_text("It rained all day. The old bridge was closed.")
    return file


def shell(line: str) -> tuple[int, str, str]:
    done = subprocess.run(
        ["/bin/sh", "-c", line], capture_output=True, text=True, check=False, timeout=60
    )
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize("command", ["--version", "--help", "summarize --help"])
def test_a_full_standard_output_is_an_error(command: str) -> None:
    code, _, error = shell(f"{COMMAND} {command} > /dev/full")
    assert code == 2
    assert error == "error: standard output: cannot be written: No space left on device\n"


def test_results_to_a_full_or_closed_output_are_errors(text: Path) -> None:
    code, _, error = shell(f"{COMMAND} summarize {text} {RULES} > /dev/full")
    assert (code, error.count("\n")) == (2, 1)
    code, _, error = shell(f"{COMMAND} summarize {text} {RULES} >&-")
    assert code == 2
    assert error == "error: standard output is closed; name a file with -o\n"


def test_closed_output_does_no_harm_to_a_file_that_is_named(text: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.txt"
    code, _, error = shell(f"{COMMAND} summarize {text} {RULES} -o {out} >&- 2>&- <&-")
    assert (code, error) == (0, "")
    assert out.read_text() == "It rained all day. The old bridge was closed.\n"


HELLO = (
    '{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": '
    '"2024-11-05", "capabilities": {}, "clientInfo": {"name": "a", "version": "1"}}}'
)


@pytest.mark.parametrize("stream", ["<&-", ">&-", "> /dev/full"])
def test_messages_that_cannot_be_exchanged_are_an_error(stream: str) -> None:
    pytest.importorskip("mcp", reason="needs the mcp extra")
    code, _, error = shell(f"(echo '{HELLO}'; sleep 1) | {COMMAND} mcp --model rules -q {stream}")
    assert (code, error.count("\n")) == (2, 1)
    assert error.startswith("error: standard ")


@pytest.mark.parametrize("stream", ["2> /dev/full", "2>&-"])
def test_errors_that_nobody_can_be_told_keep_their_exit_code(stream: str) -> None:
    code, output, _ = shell(f"{COMMAND} summarize /no/such/file {stream}")
    assert (code, output) == (3, "")


@pytest.mark.parametrize("stream", ["2> /dev/full", "2>&-"])
def test_errors_of_one_of_several_files_keep_the_exit_code(stream: str, text: Path) -> None:
    code, output, _ = shell(f"{COMMAND} summarize /no/such/file {text} {RULES} {stream}")
    assert code == 3
    assert "error" not in output
    assert output.endswith("It rained all day. The old bridge was closed.\n")


def test_a_reader_that_leaves_is_no_error(text: Path) -> None:
    code, _, error = shell(f"({COMMAND} summarize {text} {RULES}; echo $? >&2) | true")
    assert (code, error.strip()) in {(0, "141"), (0, "0")}


def test_control_characters_are_written_out() -> None:
    assert visible("a\tb\nc\x1b[2Jd\x9be\x7f\r") == "a\tb\nc\\x1b[2Jd\\x9be\\x7f\\x0d"


def on_terminal(arguments: list[str]) -> str:
    """Run the command with both streams on a terminal and return what it shows."""
    main, other = pty.openpty()
    command = [sys.executable, "-m", "discobert", *arguments]
    process = subprocess.Popen(command, stdout=other, stderr=other, stdin=subprocess.DEVNULL)
    os.close(other)
    shown = b""
    try:
        while part := os.read(main, 4096):
            shown += part
    except OSError:  # the other side is closed
        pass
    os.close(main)
    process.wait(30)
    return shown.decode()


def test_escape_sequences_of_documents_do_not_reach_a_terminal(tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    file.write_text("It rained\x1b]0;owned\x07 all day. The old\x1b[2J bridge was closed.")
    shown = on_terminal(["summarize", str(file), "--model", "rules", "--words", "40"])
    assert "\x1b" not in shown
    assert r"\x1b]0;owned\x07" in shown


def test_escape_sequences_of_file_names_do_not_reach_a_terminal(tmp_path: Path) -> None:
    shown = on_terminal(["summarize", str(tmp_path / "no\x1b[2Jfile")])
    assert "\x1b" not in shown
    assert r"no\x1b[2Jfile" in shown


def test_escape_sequences_of_one_of_several_names_do_not_reach_a_terminal(tmp_path: Path) -> None:
    shown = on_terminal(["summarize", str(tmp_path / "a\x1b[2J"), str(tmp_path / "b\x1b[2J")])
    assert "\x1b" not in shown
    assert r"a\x1b[2J" in shown


def test_what_a_pipe_takes_is_unchanged(tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    file.write_text("It rained\x1b[2J all day.")
    _, output, _ = shell(f"{COMMAND} summarize {file} {RULES}")
    assert output == "It rained\x1b[2J all day.\n"


INTERRUPTED = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)  # jobs in the background ignore it
class Finder:
    def find_spec(self, name, path=None, target=None):
        if name == sys.argv[1]:
            signal.raise_signal(signal.SIGINT)
sys.meta_path.insert(0, Finder())
from discobert.__main__ import main
main()
"""


@pytest.mark.parametrize("module", ["discobert.errors", "discobert.cli.app"])
def test_an_interrupt_during_imports_is_no_traceback(module: str) -> None:
    command = [sys.executable, "-c", INTERRUPTED, module]
    done = subprocess.run(command, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (130, b"")


def test_lack_of_memory_is_an_error_of_the_input(
    text: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def greedy(*_: object, **__: object) -> None:
        raise MemoryError

    monkeypatch.setattr("discobert.api.Summarizer.load", greedy)
    assert run(["summarize", str(text)]) == 3
    assert capsys.readouterr().err.startswith("error: not enough memory for this input")


PARENT = """
import subprocess, sys
child = sys.argv[1]
arguments = [sys.executable, "-I", child, "pdf", "60", "2000000000", "9"]
process = subprocess.Popen(arguments, stdin=subprocess.PIPE)
print(process.pid, flush=True)
process.wait()
"""


def is_running(pid: int) -> bool:
    state = Path(f"/proc/{pid}/stat")
    try:
        return state.read_text().rsplit(")", maxsplit=1)[-1].split()[0] != "Z"
    except FileNotFoundError:
        return False


def test_the_process_that_reads_a_file_ends_with_its_parent() -> None:
    from discobert.store.inputs import child

    parent = subprocess.Popen(
        [sys.executable, "-c", PARENT, str(child.__file__)], stdout=subprocess.PIPE, text=True
    )
    assert parent.stdout is not None
    pid = int(parent.stdout.readline())
    _wait(lambda: "child.py" in Path(f"/proc/{pid}/cmdline").read_text())
    time.sleep(0.5)  # until it has asked the system to end it
    parent.send_signal(signal.SIGTERM)
    parent.communicate(timeout=10)
    _wait(lambda: not is_running(pid))
    assert not is_running(pid)


def _wait(condition: object) -> None:
    assert callable(condition)
    for _ in range(100):
        if condition():
            return
        time.sleep(0.1)


def test_messages_are_wrapped_on_a_terminal_and_nowhere_else(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    message = "warning: a.txt: “She” (line 3): the summary does not say who that is; line 1 does"
    monkeypatch.setenv("COLUMNS", "40")
    for is_terminal in (True, False):
        stream = io.StringIO()
        monkeypatch.setattr(stream, "isatty", lambda is_terminal=is_terminal: is_terminal)
        monkeypatch.setattr(sys, "stderr", stream)
        tell(message)
        lines = stream.getvalue().splitlines()
        assert " ".join(map(str.strip, lines)) == message
        assert (max(map(len, lines)) <= 40) is is_terminal
