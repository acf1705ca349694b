"""References whose antecedent a selection does not show."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.builders import analysis
from tests.strategies import analyses

from discobert.data.summary import Analysis
from discobert.discourse.references import KnownEntities, ReferenceKind, References

FOUND = analysis(
    "[Anna Smith founded a firm.] | [It rained.] | [The firm grew,] [and she sold it.] | "
    "[Smith left.] | [Her mother stayed.]",
    None,
    ("Anna Smith", "she", "Smith", "Her"),
    ("a firm", "The firm", "it"),
)


def references(found: Analysis) -> References:
    return References(found.document, found.coref)


def kinds(found: Analysis, *units: int) -> list[tuple[int, str]]:
    return [(one.unit, one.kind.value) for one in references(found).dangling(units)]


@pytest.mark.parametrize(
    ("units", "expected"),
    [
        ((0, 1, 2, 3, 4, 5), []),
        ((1,), []),
        ((2,), [(2, "description")]),
        ((3,), [(3, "pronoun"), (3, "pronoun")]),
        ((0, 3), []),
        ((2, 3), [(2, "description"), (3, "pronoun")]),
        ((4,), [(4, "surname")]),
        ((4, 5), [(4, "surname")]),
        ((5,), [(5, "pronoun")]),
        ((3, 4), [(3, "pronoun"), (3, "pronoun")]),
    ],
)
def test_mention_without_its_more_specific_antecedent_dangles(
    units: tuple[int, ...], expected: list[tuple[int, str]]
) -> None:
    assert kinds(FOUND, *units) == expected


def test_antecedents_are_the_units_of_more_specific_mentions_the_nearest_first() -> None:
    (loose,) = references(FOUND).dangling([5])
    assert loose.antecedents == (4, 0)
    assert (loose.cluster, loose.kind) == (0, ReferenceKind.PRONOUN)


def test_a_name_in_the_same_sentence_is_enough() -> None:
    found = analysis("[Al Ray won.] | [When he left,] [Ray sang.]", None, ("Al Ray", "he", "Ray"))
    assert kinds(found, 1, 2) == [(2, "surname")]
    assert kinds(found, 1) == [(1, "pronoun")]


def test_mention_without_antecedent_in_the_text_does_not_dangle() -> None:
    found = analysis("[He won.] | [He left.] | [Al Ray sang.]", None, ("He", "He", "Al Ray"))
    assert kinds(found, 1) == []


@pytest.mark.parametrize(
    ("mention", "dangles"),
    [
        ("they", True),
        ("the two men", True),
        ("these men", True),
        ("the men of the old North", False),
        ("the men who came in late", False),
        ("two men", False),
        ("their", True),
        ("I", False),
        ("who", False),
        ("they's", True),
        ("'s", False),
    ],
)
def test_specificity_of_mentions(mention: str, dangles: bool) -> None:
    found = analysis(f"[Al and Bo came.] | [Well, {mention} won.]", None, ("Al and Bo", mention))
    assert bool(kinds(found, 1)) is dangles


def test_a_possessive_after_a_noun_of_its_clause_is_understood() -> None:
    found = analysis("[Al Ray won.] | [The boy and his dog won.]", None, ("Al Ray", "his"))
    assert kinds(found, 1) == []


QUOTES = analysis(
    "[Ann was angry.] | ['It is bad,'] [she said.] | ['It was bad.'] || [Ann left.] || "
    "['So bad.'] | ['Too bad.']"
)


@pytest.mark.parametrize(
    ("units", "expected"),
    [
        ((1,), [(1, (2,))]),
        ((0, 1), []),
        ((1, 2), []),
        ((3,), [(3, (2,))]),
        ((2, 3), []),
        ((5,), [(5, (4,))]),
        ((6,), [(6, ())]),
        ((4,), []),
    ],
)
def test_a_quotation_needs_its_speaker(
    units: tuple[int, ...], expected: list[tuple[int, tuple[int, ...]]]
) -> None:
    found = references(QUOTES).dangling(units)
    assert [(one.unit, one.antecedents) for one in found] == expected
    assert all(one.kind is ReferenceKind.QUOTATION and one.mention is None for one in found)


def test_a_quotation_may_open_a_text() -> None:
    assert kinds(analysis("['It is bad.'] | [He left.]"), 0) == []


def test_units_are_tried_before_they_are_added() -> None:
    found = references(FOUND)
    known = KnownEntities(found)
    assert found.would_dangle([3], known)
    assert not found.would_dangle([0, 3], known)
    known.add([0])
    assert not found.would_dangle([3], known)
    assert references(QUOTES).would_dangle([5], KnownEntities(references(QUOTES)))


@given(analyses(), st.data())
def test_a_whole_text_never_dangles(found: Analysis, data: st.DataObject) -> None:
    everything = range(len(found.document.edus))
    assert references(found).dangling(everything) == ()
    some = data.draw(st.sets(st.sampled_from(everything)))
    loose = references(found).dangling(some)
    assert all(one.unit in some for one in loose)
    assert all(one.antecedents for one in loose if one.mention)
    assert references(found).would_dangle(some, KnownEntities(references(found))) is bool(loose)


@pytest.mark.parametrize(
    ("sentence", "dangles"),
    [
        ("This was allowed.", True),
        ("They left.", True),
        ("That man left.", False),
        ("It rained.", False),
    ],
)
def test_a_subject_of_no_cluster_needs_the_sentence_before(sentence: str, dangles: bool) -> None:
    found = analysis(f"[He sang.] | [Bo cried] [a lot.] | [{sentence}]")
    assert kinds(found, 0) == []
    assert kinds(found, 2, 3) == []
    assert kinds(found, 3) == ([(3, "pronoun")] if dangles else [])
    assert references(found).would_dangle([3], KnownEntities(references(found))) is dangles
    if dangles:
        assert references(found).dangling([3])[0].antecedents == (2, 1)


def test_a_subject_in_a_cluster_needs_its_antecedent_only() -> None:
    found = analysis("[Al came.] | [It rained.] | [He sang] [well.]", None, ("Al", "He"))
    assert kinds(found, 0, 2) == []
    assert kinds(found, 3) == []


def test_what_units_need_is_kept_for_a_bounded_number_of_groups(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("discobert.discourse.references.MOST_DESCRIBED", 2)
    found = references(FOUND)
    nothing = KnownEntities(found)
    expected = [False, False, True, True, True, True]
    for _ in range(2):
        assert [found.would_dangle([unit], nothing) for unit in range(6)] == expected
