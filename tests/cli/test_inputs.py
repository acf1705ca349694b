"""Texts from files and standard input."""

import io
import sys
from pathlib import Path

import pytest

from discobert.cli.inputs import FileErrors, read_sources, refuse_overwriting
from discobert.data.analysis import Analysis
from discobert.data.document import SourceText
from discobert.errors import InputError, UsageError


def read(files: list[str]) -> list[SourceText | Analysis]:
    return read_sources(files, FileErrors(several=False))


def pipe(data: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))


@pytest.mark.parametrize("files", [[], ["-"]])
def test_standard_input_is_read_exactly(files: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    pipe("a\r\nb é".encode(), monkeypatch)
    assert read(files) == [SourceText("stdin", "a\r\nb é")]


def test_files_keep_their_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(b"one")
    pipe(b"two", monkeypatch)
    assert read([str(path), "-", str(path)]) == [
        SourceText(str(path), "one"),
        SourceText("stdin", "two"),
        SourceText(str(path), "one"),
    ]


def test_standard_input_is_read_once_only() -> None:
    with pytest.raises(UsageError, match="only once"):
        read(["-", "-"])


def test_nothing_given_at_a_terminal_is_wrong_usage(monkeypatch: pytest.MonkeyPatch) -> None:
    pipe(b"", monkeypatch)
    monkeypatch.setattr(sys.stdin, "isatty", lambda: True)
    with pytest.raises(UsageError, match="no input: name a file"):
        read([])


def test_closed_standard_input_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(UsageError, match="no input"):
        read([])
    with pytest.raises(InputError, match="stdin: closed"):
        read(["-"])


def test_output_must_not_be_an_input(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.touch()
    refuse_overwriting(None, [str(path)])
    refuse_overwriting(tmp_path / "new", [str(path)])
    refuse_overwriting(path, [str(tmp_path / "missing"), "-"])
    with pytest.raises(UsageError, match=r"a\.txt: is an input too"):
        refuse_overwriting(path, [str(tmp_path / "." / "a.txt")])
