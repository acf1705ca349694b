"""Lines of JSON, plain and compressed, good and bad."""

import gzip
import lzma
from collections.abc import Callable
from pathlib import Path

import pytest

from discobert.errors import FormatError, InputError, UsageError
from discobert.store import jsonl
from discobert.store.jsonl import read_lines, read_rows

LINES = b'{"n": 0}\n\n{"n": 1}\r\n{"n": "\xe2\x80\xa8"}\n{"n": 3}'


def plain(data: bytes) -> bytes:
    return data


@pytest.fixture(params=[plain, gzip.compress, lzma.compress], ids=["plain", "gz", "xz"])
def path(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    compress: Callable[[bytes], bytes] = request.param
    file = tmp_path / "rows.jsonl"  # told by content, not by name
    file.write_bytes(compress(LINES))
    return file


def values(path: Path, *, skip: int = 0, limit: int | None = None) -> list[object]:
    return [row.field.member("n").value for row in read_rows(path, skip=skip, limit=limit)]


def test_objects_come_in_order_and_blank_lines_are_none(path: Path) -> None:
    assert values(path) == [0, 1, "\u2028", 3]
    assert [row.line for row in read_rows(path)] == [1, 3, 4, 5]


def test_a_slice_counts_objects(path: Path) -> None:
    assert values(path, skip=1, limit=2) == [1, "\u2028"]
    assert values(path, skip=9) == []


def test_nothing_after_the_slice_is_read(tmp_path: Path) -> None:
    file = tmp_path / "rows.jsonl"
    file.write_text('{"n": 0}\nbroken')
    assert values(file, limit=1) == [0]


def test_a_byte_order_mark_is_no_json(tmp_path: Path) -> None:
    file = tmp_path / "rows.jsonl"
    file.write_bytes(b'\xef\xbb\xbf{"n": 0}')
    assert values(file) == [0]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b'{"n": 0}\n{"n": }', "line 2 is not valid JSON"),
        (b"[1]", "line 1 must be an object"),
        (b'{"n": "\xff"}', "line 1: not UTF-8"),
    ],
)
def test_a_bad_line_is_named(tmp_path: Path, content: bytes, message: str) -> None:
    file = tmp_path / "rows.jsonl"
    file.write_bytes(content)
    with pytest.raises(InputError, match=message):
        values(file)


def test_json_errors_are_format_errors(tmp_path: Path) -> None:
    file = tmp_path / "rows.jsonl"
    file.write_bytes(b"no")
    with pytest.raises(FormatError):
        values(file)


@pytest.mark.parametrize("compress", [gzip.compress, lzma.compress])
def test_compressed_data_cut_short_is_an_input_error(
    tmp_path: Path, compress: Callable[[bytes], bytes]
) -> None:
    file = tmp_path / "rows.jsonl.x"
    file.write_bytes(compress(b'{"n": 0}\n' * 1000)[:-9])
    with pytest.raises(InputError, match="damaged or cut short"):
        values(file)


def test_a_missing_file_and_a_directory_are_input_errors(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        values(tmp_path / "none.jsonl")
    with pytest.raises(InputError, match="a directory"):
        values(tmp_path)
    with pytest.raises(InputError, match="cannot be read"):
        values(tmp_path / ("x" * 300))


@pytest.mark.parametrize(("skip", "limit"), [(-1, None), (0, 0)])
def test_an_impossible_slice_is_refused(tmp_path: Path, skip: int, limit: int | None) -> None:
    with pytest.raises(UsageError, match="need skip >= 0 and limit >= 1"):
        values(tmp_path / "none.jsonl", skip=skip, limit=limit)


def test_lines_are_entered_anywhere(path: Path) -> None:
    lines = list(read_lines(path))
    assert [line.number for line in lines] == [1, 3, 4, 5]
    for index, line in enumerate(lines):
        assert list(read_lines(path, skip=line.number - 1, offset=line.offset)) == lines[index:]


def test_a_line_too_long_for_memory_is_stepped_over(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jsonl, "LONGEST_LINE", 10)
    lines = list(read_lines(path))
    assert [line.whole for line in lines] == [True, True, False, True]
    assert [line.number for line in lines] == [1, 3, 4, 5]
    assert list(read_lines(path, skip=4, offset=lines[-1].offset)) == lines[-1:]
    with pytest.raises(InputError, match="line 4: longer than 10 bytes"):
        values(path)
