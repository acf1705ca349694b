"""Selected EDUs to lines, with the examples of the paper's Table 6."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.builders import doc

from discobert.data.document import Document
from discobert.errors import InvalidValue
from discobert.writing.fragments import Repairs
from discobert.writing.realise import SentenceRealiser, realise
from discobert.writing.repairs import DEFAULT, NONE, PAPER, apply_repairs

HINES = doc(
    "[Clare Hines, ][who lives in Brisbane,] [was diagnosed with a brain tumour] "
    "[after suffering epileptic seizures.] | [After a number of tests doctors discovered] "
    "[she had a benign tumour] [that had wrapped itself around her acoustic, facial and balance "
    "nerve –] [and told her] [she had have it surgically removed] [or she risked the tumour "
    "turning malignant.] | [One week before brain surgery she found out] [she was pregnant.]"
)
HENDERSON = doc(
    "[Jordan Henderson][, in action against Aston Villa at Wembley on Sunday,] [has agreed a new "
    "Liverpool deal.] | [The club's vice captain puts pen to paper on a deal] [which will keep him "
    "at Liverpool until 2020.] | [Rodgers will consider Henderson for the role of club captain] "
    "[after Steven Gerrard moves to LA Galaxy at the end of the campaign] [but, for now, the "
    "England international is delighted] [to have agreed terms on a contract] [that will take him "
    "through the peak years of his career.]"
)
JOHNNY = doc("['Johnny is believed to have drowned,] [but actually he is fine,'] [the police say.]")


def test_clare_hines_of_table_6() -> None:
    assert realise(HINES, [0, 2, 3, 5, 10, 11]) == (
        "Clare Hines was diagnosed with a brain tumour after suffering epileptic seizures.",
        "She had a benign tumour.",
        "One week before brain surgery she found out she was pregnant.",
    )


def test_jordan_henderson_of_table_6() -> None:
    assert realise(HENDERSON, [0, 2, 3, 4, 5]) == (
        "Jordan Henderson has agreed a new Liverpool deal.",
        "The club's vice captain puts pen to paper on a deal which will keep him at Liverpool "
        "until 2020.",
        "Rodgers will consider Henderson for the role of club captain.",
    )
    assert realise(HENDERSON, [7, 8]) == (
        "For now, the England international is delighted to have agreed terms on a contract.",
    )


@pytest.mark.parametrize(
    ("selected", "expected"),
    [
        ([0], "'Johnny is believed to have drowned.'"),
        ([1], "'But actually he is fine.'"),
        ([0, 1], "'Johnny is believed to have drowned, but actually he is fine.'"),
        ([0, 2], "'Johnny is believed to have drowned,' the police say."),
        ([1, 2], "'But actually he is fine,' the police say."),
        (
            [0, 1, 2],
            "'Johnny is believed to have drowned, but actually he is fine,' the police say.",
        ),
    ],
)
def test_the_papers_example_of_missing_quotation_marks(selected: list[int], expected: str) -> None:
    assert realise(JOHNNY, selected) == (expected,)


def test_the_pulitzer_prizes_of_figure_1() -> None:
    document = doc(
        "[The Pulitzer prizes,] [awarded annually by Columbia University,] [recognize "
        "extraordinary work.]"
    )
    assert realise(document, [0, 2]) == ("The Pulitzer prizes recognize extraordinary work.",)


QUOTED = doc("['I love it.] | [It is great,'] [he said,] [smiling.] || [He left.]")


@pytest.mark.parametrize(
    ("selected", "expected"),
    [
        ([0, 1], ("'I love it.", "It is great.'")),
        ([0, 1, 2], ("'I love it.", "It is great,' he said.")),
        ([1], ("'It is great.'",)),
        ([1, 2], ("'It is great,' he said.",)),
        ([0], ("'I love it.'",)),
    ],
)
def test_a_quotation_that_goes_on_elsewhere_is_ended(
    selected: list[int], expected: tuple[str, ...]
) -> None:
    assert realise(QUOTED, selected) == expected


def test_a_quotation_over_paragraphs_opens_in_each() -> None:
    document = doc('["We won,] [and that is that.] || ["We are glad,"] [he said.]')
    assert realise(document, [0, 2]) == ('"We won."', '"We are glad."')
    assert realise(document, [0, 1, 2, 3]) == (
        '"We won, and that is that.',
        '"We are glad," he said.',
    )


@pytest.mark.parametrize(
    ("markup", "selected", "expected"),
    [
        (
            "[(CNN) -- The players' union won,] [officials said.]",
            [0],
            "The players' union won.",
        ),
        (
            "[• Costs rose $5m] [in the U.S.,] [which is large.]",
            [0, 1],
            "• Costs rose $5m in the U.S.",
        ),
        ("[He waited ...] [and waited.]", [0], "He waited ..."),
        ("[He (Mr. Smith] [of Leeds)] [left.]", [0, 2], "He Mr. Smith left."),
        (
            "[“It’s over,” he said, “‘over’ being] [the word.”]",
            [0],
            "“It’s over,” he said, “‘over’ being”.",
        ),
        ("[The man—][who is tall—][was late.]", [0, 2], "The man was late."),
        ("[他来了][很晚][走了。]", [0, 2], "他来了走了。"),
        ("[He came\nhome,] [which\r\nwas far.]", [0], "He came home."),
        ("[Five dead in crash,] [police say]", [0], "Five dead in crash."),
        ("[Five dead in crash,] [police say]", [0, 1], "Five dead in crash, police say"),
        ("[Did she win,] [he asked,] [or not?]", [0, 2], "Did she win or not?"),
    ],
)
def test_news_text(markup: str, selected: list[int], expected: str) -> None:
    assert realise(doc(markup), selected) == (expected,)


def test_whole_sentences_come_back_verbatim_but_for_white_space() -> None:
    document = doc('["and so,  it] [goes\non - "]')
    assert realise(document, range(len(document.edus)))[0] == '"and so, it goes on - "'


def test_without_rules_slices_are_joined() -> None:
    assert realise(JOHNNY, [1], rules=NONE) == ("but actually he is fine,'",)
    assert realise(HINES, [0, 2], rules=NONE) == ("Clare Hines, was diagnosed with a brain tumour",)


def test_lines_that_the_papers_rules_leave_out() -> None:
    document = doc("[He left.] | [But she stayed at home,] [since it rained.]")
    assert realise(document, [0, 1], rules=PAPER) == ("she stayed at home",)
    assert realise(document, [0], rules=PAPER) == ("He left.",)


def test_nothing_selected_gives_no_line() -> None:
    assert realise(HINES, []) == ()


@pytest.mark.parametrize("edu", [-1, 12])
def test_an_unknown_edu_is_refused(edu: int) -> None:
    with pytest.raises(InvalidValue, match=rf"EDU {edu} of 12 cannot be shown"):
        realise(HINES, [0, edu])


def test_other_sentences_count_as_shown_if_nothing_is_said() -> None:
    realiser = SentenceRealiser(QUOTED)
    assert realiser.line(1, (1,)) == "It is great.'"
    assert realiser.line(1, (1,), is_shown=frozenset([1]).__contains__) == "'It is great.'"


WORDS = st.sampled_from(
    "he she Smith and but or so that because although U.S. players' isn't 45 $5 won, left; said: "
    "– — -- - ( ) ) ( [x] \" \" ' ' “ ” ‘ ’ 'Yes, no,' \"Yes, no,\" (he said) . ... … ? ! , "
    "who, which iPhone é 'em '90s 5\" And But".split(" ")
)
EDUS = st.lists(WORDS, min_size=1, max_size=5).map(" ".join)
GAPS = st.sampled_from([" ", "  ", "\n", ""])


@st.composite
def documents(draw: st.DrawFn) -> Document:
    breaks = st.sampled_from([" | ", " || "])
    sentences = draw(
        st.lists(st.lists(st.tuples(EDUS, GAPS), min_size=1, max_size=4), min_size=1, max_size=3)
    )
    # The builder's own signs must not occur in the text.
    parts = [
        "".join(f"[{edu.replace('[x]', '(x)')}]{gap}" for edu, gap in edus) for edus in sentences
    ]
    return doc(parts[0] + "".join(draw(breaks) + part for part in parts[1:]))


@st.composite
def choices(draw: st.DrawFn) -> tuple[Document, frozenset[int]]:
    document = draw(documents())
    indices = st.integers(0, len(document.edus) - 1)
    return document, draw(st.frozensets(indices, min_size=1))


def is_subsequence(part: str, whole: str) -> bool:
    rest = iter(whole)
    return all(character in rest for character in part)


QUOTES = str.maketrans("", "", "\"'“”‘’")


def bare(text: str) -> str:
    return "".join(text.translate(QUOTES).split()).casefold()


@settings(max_examples=150, deadline=None)
@given(choices())
def test_a_line_is_its_source_with_gaps_and_at_most_one_stop_more(
    choice: tuple[Document, frozenset[int]],
) -> None:
    document, selected = choice
    sentences = sorted({document.edus[edu].sentence for edu in selected})
    lines = realise(document, selected)
    assert len(lines) == len(sentences)
    for line, sentence in zip(lines, sentences, strict=True):
        shown = bare(line)
        source = bare(document.sentences[sentence].of(document.text))
        stops = [index for index in range(len(shown)) if shown[index] in ".?"][-1:]
        without_stop = shown[: stops[0]] + shown[stops[0] + 1 :] if stops else shown
        assert is_subsequence(shown, source) or is_subsequence(without_stop, source)


@settings(max_examples=150, deadline=None)
@given(choices(), st.sampled_from([DEFAULT, PAPER, NONE]))
def test_repairs_add_no_word_and_leave_no_line_empty(
    choice: tuple[Document, frozenset[int]], rules: Repairs
) -> None:
    document, selected = choice
    lines = realise(document, selected, rules=rules)
    n_words = sum(len(document.edu_text(edu).split()) for edu in selected)
    assert 0 < len(" ".join(lines).split()) <= n_words
    assert all(line == line.strip() and "\n" not in line for line in lines)


@settings(max_examples=100, deadline=None)
@given(documents())
def test_a_whole_document_comes_back_verbatim(document: Document) -> None:
    lines = realise(document, range(len(document.edus)))
    assert " ".join(lines).split() == document.text.split()


@settings(max_examples=150, deadline=None)
@given(choices())
def test_repairing_twice_is_repairing_once(choice: tuple[Document, frozenset[int]]) -> None:
    document, selected = choice
    realiser = SentenceRealiser(document, NONE)
    for sentence, edus in enumerate(document.edus_by_sentence()):
        shown = tuple(edu for edu in edus if edu in selected)
        if shown:
            line = realiser.cut(sentence, shown, selected.__contains__)
            once = apply_repairs(line, DEFAULT)
            assert apply_repairs(once, DEFAULT) == once


@settings(max_examples=150, deadline=None)
@given(choices())
def test_every_rule_is_idempotent(choice: tuple[Document, frozenset[int]]) -> None:
    document, selected = choice
    realiser = SentenceRealiser(document, NONE)
    for sentence, edus in enumerate(document.edus_by_sentence()):
        shown = tuple(edu for edu in edus if edu in selected)
        for repair in DEFAULT if shown else ():
            once = repair.apply(realiser.cut(sentence, shown, selected.__contains__))
            assert repair.apply(once) == once


CONNECTED = doc(
    "[It rained.] | [But the match went on.] | [However, it was dull.] | [So the crowd left] | "
    "[The bars (all three)] | ['But why?'] | [She also sang.] | [‘I also sang’, he said.] | [–]"
)


@pytest.mark.parametrize(
    ("edus", "expected"),
    [
        ([1], ("The match went on.",)),
        ([0, 1], ("It rained.", "But the match went on.")),
        ([2], ("It was dull.",)),
        ([3], ("The crowd left.",)),
        ([2, 3], ("It was dull.", "So the crowd left.")),
        ([4], ("The bars (all three).",)),
        ([5], ("'But why?'",)),
        ([6], ("She sang.",)),
        ([5, 6], ("'But why?'", "She also sang.")),
        ([7], ("‘I also sang’, he said.",)),
        ([8], ("–",)),
    ],
)
def test_words_that_lead_back_to_a_sentence_not_shown_go(
    edus: list[int], expected: tuple[str, ...]
) -> None:
    assert realise(CONNECTED, edus) == expected


def test_a_text_shown_whole_is_verbatim() -> None:
    headline = doc("[But no rain today] | [So they also say]")
    assert realise(headline, [0, 1]) == ("But no rain today", "So they also say")
    assert realise(headline, [1]) == ("They say.",)


def test_a_cut_sentence_drops_its_connective_too() -> None:
    document = doc("[It rained.] | [And yet, and also] [because it was late,] [they left]")
    assert realise(document, [1, 3]) == ("Yet, and also, they left.",)


@pytest.mark.parametrize(
    ("markup", "selected", "expected"),
    [
        ('["We left] [at noon,] [not at one,"] [he said.]', [0, 3], '"We left," he said.'),
        ("[“Why go] [at noon?”] [he asked.]", [0, 2], "“Why go?” he asked."),
        (
            "[‘We left,] [as it didn’t rain,] [and ran] [as they couldn’t stay,’] [he said.]",
            [0, 2, 4],
            "‘We left and ran,’ he said.",
        ),
        ('["We left] [as the "Star" did,"] [he said.]', [0, 2], "We left, he said."),
        ("[He said “we left] [at noon”] [and slept.]", [0, 2], "He said we left and slept."),
        ("[“We left] [at noon] [and ran.] | [We came.”]", [0, 2], "We left and ran."),
    ],
)
def test_a_quotation_ends_before_words_cut_from_its_end(
    markup: str, selected: list[int], expected: str
) -> None:
    assert realise(doc(markup), selected) == (expected,)


def test_a_quotation_without_an_end_is_closed_after_its_last_line() -> None:
    markup = "[Bo Lee said: 'We knew it.] | [He did a great job for us.] | [He left.] || [Cy won.]"
    document = doc(markup)
    assert realise(document, [0, 1]) == ("Bo Lee said: 'We knew it.", "He did a great job for us.'")
    assert realise(document, [0]) == ("Bo Lee said: 'We knew it.'",)
    assert realise(document, [0, 3]) == ("Bo Lee said: 'We knew it.'", "Cy won.")
    assert realise(document, [1, 3]) == ("He did a great job for us.", "Cy won.")
