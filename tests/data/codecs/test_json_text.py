"""JSON of any depth."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from discobert.data.codecs.json_text import Json, _pieces, _Reader, dumps, loads, split_character
from discobert.errors import FormatError, InvalidValue

DEPTH = 5_000

values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3)
    ),
    max_leaves=12,
)


@given(values)
def test_values_survive(value: Json) -> None:
    text = dumps(value)
    assert text.encode()
    assert "\n" not in text
    assert json.loads(text) == loads(text) == value


@given(values)
def test_slow_and_fast_paths_agree(value: Json) -> None:
    text = json.dumps(value, ensure_ascii=False)
    assert "".join(_pieces(value)) == text
    assert _Reader(text).read() == value
    assert _Reader(json.dumps(value, indent=1)).read() == value


def test_deep_values_survive() -> None:
    value: Json = 1.5
    for _ in range(DEPTH):
        value = {"a": [value, None], "b": ""}
    text = dumps(value)
    back = loads(text)
    assert dumps(back) == text
    for _ in range(DEPTH):
        assert isinstance(back, dict)
        assert back["b"] == ""
        inner = back["a"]
        assert isinstance(inner, list)
        back = inner[0]
    assert back == 1.5


def test_text_stays_readable() -> None:
    assert dumps({"é": "日本 😀"}) == '{"é": "日本 😀"}'


def test_half_a_surrogate_pair_is_escaped() -> None:
    assert dumps("a\ud800") == '"a\\ud800"'
    assert loads(dumps("a\ud800")) == "a\ud800"


@pytest.mark.parametrize("value", [float("nan"), float("inf"), [-float("inf")]])
def test_infinite_numbers_are_refused(value: Json) -> None:
    with pytest.raises(InvalidValue, match="finite numbers only"):
        dumps(value)


BROKEN = [
    ("{", "double quotes"),
    ('{"a" 1}', "Expecting ':' delimiter (line 1, column 6)"),
    ('{"a": 1, 2}', "double quotes"),
    ('{"a": 1\n"b": 2}', "Expecting ',' delimiter (line 2, column 1)"),
    ("[1 2]", "Expecting ',' delimiter (line 1, column 4)"),
    ("[1}", "Expecting ',' delimiter"),
    ("[1", "Expecting ',' delimiter"),
    ("nul", "Expecting value"),
    ('"a', "Unterminated string"),
    ("NaN", "NaN is no number in JSON"),
]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        *BROKEN,
        ("", "Expecting value (line 1, column 1)"),
        ("[1] [", "Extra data (line 1, column 5)"),
    ],
)
def test_broken_text_is_refused_with_its_place(text: str, message: str) -> None:
    with pytest.raises(FormatError) as error:
        loads(text, name="tree.json")
    assert str(error.value).startswith("tree.json is not valid JSON: ")
    assert message in str(error.value)


@pytest.mark.parametrize(("text", "message"), BROKEN)
def test_broken_text_deep_down_is_refused_with_its_place(text: str, message: str) -> None:
    deep = "[" * DEPTH + text + "]" * DEPTH
    with pytest.raises(FormatError) as error:
        loads(deep)
    assert message.partition(" (")[0] in str(error.value)


def test_trailing_text_after_a_deep_value_is_refused() -> None:
    with pytest.raises(FormatError, match="Extra data"):
        loads("[" * DEPTH + "]" * DEPTH + " 1")


def test_absurdly_long_numbers_are_refused() -> None:
    with pytest.raises(FormatError, match="not valid JSON: Exceeds the limit"):
        loads("9" * 5000)


def test_white_space_between_deep_marks_is_skipped() -> None:
    text = "[ " * DEPTH + '{ "a" :\t1 , "b" : [ ] , "c" : { } }\n' + "] " * DEPTH
    value = loads(text)
    for _ in range(DEPTH):
        assert isinstance(value, list)
        (value,) = value
    assert value == {"a": 1, "b": [], "c": {}}


def test_two_halves_of_one_character_are_refused_as_json_would_join_them() -> None:
    assert loads(dumps("a\ude00\ud83db")) == "a\ude00\ud83db"
    with pytest.raises(InvalidValue, match="two halves of one character in a row"):
        dumps(["a\ud83d\ude00b"])


def test_the_place_of_a_split_character_is_found() -> None:
    assert split_character("ab\ud83d\ude00") == 2
    assert split_character("ab\ud83d c\ude00 😀") is None
