"""Sheets: balanced, repeatable, shared among raters, and silent about who wrote what."""

import re
from collections import Counter
from html import unescape

import pytest

from discobert.errors import InputError, UsageError
from discobert.evaluate.ratings.key import decode_key
from discobert.evaluate.ratings.sheet import (
    MAX_DOCUMENTS,
    PanelPlan,
    RatedDocument,
    SheetForm,
    panel_sheets,
    require_systems,
    write_sheet,
)

SYSTEMS = ("sentence-v1", "clauses-v2", "lead-v3")
WORDS = ("Old", "New", "Lead")


def documents(count: int, n_systems: int = 2) -> list[RatedDocument]:
    return [
        RatedDocument(
            f"id-{n}", f"Article {n}.", tuple(f"{word} {n}." for word in WORDS[:n_systems])
        )
        for n in range(count)
    ]


def page(count: int, n_systems: int = 2, *, seed: int = 0) -> str:
    given = documents(count, n_systems)
    (key,) = panel_sheets(given, SYSTEMS[:n_systems], PanelPlan(seed=seed))
    return write_sheet(given, key, SheetForm.HTML)


def shown(text: str) -> list[str]:
    return [unescape(found) for found in re.findall(r'class="shown" dir="auto">(.*?)</p>', text)]


@pytest.mark.parametrize("n_systems", [2, 3])
def test_the_key_tells_which_system_stands_where(n_systems: int) -> None:
    text = page(7, n_systems, seed=3)
    encoded = re.search(r'data-key="([^"]+)"', text)
    assert encoded is not None
    panel = decode_key(encoded[1], name="x").panel
    assert panel.systems == SYSTEMS[:n_systems]
    assert panel.documents == tuple(f"id-{n}" for n in range(7))
    expected = [
        f"{WORDS[SYSTEMS.index(panel.system_at(document, place))]} {document}."
        for document in range(7)
        for place in panel.places
    ]
    assert shown(text) == expected


def test_markdown_shows_the_same_order_as_the_page() -> None:
    given = documents(5, 3)
    (key,) = panel_sheets(given, SYSTEMS, PanelPlan())
    text = write_sheet(given, key, SheetForm.MARKDOWN)
    found = re.findall(r"^## Summary [ABC]\n\n(.*)$", text, re.MULTILINE)
    assert found == shown(write_sheet(given, key, SheetForm.HTML))


@pytest.mark.parametrize(("count", "seed"), [(10, 0), (11, 1), (11, 2)])
def test_each_of_two_systems_comes_first_on_half_of_the_documents(count: int, seed: int) -> None:
    firsts = Counter(text.split()[0] for text in shown(page(count, seed=seed))[::2])
    assert sorted(firsts.values()) == [count // 2, (count + 1) // 2]


def test_each_of_three_systems_stands_everywhere_equally_often() -> None:
    texts = [text.split()[0] for text in shown(page(12, 3))]
    for place in range(3):
        assert Counter(texts[place::3]) == dict.fromkeys(WORDS, 4)


def test_neither_system_gets_the_odd_document_always() -> None:
    assert {shown(page(1, seed=seed))[0] for seed in range(8)} == {"Old 0.", "New 0."}


@pytest.mark.parametrize("form", SheetForm)
def test_names_are_nowhere_on_a_sheet(form: SheetForm) -> None:
    given = documents(3, 3)
    (key,) = panel_sheets(given, SYSTEMS, PanelPlan())
    text = write_sheet(given, key, form)
    for name in (*SYSTEMS, "id-0"):
        assert name not in text


def test_the_same_call_gives_the_same_bytes_and_any_change_another_panel() -> None:
    assert page(4) == page(4)
    others = [page(4), page(4, seed=1), page(5), page(4, 3)]
    names = {re.findall(r'data-sheet="(\w+)"', text)[0] for text in others}
    assert len(names) == 4


def test_raters_share_some_documents_and_divide_the_others() -> None:
    plan = PanelPlan(raters=3, shared=4, seed=1)
    sheets = panel_sheets(documents(22), SYSTEMS[:2], plan)
    assert len({sheet.sheet for sheet in sheets}) == 3
    assert {sheet.panel for sheet in sheets} == {sheets[0].panel}
    counts = Counter(document for sheet in sheets for document in sheet.shown)
    assert sorted(counts.values()) == [1] * 18 + [3] * 4
    assert {len(sheet.shown) for sheet in sheets} == {10}
    assert sheets == panel_sheets(documents(22), SYSTEMS[:2], plan)


def test_items_keep_their_number_on_every_sheet() -> None:
    given = documents(5)
    sheets = panel_sheets(given, SYSTEMS[:2], PanelPlan(raters=2, shared=5))
    for sheet in sheets:
        text = write_sheet(given, sheet, SheetForm.HTML)
        numbers = [int(number) for number in re.findall(r'data-item="(\d+)"', text)]
        assert numbers == [document + 1 for document in sheet.shown]
        assert [int(found.split()[1][:-1]) + 1 for found in shown(text)[::2]] == numbers


def test_a_rater_without_documents_is_refused() -> None:
    with pytest.raises(UsageError, match="2 documents are too few for 3 raters"):
        panel_sheets(documents(2), SYSTEMS[:2], PanelPlan(raters=3, shared=0))


@pytest.mark.parametrize("systems", [[], ["a"], ["a", "b", "c", "d"]])
def test_two_or_three_systems_make_a_sheet(systems: list[str]) -> None:
    with pytest.raises(UsageError, match=f"two or three systems, got {len(systems)}"):
        require_systems(systems)


def test_empty_and_endless_sheets_are_refused() -> None:
    with pytest.raises(InputError, match="no article to rate"):
        page(0)
    with pytest.raises(
        UsageError, match=r"at most 1,000 documents, got 1,001; --limit or --sample"
    ):
        page(MAX_DOCUMENTS + 1)
