"""Which mentions may stand in one chain."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discobert.discourse.chains import Chains, NameIndex, name_key
from discobert.discourse.mentions import describe_mentions


def chains(*mentions: str) -> Chains:
    """Lay mentions out one after the other, each a few words."""
    words = [word for mention in mentions for word in mention.split()]
    ends = np.cumsum([len(mention.split()) for mention in mentions]).astype(np.int32)
    firsts = np.concatenate([[0], ends[:-1]]).astype(np.int32)
    lasts = (ends - 1).astype(np.int32)
    return Chains(words, firsts, lasts, describe_mentions(words, firsts, lasts).kinds)


def may_be_one(one: str, two: str) -> bool:
    names = NameIndex()
    names.add(name_key(one.split()))
    return names.admit(name_key(two.split()))


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("Ann Lee", "Lee"),
        ("Stephanie Lee", "Steph"),
        ("the Football Association", "The F . A ."),
        ("UN", "United Nations"),
        ("The President", "Ann Lee"),
        ("Mr", "Ann Lee"),
        ("Rovers ' s", "Rovers"),
    ],
)
def test_names_that_may_be_of_one_thing(one: str, two: str) -> None:
    assert may_be_one(one, two)
    assert may_be_one(two, one)


@pytest.mark.parametrize(
    ("one", "two"), [("Ann", "Bob"), ("Mr Lee", "Mr Ray"), ("Ann", "Annette"), ("France", "Spain")]
)
def test_names_that_are_not(one: str, two: str) -> None:
    assert not may_be_one(one, two)
    assert not may_be_one(two, one)


def test_any_name_goes_with_none() -> None:
    assert NameIndex().admit(name_key(["Ann"]))


def test_one_name_key_several_is_enough() -> None:
    names = NameIndex()
    for name in ("Ann Lee", "Lee Motors"):
        names.add(name_key(name.split()))
    assert names.admit(name_key(["Motors"]))
    assert not names.admit(name_key(["Bob"]))


def test_a_chain_has_one_sort_of_pronoun() -> None:
    found = chains("Ann Lee", "she", "he", "her", "it", "they")
    found.link(0, 1)
    assert [found.admits(1, mention) for mention in range(2, 6)] == [False, True, False, True]
    assert not found.admits(2, 4)  # he, alone so far


def test_a_chain_has_names_that_go_together() -> None:
    found = chains("Ann Lee", "she", "Bob Ray", "Lee", "the doctor")
    found.link(0, 1)
    assert [found.admits(1, mention) for mention in (2, 3, 4)] == [False, True, True]


def test_a_name_may_join_a_chain_without_names() -> None:
    found = chains("the doctor", "she", "Ann Lee", "Bob Ray")
    found.link(0, 1)
    assert found.admits(1, 2)
    found.link(1, 2)
    assert not found.admits(0, 3)


def test_chains_hold_their_mentions_in_order() -> None:
    found = chains("Ann", "Bob Ray", "Ray", "Ann", "Ann")
    assert list(found.spans()) == []
    for antecedent, mention in ((1, 2), (0, 3), (3, 4)):
        found.link(antecedent, mention)
    assert list(found.spans()) == [[(1, 2), (3, 3)], [(0, 0), (4, 4), (5, 5)]]
    assert found.of.tolist() == [0, 1, 1, 0, 0]


MENTIONS = st.sampled_from(["Ann", "Ann Lee", "Lee", "Bob", "he", "she", "it", "they", "the dog"])


@given(st.data(), st.lists(MENTIONS, min_size=2, max_size=12))
def test_no_chain_of_admitted_mentions_mixes_pronouns(
    data: st.DataObject, names: list[str]
) -> None:
    found = chains(*names)
    for mention in range(1, len(names)):
        antecedent = data.draw(st.integers(0, mention - 1))
        if found.admits(antecedent, mention):
            found.link(antecedent, mention)
    for number in set(found.of.tolist()):
        inside = {name for name, of in zip(names, found.of.tolist(), strict=True) if of == number}
        assert len(inside & {"he", "she", "it"}) <= 1
        assert not {"Ann", "Bob"} <= inside
