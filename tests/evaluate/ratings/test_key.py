"""Keys that cannot be read at a glance."""

import base64
import json
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.evaluate.rating_builders import KEY

from discobert.data.rating import PAPER_QUESTIONS, PanelKey, SheetKey
from discobert.errors import FormatError
from discobert.evaluate.ratings import key as rating_key
from discobert.evaluate.ratings.key import decode_key, encode_key, read_key_file, write_key_file


@st.composite
def sheets(draw: st.DrawFn) -> SheetKey:
    systems = draw(st.lists(st.text(), min_size=2, max_size=3, unique=True))
    documents = draw(st.lists(st.text(), min_size=1, max_size=20))
    order = st.permutations(range(len(systems))).map(tuple)
    orders = draw(st.lists(order, min_size=len(documents), max_size=len(documents)))
    panel = PanelKey("p", tuple(systems), tuple(documents), tuple(orders))
    shown = draw(st.lists(st.integers(0, len(documents) - 1), unique=True))
    return SheetKey("p-1", panel, tuple(shown))


@given(sheets())
def test_a_key_is_read_as_it_was_written(key: SheetKey) -> None:
    assert decode_key(encode_key(key), name="x") == key


def test_a_key_file_holds_the_panel() -> None:
    assert read_key_file(json.loads(write_key_file(KEY)), name="x") == KEY.panel


def forged(value: object) -> str:
    data = rating_key._obscure(zlib.compress(json.dumps(value).encode()))  # noqa: SLF001 - forged
    return base64.urlsafe_b64encode(data).decode()


def test_keys_of_two_systems_from_earlier_versions_are_read() -> None:
    old = {"sheet": "s", "systems": ["x", "y"], "documents": ["a", "b"], "swapped": [False, True]}
    key = decode_key(forged(old), name="x")
    assert key.panel == PanelKey("s", ("x", "y"), ("a", "b"), ((0, 1), (1, 0)), PAPER_QUESTIONS)
    assert (key.sheet, key.shown) == ("s", (0, 1))


def test_a_key_shows_nothing_even_when_decoded_by_hand() -> None:
    panel = PanelKey("p", ("sentence", "discobert"), ("bridge",), ((1, 0),))
    text = encode_key(SheetKey("s", panel, (0,)))
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


def test_a_key_that_expands_without_end_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rating_key, "_MAX_BYTES", 10)
    with pytest.raises(FormatError, match="cut short, or too large"):
        decode_key(encode_key(KEY), name="x")


WHOLE = {"sheet": "s", "systems": ["a", "b"], "documents": ["d"], "orders": [[0, 1]]}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"systems": ["a"]}, r"x\.key: a panel has 2 to 3 systems, got 1"),
        ({"sheet": None}, r"x\.key\.sheet must be a string"),
        ({"systems": ["a", "a"]}, r"x\.key: two systems are called 'a'"),
        ({"orders": [[1, 1]]}, r"x\.key: \(1, 1\) is no order"),
        ({"questions": ["style"]}, r"x\.key\.questions must be questions of this version"),
        ({"shown": [1]}, r"x\.key: document 2 of 1"),
    ],
)
def test_a_key_of_other_content_is_refused(change: dict[str, object], message: str) -> None:
    with pytest.raises(FormatError, match=message):
        decode_key(forged({**WHOLE, **change}), name="x")
