"""The key of a rating sheet as text that says nothing to the eye.

It keeps a rater from seeing by chance which system wrote what. It is no secret: whoever runs this
code can read it, so that a saved file is all that scoring needs.
"""

import base64
import hashlib
import zlib

from discobert.data.fields import Field, refused
from discobert.data.json_text import JsonObject, dumps, loads
from discobert.data.rating import SheetKey
from discobert.errors import FormatError

_SALT = b"discobert rating sheet "
_LARGEST = 1 << 24
"""Bytes of a key; more can only be a file made to do harm."""


def encode_key(key: SheetKey) -> str:
    """Write a key so that nobody reads it by accident."""
    value: JsonObject = {
        "sheet": key.sheet,
        "systems": list(key.systems),
        "documents": list(key.documents),
        "swapped": list(key.swapped),
    }
    data = _veiled(zlib.compress(dumps(value).encode(), 9))
    return base64.urlsafe_b64encode(data).decode()


def decode_key(text: str, *, name: str) -> SheetKey:
    """Read what ``encode_key`` wrote; ``name`` says in errors where the text is from."""
    field = Field(loads(_unveiled(text, name), name=f"{name}.key"), f"{name}.key")
    systems = field.member("systems").items(Field.text)
    if len(systems) != 2:
        raise field.member("systems").error("two names")
    with refused(field):
        return SheetKey(
            sheet=field.member("sheet").text(),
            systems=(systems[0], systems[1]),
            documents=field.member("documents").items(Field.text),
            swapped=field.member("swapped").items(Field.flag),
        )


def _unveiled(text: str, name: str) -> str:
    try:
        return _inflated(_veiled(base64.b64decode(text, altchars=b"-_", validate=True))).decode()
    except (ValueError, zlib.error) as error:
        raise FormatError(
            f"{name}.key is damaged: {error}; save the ratings again from the sheet"
        ) from error


def _inflated(data: bytes) -> bytes:
    reader = zlib.decompressobj()
    found = reader.decompress(data, _LARGEST)
    if not reader.eof:
        raise ValueError("it is cut short, or too large")
    return found


def _veiled(data: bytes) -> bytes:
    """Mix data with a fixed stream; done twice, it is as before."""
    stream = b"".join(
        hashlib.sha256(_SALT + block.to_bytes(8)).digest() for block in range(len(data) // 32 + 1)
    )
    return bytes(a ^ b for a, b in zip(data, stream, strict=False))
