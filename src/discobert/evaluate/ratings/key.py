"""Keys of rating sheets as text that cannot be read at a glance.

This keeps raters from seeing by chance which system wrote which summary. It is no encryption:
anyone with this code can decode it, so that a saved file is all that scoring needs.
"""

import base64
import hashlib
import zlib

from discobert.data.codecs.fields import FORMAT, Field, refused, versioned
from discobert.data.codecs.json_text import Json, JsonObject, dumps, loads
from discobert.data.rating import PAPER_QUESTIONS, PanelKey, Question, SheetKey
from discobert.errors import FormatError

KEY_KIND = "discobert-rating-key"
_SALT = b"discobert rating sheet "
_MAX_BYTES = 1 << 24
"""A larger key can only be a file made to exhaust memory."""


def encode_key(key: SheetKey) -> str:
    """Write the key of a sheet."""
    panel = key.panel
    value: JsonObject = {
        "sheet": key.sheet,
        "shown": list(key.shown),
        "panel": panel.panel,
        "systems": list(panel.systems),
        "documents": list(panel.documents),
        "orders": [list(order) for order in panel.orders],
        "questions": [question.value for question in panel.questions],
    }
    data = _obscure(zlib.compress(dumps(value).encode(), 9))
    return base64.urlsafe_b64encode(data).decode()


def decode_key(text: str, *, name: str) -> SheetKey:
    """Read what ``encode_key`` wrote; ``name`` is the source of the text, for errors.

    Keys of earlier versions, with two systems and the paper's three questions, are read, too.
    """
    field = Field(loads(_decompressed(text, name), name=f"{name}.key"), f"{name}.key")
    sheet = field.member("sheet").text()
    with refused(field):
        panel = PanelKey(
            panel=field.optional("panel", sheet).text(),
            systems=field.member("systems").items(Field.text),
            documents=field.member("documents").items(Field.text),
            orders=_orders(field),
            questions=_questions(field),
        )
        everything: Json = list(range(len(panel.documents)))
        shown = field.optional("shown", everything).items(Field.integer)
        return SheetKey(sheet, panel, shown)


def _orders(field: Field) -> tuple[tuple[int, ...], ...]:
    if "swapped" in field.object():
        swapped = field.member("swapped").items(Field.flag)
        return tuple((1, 0) if is_swapped else (0, 1) for is_swapped in swapped)
    return field.member("orders").items(lambda order: order.items(Field.integer))


def _questions(field: Field) -> tuple[Question, ...]:
    if "questions" not in field.object():
        return PAPER_QUESTIONS
    names = field.member("questions").items(Field.text)
    unknown = set(names) - {question.value for question in Question}
    if unknown:
        raise field.member("questions").error("questions of this version")
    return tuple(map(Question, names))


def write_key_file(key: SheetKey) -> str:
    """Write the key file that belongs to the Markdown sheets of a panel."""
    return f"{dumps({'format': FORMAT, 'kind': KEY_KIND, 'key': encode_key(key)})}\n"


def read_key_file(value: Json, *, name: str) -> PanelKey:
    """Read the parsed JSON of a key file."""
    return decode_key(versioned(value, name).member("key").text(), name=name).panel


def _decompressed(text: str, name: str) -> str:
    try:
        return _inflate(_obscure(base64.b64decode(text, altchars=b"-_", validate=True))).decode()
    except (ValueError, zlib.error) as error:
        raise FormatError(
            f"{name}.key is damaged: {error}; save the ratings again from the sheet"
        ) from error


def _inflate(data: bytes) -> bytes:
    reader = zlib.decompressobj()
    found = reader.decompress(data, _MAX_BYTES)
    if not reader.eof:
        raise ValueError("it is cut short, or too large")
    return found


def _obscure(data: bytes) -> bytes:
    """Combine data with a fixed stream by exclusive or; applied twice, it is as before."""
    stream = b"".join(
        hashlib.sha256(_SALT + block.to_bytes(8)).digest() for block in range(len(data) // 32 + 1)
    )
    return bytes(a ^ b for a, b in zip(data, stream, strict=False))
