import pytest

from discobert.data.document import Span
from discobert.language.sentence_ends import split_paragraph


def split(text: str) -> list[str]:
    return [sentence.of(text) for sentence in split_paragraph(text, Span(0, len(text)))]


@pytest.mark.parametrize(
    "marked",
    [
        # | marks the place where the sentence ends; every other mark must not end one.
        "Mr. Hall met Gen. J. R. Reyes.| He left.",
        "MRS. HALL LEFT.| SHE WAS ILL.",
        "She lives on Elm St. in St. Louis.| It rains.",
        "She lives on Elm St.| It is quiet.",
        "No. 10 did not reply.| No.| Smith did.",
        "He said no.| Smith said yes.",
        "See p. 14 and fig. 3, ca. 1900.| Then stop.",
        "Fruit, e.g. Apples, i.e. Food, vs. Meat.| Yes.",
        "They use IE.| Its days are over.",
        "He came at 6 p.m. on Monday.| He left at 8 p.m.| Nobody saw it.",
        "It opens at 9 a.m. EST.| It shuts at 5 p.m. Monday.",
        "It weighs 51 lbs.| Judges gasped.",
        "The U.S. Senate met.| They like the U.S.| The end.",
        'Baxter Inc. fell.| Keller Inc.| "We knew," he said.',
        "Robert Lane Jr. fled.| He is in Tulsa, Okla.| His car is not.",
        "It was Jan. 3.| It was not Feb.| However, it was cold.",
        "I got a C.| The rest failed.",
        "1. Wash your hands.| 2. Rest.",
        "2.1. New Results",
        "IV. Results of the test",
        'Robert J. "Bob" Smith won.| He cried.',
        "He won in 1998.| 14 others lost.",
        "It cost $4.5 million.| $2 million was saved.",
        "He wrote from the U.S.| - I am well.",
    ],
)
def test_full_stops(marked: str) -> None:
    assert split(marked.replace("|", "")) == marked.split("| ")


@pytest.mark.parametrize(
    "marked",
    [
        "Why?| Who knows!| Not me.",
        '"Stop!" Sgt. Karen Blythe said.| He ran.',
        '"Stop!" he said.| "Why?"| She ran.',
        "Yahoo! Inc. grew.| E! News told us.| So did Yahoo!| The rest fell.",
        "Viva Maria! (1965) was a hit.| It was long.",
        "It was made in 1962 ... and never replaced ...| The end.",
        "He paused . . . then sat. . . .| The session ended.",
        '"Perhaps …" Pete said.| He left.',
        "What?!| No…| Yes.",
    ],
)
def test_other_marks(marked: str) -> None:
    assert split(marked.replace("|", "")) == marked.split("| ")


@pytest.mark.parametrize(
    "marked",
    [
        "It is late.|The bus is gone.",
        "It began in 2009.|It ended.",
        'He did better.|"It was good," he said.',
        '"I am here."|She went on.',
        "He has a Ph.D. from Yale.",
        "Write to a.Person@site.Org or www.site.Com today.",
        "The site Harbour.Org is down.",
        "He fell.-Then",
        f"He fell{' ' * 50}.'|Then he rose.",
    ],
)
def test_forgotten_spaces(marked: str) -> None:
    assert split(marked.replace("|", "")) == marked.split("|")


@pytest.mark.parametrize(
    "marked",
    [
        "She won (he did not. He fell) by far.| It rained.",
        "(It rained. It poured.)| It stopped.",
        "It fell (by far.| It rained.",
        "It grew.[12]| It fell. [3]| It died.[4]| It rose.",
    ],
)
def test_brackets_and_notes(marked: str) -> None:
    assert split(marked.replace("|", "")) == marked.split("| ")


def test_note_may_lack_the_space_after_it() -> None:
    assert split("It grew.[12]It fell.") == ["It grew.[12]", "It fell."]


def test_small_letter_starts_a_sentence_only_where_all_do() -> None:
    assert split("it rained. then it stopped. e.g. now.") == [
        "it rained.",
        "then it stopped.",
        "e.g. now.",
    ]
    assert split("It rained. then it stopped.") == ["It rained. then it stopped."]


@pytest.mark.parametrize(
    "marked",
    [
        "It works in 2.1.| npm install works.",
        "Use `--all`.| git status shows it.| Why?| pip knows.",
        "It is new in 3.0.| read_all() returns a list.| _Then_ read it.",
        "Use a tool, e.g. npm or etc. npm, vs. pip.",
        "It rose by 2.1. percent, see section 2.1. for more.",
        'He typed "go." "npm" did not.',
        "Read config.yaml.| docker needs it.",
        "Run `make install`.| then start it.",
        "It came with 1.4.2.| fzf reads it, and v2.0.| others do, too.",
        "It needs Python 3.11.| pandas is optional.",
        "It calls get_all.| it returns a list.",
        "It works with 3.0.1. and later, or v2.1. on request.",
        "(To disable it, use rg -uuu.)| ripgrep is fast.",
    ],
)
def test_names_of_programs_may_start_a_sentence_in_lower_case(marked: str) -> None:
    assert split(marked.replace("|", "")) == marked.split("| ")


@pytest.mark.parametrize(
    "marked",
    [
        "It skips hidden files.| (To see them, use rg -uuu.)| rg is fast.",
        "(To see them, use it.)| this is all.",
        "He left (to see them.) and came back.",
        "(Smith et al.) argued so.",
        "(No.) said he.",
        "(To see (all of) them.) this is all.",
        f"(To see them{' a' * 200}.) this is all.",
    ],
)
def test_small_letter_may_follow_a_sentence_in_brackets(marked: str) -> None:
    assert split(marked.replace("|", "")) == marked.split("| ")


@pytest.mark.parametrize(
    "marked",
    [
        "The table was *restored.*| This is good.",
        "It is **done.**| _So it is!_| The end.",
        '*He said "go."*| Then he left.',
        "Delete *.* There is no way back.",
        "Match a.*b There.",
    ],
)
def test_signs_of_emphasis_may_close_a_sentence(marked: str) -> None:
    assert split(marked.replace("|", "")) == marked.split("| ")


@pytest.mark.parametrize(
    "marked",
    [
        "He met then-Sen. Obama and ex-Gov. Dean.| It rained.",
        "OPEN BETWEEN 8 A.M. AND 2 P.M. ON MONDAY.",
        "OPEN FROM 8 A.M. TO 2 P.M.| THE SHOP IS SMALL.",
        "THE U.S. AND THE U.K.| THEY AGREED.",
        "I GOT A B.| AND THE REST FAILED.| AND SO ON.",
    ],
)
def test_compound_titles_and_abbreviations_in_capitals(marked: str) -> None:
    assert split(marked.replace("|", "")) == marked.split("| ")


def test_mixed_case_word_starts_a_sentence() -> None:
    assert split("Sales fell. iPhone sales rose.") == ["Sales fell.", "iPhone sales rose."]


@pytest.mark.parametrize(
    "text", ["... !!! ???", "Fine. :-) !", "[…] Fine.", "*** . ***", "Yes! 😀"]
)
def test_signs_alone_are_never_a_sentence_beside_words(text: str) -> None:
    assert split(text) == [text]
