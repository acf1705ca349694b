"""Decoding of plain text."""

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from discobert.errors import InputError, UsageError
from discobert.store.text import decode, printable, read_text

ODD = "One\r\nTwo\rThree\u2028na\u0308ive 👩‍👩‍👧 \u200b\ufeffend\x85\x0b"


def test_line_ends_emoji_and_combining_marks_survive(tmp_path: Path) -> None:
    path = tmp_path / "odd.txt"
    path.write_bytes(ODD.encode())
    assert read_text(path) == ODD


@given(st.text(alphabet=st.characters(codec="utf-8", exclude_characters="\0")))
def test_decoding_returns_every_character_but_a_leading_mark(text: str) -> None:
    assert decode(text.encode(), name="x") == text.removeprefix("\ufeff")


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-32"])
def test_byte_order_mark_names_the_encoding_and_is_dropped(encoding: str) -> None:
    assert decode(ODD.encode(encoding), name="x") == ODD


@pytest.mark.parametrize("codec", ["utf-16-be", "utf-32-be"])
def test_big_endian_mark_is_known(codec: str) -> None:
    assert decode(("\ufeff" + ODD).encode(codec), name="x") == ODD


def test_named_encoding_is_used() -> None:
    assert decode("café".encode("latin-1"), name="x", encoding="latin-1") == "café"


def test_wrong_encoding_names_byte_offset_and_option() -> None:
    with pytest.raises(InputError, match=r"a.txt: not UTF-8: byte 0xE9 at offset 3; .*--encoding"):
        decode(b"caf\xe9 au lait", name="a.txt")


def test_encoding_without_offsets_still_gives_a_clear_error() -> None:
    with pytest.raises(InputError, match=r"a\.txt: not UNDEFINED"):
        decode(b"abc", name="a.txt", encoding="undefined")


@pytest.mark.parametrize("encoding", ["utf-99", "base64"])
def test_unknown_encoding_is_wrong_usage(encoding: str) -> None:
    with pytest.raises(UsageError, match="unknown encoding"):
        decode(b"abc", name="x", encoding=encoding)


def test_binary_data_is_refused() -> None:
    with pytest.raises(InputError, match=r"x: binary data.*offset 2"):
        decode(b"\x89P\0\0", name="x")


def test_nul_in_decoded_text_is_refused() -> None:
    with pytest.raises(InputError, match="NUL character at offset 1"):
        decode("a\0b".encode("utf-16"), name="x")


@pytest.mark.parametrize(("make", "message"), [(None, "no such file"), (Path.mkdir, "a directory")])
def test_missing_file_and_directory_are_told_apart(
    tmp_path: Path, make: object, message: str
) -> None:
    path = tmp_path / "thing"
    if callable(make):
        make(path)
    with pytest.raises(InputError, match=f"thing: {message}"):
        read_text(path)


def test_other_reading_errors_keep_the_system_message(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(InputError, match="cannot be read: Not a directory"):
        read_text(tmp_path / "file" / "below")


def test_printable_names_hold_no_undecodable_bytes() -> None:
    assert printable(Path(os.fsdecode(b"caf\xe9.txt"))) == "caf\ufffd.txt"
