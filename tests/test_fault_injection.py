"""A full disk or a read error wherever a run writes or reads: told in a line, nothing half done."""

import errno
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.batch.corpus import rows, snapshot, write_rows
from tests.batch.in_process_engine import InProcessEngine

from discobert.batch.engine import run as run_module
from discobert.cli import app
from discobert.data.summary import ModelId
from discobert.store.bundle import open_bundle, write_bundle

OPTIONS = {
    "batch": ["--model", "rules", "--shard-size", "2", "--resume", "--quiet"],
    "prepare": [
        *("--model", "rules", "--shard-size", "2", "--resume", "--quiet"),
        *("--corpus", "cnndm-jsonl"),
    ],
}
MOST_PLACES = 40


class Failing:
    """Lets one call of a function fail, by its number, and counts all of them."""

    def __init__(self, function: Callable[..., Any], at: int, error: int) -> None:
        self.function = function
        self.at = at
        self.error = error
        self.calls = 0

    def __call__(self, *given: Any, **named: Any) -> Any:  # noqa: ANN401 - as the function
        self.calls += 1
        if self.calls == self.at:
            raise OSError(self.error, os.strerror(self.error))
        return self.function(*given, **named)

    @property
    def has_failed(self) -> bool:
        return self.calls >= self.at


def run_here(command: str, source: Path, out: Path) -> int:
    """Carry out a command without any other process and return its exit code."""
    with pytest.MonkeyPatch.context() as here:
        here.setattr(run_module, "run_local", InProcessEngine())
        return app.run([command, str(source), str(out), *OPTIONS[command]])


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return write_rows(tmp_path / "in.jsonl", rows(3, paragraphs=1))


@pytest.mark.parametrize("command", OPTIONS)
@pytest.mark.parametrize("function", ["fsync", "replace"])
def test_a_full_disk_at_any_place_is_told_and_resumed(
    data: Path, capsys: pytest.CaptureFixture[str], command: str, function: str
) -> None:
    undisturbed = data.with_name("undisturbed")
    assert run_here(command, data, undisturbed) == 0
    codes = []
    for place in range(1, MOST_PLACES):
        out = data.with_name(f"out-{place}")
        holder: Any = os if function == "fsync" else Path
        failing = Failing(getattr(holder, function), place, errno.ENOSPC)
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(holder, function, lambda *given, failing=failing: failing(*given))
            codes.append(run_here(command, data, out))
        if not failing.has_failed:
            break
        error = capsys.readouterr().err
        assert "cannot be written: No space left on device" in error
        assert error.count("\n") == 1
        assert not out.exists()
        assert run_here(command, data, out) == 0
        assert snapshot(out) == snapshot(undisturbed)
    assert codes == [2] * (len(codes) - 1) + [0]
    assert len(codes) > 4


def test_a_corpus_that_cannot_be_read_is_an_input_error(
    data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    real_open: Callable[..., Any] = Path.open
    codes = []
    for place in range(1, MOST_PLACES):
        out = data.with_name(f"out-{place}")
        failing = Failing(real_open, place, errno.EIO)

        def opened(path: Path, *given: object, failing: Failing = failing, **named: object) -> Any:  # noqa: ANN401 - as Path.open
            chosen = failing if path.name == "in.jsonl" else real_open
            return chosen(path, *given, **named)

        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(Path, "open", opened)
            codes.append(run_here("batch", data, out))
        if not failing.has_failed:
            break
        assert "in.jsonl" in capsys.readouterr().err
        assert not out.exists()
        assert run_here("batch", data, out) == 0
    assert codes == [3] * (len(codes) - 1) + [0]
    assert len(codes) > 1


def test_a_bundle_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    content = {"tokenizer.json": b"{}", "MODEL_CARD.md": b"#", "a.onnx": b"a"}

    def write() -> None:
        write_bundle(tmp_path / "b", model=ModelId("x", "1"), settings={}, files=content)

    real: Callable[..., Any] = Path.write_bytes
    for place in range(1, 6):
        failing = Failing(real, place, errno.ENOSPC)
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(Path, "write_bytes", lambda *given, failing=failing: failing(*given))
            with pytest.raises(OSError, match="No space left"):
                write()
        assert not list(tmp_path.iterdir())
    write()
    open_bundle(tmp_path / "b").verify()


def test_an_error_of_a_disk_is_no_fault_of_ours_in_any_command(
    data: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), "run/curve.csv")

    monkeypatch.setattr("discobert.api.Summarizer.load", full)
    assert app.run(["summarize", str(data)]) == 2
    expected = "error: run/curve.csv: cannot be written or read: No space left on device\n"
    assert capsys.readouterr().err == expected
