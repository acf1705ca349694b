"""Sheets: balanced, repeatable, and silent about who wrote what."""

import re
from html import unescape

import pytest

from discobert.data.rating import Place
from discobert.errors import InputError, UsageError
from discobert.evaluate.ratings.key import decode_key
from discobert.evaluate.ratings.sheet import SHEET_LIMIT, Rated, rating_sheet, require_two

SYSTEMS = ("sentence-v1", "clauses-v2")


def rated(count: int) -> list[Rated]:
    return [Rated(f"id-{n}", f"Article {n}.", (f"Old {n}.", f"New {n}.")) for n in range(count)]


def shown(page: str) -> list[str]:
    return [unescape(text) for text in re.findall(r'class="shown" dir="auto">(.*?)</p>', page)]


def test_the_key_tells_who_stood_where() -> None:
    page = rating_sheet(rated(7), SYSTEMS, seed=3)
    encoded = re.search(r'data-key="([^"]+)"', page)
    assert encoded is not None
    key = decode_key(encoded[1], name="x")
    assert key.systems == SYSTEMS
    assert key.documents == tuple(f"id-{n}" for n in range(7))
    for document in range(7):
        for place, text in zip(Place, shown(page)[2 * document :], strict=False):
            word = "Old" if key.system_at(document, place) == SYSTEMS[0] else "New"
            assert text == f"{word} {document}."


def test_each_system_comes_first_on_half_of_the_documents() -> None:
    for count, seed in ((10, 0), (11, 1), (11, 2)):
        firsts = shown(rating_sheet(rated(count), SYSTEMS, seed=seed))[::2]
        assert sum(text.startswith("Old") for text in firsts) in {count // 2, (count + 1) // 2}


def test_neither_system_gets_the_odd_document_always() -> None:
    firsts = {shown(rating_sheet(rated(1), SYSTEMS, seed=seed))[0] for seed in range(8)}
    assert firsts == {"Old 0.", "New 0."}


def test_names_are_nowhere_on_the_page() -> None:
    page = rating_sheet(rated(3), SYSTEMS, seed=0)
    for name in (*SYSTEMS, "id-0"):
        assert name not in page


def test_the_same_call_gives_the_same_bytes_and_any_change_another_sheet() -> None:
    page = rating_sheet(rated(4), SYSTEMS, seed=0)
    assert rating_sheet(rated(4), SYSTEMS, seed=0) == page
    others = [
        rating_sheet(rated(4), SYSTEMS, seed=1),
        rating_sheet(rated(5), SYSTEMS, seed=0),
        rating_sheet(rated(4), SYSTEMS[::-1], seed=0),
    ]
    names = [re.findall(r'data-sheet="(\w+)"', text)[0] for text in (page, *others)]
    assert len(set(names)) == 4


@pytest.mark.parametrize("systems", [[], ["a"], ["a", "b", "c"]])
def test_exactly_two_systems_make_a_sheet(systems: list[str]) -> None:
    with pytest.raises(UsageError, match=f"exactly two systems, got {len(systems)}"):
        require_two(systems)


def test_empty_and_endless_sheets_are_refused() -> None:
    with pytest.raises(InputError, match="no article to rate"):
        rating_sheet([], SYSTEMS, seed=0)
    with pytest.raises(
        UsageError, match=r"at most 1,000 documents, got 1,001; --limit or --sample"
    ):
        rating_sheet(rated(SHEET_LIMIT + 1), SYSTEMS, seed=0)
