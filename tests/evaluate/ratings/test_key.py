"""Keys that say nothing to the eye."""

import base64
import json
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.evaluate.rating_builders import KEY

from discobert.data.rating import SheetKey
from discobert.errors import FormatError
from discobert.evaluate.ratings import key as rating_key
from discobert.evaluate.ratings.key import decode_key, encode_key


@given(
    st.lists(st.text(), min_size=2, max_size=2, unique=True),
    st.lists(st.tuples(st.text(), st.booleans()), min_size=1, max_size=20),
)
def test_a_key_is_read_as_it_was_written(
    systems: list[str], documents: list[tuple[str, bool]]
) -> None:
    key = SheetKey(
        "s",
        (systems[0], systems[1]),
        tuple(d for d, _ in documents),
        tuple(s for _, s in documents),
    )
    assert decode_key(encode_key(key), name="x") == key


def test_a_key_shows_nothing_even_when_decoded_by_hand() -> None:
    text = encode_key(SheetKey("s", ("sentence", "discobert"), ("bridge",), (True,)))
    data = base64.urlsafe_b64decode(text)
    for hidden in (b"sentence", b"discobert", b"bridge"):
        assert hidden not in text.encode()
        assert hidden not in data
    with pytest.raises(zlib.error):
        zlib.decompress(data)


@pytest.mark.parametrize("text", ["", "?", "abcd", "é", encode_key(KEY)[:-8]])
def test_a_damaged_key_is_refused(text: str) -> None:
    with pytest.raises(FormatError, match=r"x\.key is damaged: .*save the ratings again"):
        decode_key(text, name="x")


def test_a_key_that_unfolds_without_end_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rating_key, "_LARGEST", 10)
    with pytest.raises(FormatError, match="cut short, or too large"):
        decode_key(encode_key(KEY), name="x")


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ({"systems": ["a"]}, r"x\.key\.systems must be two names"),
        ({"systems": ["a", "b"]}, r"x\.key lacks the member 'sheet'"),
        (
            {"systems": ["a", "a"], "sheet": "s", "documents": ["d"], "swapped": [True]},
            r"x\.key: two systems are called 'a'",
        ),
    ],
)
def test_a_key_of_other_content_is_refused(value: object, message: str) -> None:
    data = rating_key._veiled(zlib.compress(json.dumps(value).encode()))  # noqa: SLF001 - forged
    with pytest.raises(FormatError, match=message):
        decode_key(base64.urlsafe_b64encode(data).decode(), name="x")
