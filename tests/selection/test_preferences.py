"""What a reader wants besides a length."""

from dataclasses import replace

import pytest
from tests.builders import doc
from tests.selection.selection_cases import BARE, solve

from discobert.data.document import Document
from discobert.data.graph import Edge
from discobert.data.markup import Markup, Segment, SegmentKind
from discobert.data.summary import Scores, Selection
from discobert.errors import UsageError
from discobert.selection.budget import Budget
from discobert.selection.build import Decoding
from discobert.selection.paper.greedy import Greedy
from discobert.selection.paper.ranked import Ranked
from discobert.selection.preferences import (
    constraints,
    focused,
    lead_units,
    roles_left_out,
    unmet_preferences,
)
from discobert.selection.problem import Search
from discobert.selection.request import DEFAULT_REQUEST, PAPER_REQUEST, SummaryRequest

SPOKEN = doc("[“We are done,”] [she said.] | [It rained all day.] | [Nobody came.]")
SAID = (Edge(1, 0),)
WITHOUT_QUOTES = replace(BARE, exclude_quotes=True)
WITH_LEAD = replace(BARE, keep_lead=True)
SEARCHES: tuple[Search, ...] = (
    Greedy(),
    Ranked(lambda choices: [float(len(choice)) for choice in choices]),
)


def chosen(
    search: Search, request: SummaryRequest, scores: tuple[float, ...], words: int
) -> Selection:
    decoding = Decoding(search=search, budget=Budget(words=words))
    return solve(SPOKEN, Scores(scores), SAID, decoding, request=request).selection


@pytest.mark.parametrize("search", SEARCHES)
@pytest.mark.parametrize("words", [1, 4, 6, 99])
def test_excluded_quotations_and_what_needs_them_are_never_chosen(
    search: Search, words: int
) -> None:
    found = chosen(search, WITHOUT_QUOTES, (0.9, 0.8, 0.2, -0.1), words)
    assert set(found.edus) <= {2, 3}
    assert found.edus


@pytest.mark.parametrize("search", SEARCHES)
def test_lead_is_chosen_before_any_score(search: Search) -> None:
    found = chosen(search, WITH_LEAD, (-0.5, -0.9, 0.8, 0.9), 7)
    assert found.edus == (0, 1, 3)
    assert found.reasons[:2] == ("lead", "lead")
    assert found.reasons[2] == "score"


@pytest.mark.parametrize("search", SEARCHES[:1])
def test_lead_is_kept_as_far_as_it_fits(search: Search) -> None:
    assert chosen(search, WITH_LEAD, (-0.5, -0.9, 0.8, 0.9), 3).edus == (0,)


def test_excluded_lead_is_no_lead() -> None:
    found = constraints(SPOKEN, SAID, replace(WITHOUT_QUOTES, keep_lead=True))
    assert found.excluded == {0, 1}
    assert found.lead == frozenset()


def test_heading_is_no_lead() -> None:
    assert lead_units(doc("[Floods] [and rain] || [It rained,] [he said.”] | [No.]")) == {2, 3}
    assert lead_units(doc("[No end] | [none]")) == {0}


def test_text_of_quotations_keeps_them_with_a_warning() -> None:
    document = doc("[“We left,”] [he said.]")
    assert constraints(document, SAID, WITHOUT_QUOTES).excluded == frozenset()
    found = solve(document, Scores((1.0, 0.5)), SAID, request=WITHOUT_QUOTES).selection
    (warning,) = unmet_preferences(document, found, WITHOUT_QUOTES)
    assert warning.code == "only-quotes"
    assert unmet_preferences(document, found, DEFAULT_REQUEST) == ()


def test_focus_moves_scores_or_warns() -> None:
    scores = Scores((0.9, 0.8, 0.1, 0.0))
    assert focused(SPOKEN, scores, (), DEFAULT_REQUEST) == (scores, ())
    moved, warnings = focused(SPOKEN, scores, (), SummaryRequest(focus="rain"))
    assert moved.values == (0.9, 0.8, 0.1 + 0.9, 0.0)
    assert warnings == ()
    same, (warning,) = focused(SPOKEN, scores, (), SummaryRequest(focus="moon"))
    assert same == scores
    assert warning.code == "focus-not-found"
    assert "'moon'" in warning.message


