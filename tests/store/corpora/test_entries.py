"""Which articles can be used, and why others cannot."""

import pytest
from tests.builders import analysis

from discobert.store.corpora.articles import Article
from discobert.store.corpora.entries import (
    Analysed,
    Demands,
    Rejected,
    checked_entry,
    entry_id,
    rejected,
)


def article(text: str = "It rains.", reference: tuple[str, ...] = ("Rain.",)) -> Article:
    return Article("a", "", text, reference)


def test_a_good_article_passes_as_it_is() -> None:
    entry = article()
    assert checked_entry(entry, Demands()) is entry


@pytest.mark.parametrize(
    ("entry", "code"),
    [
        (article(" \n"), "empty-text"),
        (article("x" * 11), "too-long"),
        (article(reference=()), "no-reference"),
        (article(reference=(" ",)), "no-reference"),
        (article("half \ud800"), "invalid-text"),
        (article("a \0 byte"), "invalid-text"),
    ],
)
def test_a_bad_article_is_rejected_with_a_code(entry: Article, code: str) -> None:
    found = checked_entry(entry, Demands(max_chars=10))
    assert isinstance(found, Rejected)
    assert (found.id, found.code) == ("a", code)


def test_the_limit_and_the_size_are_named() -> None:
    found = checked_entry(article("x" * 1500), Demands(max_chars=1000))
    assert isinstance(found, Rejected)
    assert "1,500 characters, the limit is 1,000" in found.message


def test_a_reference_is_needed_only_on_demand() -> None:
    entry = article(reference=())
    assert checked_entry(entry, Demands(reference=False)) is entry


def test_an_article_with_its_analysis_is_checked_like_any_other() -> None:
    own = Analysed(article(reference=()), analysis("[It rains.]"))
    assert entry_id(own) == "a"
    assert isinstance(checked_entry(own, Demands()), Rejected)


def test_what_is_written_down_is_valid_unicode() -> None:
    assert rejected("\udcff", "code", "\ud800!") == Rejected("�", "code", "�!")
