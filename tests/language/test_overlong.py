from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from discobert.data.document import Span
from discobert.language.sentences import MOST_CHARACTERS, NewsSplitter, sections


def cut(text: str, most: int) -> list[str]:
    return [span.of(text) for span in sections(text, Span(0, len(text)), most=most)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("short", ["short"]),
        ("aaaaaaa; bb, cc dd", ["aaaaaaa;", "bb, cc dd"]),
        ("aa bb, cc dd ee ff", ["aa bb,", "cc dd ee", "ff"]),
        ("aaaaaa bb cc dd ee", ["aaaaaa bb", "cc dd ee"]),
        ("abcdefghijklmnopqrstuvw", ["abcdefghij", "klmnopqrst", "uvw"]),
        ("a                        b", ["a", "b"]),
    ],
)
def test_sections_end_at_the_best_mark_of_their_second_half(text: str, found: list[str]) -> None:
    assert cut(text, 10) == found


@given(
    st.text(alphabet="ab ,;\n\t\u3000", min_size=1).map(str.strip).filter(bool), st.integers(2, 9)
)
def test_sections_cover_all_but_space_in_order(text: str, most: int) -> None:
    found = list(sections(text, Span(0, len(text)), most=most))
    assert all(len(span) <= most for span in found)
    assert all(one.end <= two.start for one, two in pairwise(found))
    assert "".join("".join(span.of(text).split()) for span in found) == "".join(text.split())


def test_a_sentence_of_the_splitter_is_never_overlong() -> None:
    text = "go " * 5_000 + "on. The end."
    found = NewsSplitter().split(text)
    lengths = [len(span) for span in found.sentences]
    assert max(lengths) <= MOST_CHARACTERS
    assert found.sentences[-1].of(text) == "The end."
    assert found.paragraphs == (0,)


def test_nothing_follows_the_last_section() -> None:
    text = f"{'a' * 40}{' ' * 10}"
    assert list(sections(text, Span(0, 50), most=40)) == [Span(0, 40)]