@pytest.mark.parametrize(
    ("focus", "edus", "codes"),
    [
        ("rain", (0, 1), ["focus-not-shown"]),
        ("rain", (2,), []),
        ("rain moon", (2,), []),
        ("moon", (0, 1), []),
        (None, (0, 1), []),
    ],
)
def test_a_focus_that_the_text_holds_and_the_summary_does_not_is_warned_of(
    focus: str | None, edus: tuple[int, ...], codes: list[str]
) -> None:
    selection = Selection(edus, ("score",) * len(edus))
    found = unmet_preferences(SPOKEN, selection, SummaryRequest(focus=focus))
    assert [warning.code for warning in found] == codes


def test_focus_without_words_is_refused_at_once() -> None:
    with pytest.raises(UsageError, match="must hold a word"):
        SummaryRequest(focus="…")


def with_roles(text: str, kinds: dict[int, SegmentKind], file_kind: str = "email") -> Document:
    """Mark sentences of a document, by number, as segments of a file."""
    document = doc(text)
    segments = tuple(Segment(document.sentences[at], kind) for at, kind in kinds.items())
    return replace(document, markup=Markup(file_kind, segments))


MAIL = with_roles(
    "[Re: Roof] || [Tom wrote:] || [We must mend the roof.] || [The reserve is empty.] || [Ann]",
    {
        0: SegmentKind.HEADING,
        1: SegmentKind.ATTRIBUTION,
        2: SegmentKind.QUOTE,
        4: SegmentKind.SIGNATURE,
    },
)


def test_quoted_mail_subject_and_signature_are_left_out() -> None:
    assert roles_left_out(MAIL, DEFAULT_REQUEST) == {
        0: "heading",
        1: "attribution",
        2: "quoted mail",
        4: "signature",
    }
    for words in (3, 5, 99):
        decoding = Decoding(search=Greedy(), budget=Budget(words=words))
        scores = Scores((0.9, 0.8, 0.9, 0.1, 0.7))
        found = solve(MAIL, scores, (), decoding, request=PAPER_REQUEST)
        assert found.selection.edus == (3,)


def test_block_quotation_of_another_file_is_left_out_on_demand() -> None:
    document = with_roles(
        "[We must go.] || [It rained.]", {0: SegmentKind.QUOTE}, file_kind="markdown"
    )
    assert constraints(document, (), DEFAULT_REQUEST).excluded == frozenset()
    assert constraints(document, (), WITHOUT_QUOTES).excluded == {0}


def test_mail_that_quotes_and_says_nothing_is_summarised_with_a_warning() -> None:
    roles = {0: SegmentKind.HEADING, 1: SegmentKind.QUOTE}
    document = with_roles("[Roof] || [We must mend the roof.]", roles)
    assert constraints(document, (), DEFAULT_REQUEST).excluded == {0}
    (warning,) = unmet_preferences(document, Selection((1,), ("score",)), DEFAULT_REQUEST)
    assert warning.code == "only-quotes"
    assert unmet_preferences(MAIL, Selection((3,), ("score",)), DEFAULT_REQUEST) == ()


@pytest.mark.parametrize(
    "kind", [SegmentKind.HEADING, SegmentKind.CAPTION, SegmentKind.TABLE_ROW, SegmentKind.CODE]
)
def test_text_of_one_role_alone_keeps_it(kind: SegmentKind) -> None:
    document = with_roles("[One thing] || [Another thing]", {0: kind, 1: kind}, "pdf")
    assert constraints(document, (), DEFAULT_REQUEST).excluded == frozenset()
    mixed = with_roles("[One thing] || [It rained.]", {0: kind}, "pdf")
    assert constraints(mixed, (), DEFAULT_REQUEST).excluded == {0}


def test_lead_is_the_first_sentence_of_the_writer() -> None:
    found = constraints(MAIL, (), replace(DEFAULT_REQUEST, keep_lead=True))
    assert found.lead == {3}
