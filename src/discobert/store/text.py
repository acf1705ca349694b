"""Plain text files: decoding without any change of characters or line ends."""

import codecs
import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

from discobert.errors import InputError, MissingFile, UsageError

# UTF-32 first: its little-endian mark starts with that of UTF-16.
_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


def read_text(path: Path, *, encoding: str | None = None) -> str:
    """Read a file as ``decode`` does."""
    return decode(read_bytes(path), name=printable(path), encoding=encoding)


def decode(data: bytes, *, name: str, encoding: str | None = None) -> str:
    """Decode by the named encoding, else by the byte order mark, else as UTF-8.

    The mark is dropped and every other character kept, so that offsets into the result are
    offsets into the input.
    """
    if encoding is not None:
        _require_codec(encoding)
    codec = encoding or next((codec for mark, codec in _MARKS if data.startswith(mark)), None)
    if codec is None and b"\0" in data:
        raise InputError(
            f"{name}: binary data, not text (a NUL byte at offset {data.index(0)}); "
            "if it is UTF-16 without a byte order mark, add --encoding utf-16-le or utf-16-be"
        )
    text = _decode(data, codec or "utf-8", name)
    if "\0" in text:
        raise InputError(f"{name}: not text: a NUL character at offset {text.index(chr(0))}")
    return text


def printable(path: Path) -> str:
    """Return the path as valid Unicode, whatever bytes its name holds."""
    return os.fsencode(path).decode("utf-8", "replace")


def read_bytes(path: Path) -> bytes:
    """Read a file; raise an input error that names it if that fails."""
    with reading(path):
        return path.read_bytes()


@contextlib.contextmanager
def reading(path: Path) -> Iterator[None]:
    """Turn errors of the system inside the block into input errors that name the file."""
    name = printable(path)
    try:
        yield
    except FileNotFoundError:
        raise MissingFile(f"{name}: no such file") from None
    except IsADirectoryError:
        raise InputError(f"{name}: a directory, not a file; name the files in it") from None
    except OSError as error:
        raise InputError(f"{name}: cannot be read: {error.strerror}") from error


def _require_codec(encoding: str) -> None:
    try:
        is_text = codecs.lookup(encoding)._is_text_encoding  # noqa: SLF001 - no public name for it
    except LookupError:
        is_text = False
    if not is_text:
        raise UsageError(
            f"unknown encoding {encoding!r}; use a name such as utf-8, utf-16, latin-1 or cp1252"
        )


def _decode(data: bytes, codec: str, name: str) -> str:
    try:
        return data.decode(codec)
    except UnicodeDecodeError as error:
        raise InputError(
            f"{name}: not {codec.removesuffix('-sig').upper()}: byte 0x{data[error.start]:02X} "
            f"at offset {error.start}; if it is another encoding, name it: --encoding latin-1"
        ) from error
    except UnicodeError as error:  # some codecs, such as idna, give no offset
        raise InputError(f"{name}: not {codec.upper()}: {error}") from error
