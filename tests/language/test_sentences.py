from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from discobert.data.document import check_coverage
from discobert.language.sentences import NewsSplitter

NEWS = Path(__file__).with_name("news_sentences.txt")
PIECES = st.sampled_from(
    [
        *[
            "Mr. ",
            "the U.S. ",
            "No. 10",
            "a.m. ",
            "She said. ",
            'He said: "No." ',
            "(See p. 4.) ",
            "end.Next ",
        ],
        *[
            "\n",
            "\n\n",
            "\r\n",
            "\r",
            "\f",
            "\u2028",
            "\u2029",
            "\x85",
            "\t",
            "\xa0",
            " ",
            "- item",
            "1. ",
        ],
        *["…", "...", ". . .", "?!", "。", "؟", '"', "”", "'", "(", ")", "[1]", "--", "*", "|"],
        *[
            "😀",
            "👩‍👩‍👧",
            "é",
            "e\u0301",
            "\0",
            "\u200b",
            "\ufeff",
            "\ud800",
            "ﬁ",
            "ǅ",
            "中文",
            "नमस्ते।",
        ],
    ]
)
TEXTS = st.one_of(st.lists(PIECES, max_size=40).map("".join), st.text(max_size=200))


def split(text: str) -> list[str]:
    return [sentence.of(text) for sentence in NewsSplitter().split(text).sentences]


def news() -> tuple[str, list[int]]:
    """Join the labelled sentences to one text; return it with the offsets of their starts."""
    text, starts = "", []
    glue = ""
    for line in NEWS.read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            continue
        if not line:
            glue = "\n"
            continue
        text += "" if line.startswith("+") else glue
        starts.append(len(text))
        text += line.removeprefix("+")
        glue = " "
    return text, starts


def test_news_set_holds_150_sentences() -> None:
    assert len(news()[1]) == 150


def test_at_most_two_boundaries_of_the_news_set_are_wrong() -> None:
    text, starts = news()
    found = {sentence.start for sentence in NewsSplitter().split(text).sentences}
    assert len(found ^ set(starts)) <= 2


@settings(max_examples=300)
@given(TEXTS)
def test_every_character_lies_in_one_trimmed_sentence(text: str) -> None:
    layout = NewsSplitter().split(text)
    check_coverage("text", text, layout.sentences)
    assert all(sentence.of(text) == sentence.of(text).strip() for sentence in layout.sentences)


@settings(max_examples=300)
@given(TEXTS)
def test_paragraphs_rise_from_the_first_sentence(text: str) -> None:
    layout = NewsSplitter().split(text)
    assert list(layout.paragraphs) == sorted(set(layout.paragraphs))
    assert bool(layout.paragraphs) is bool(layout.sentences)
    assert layout.paragraphs[:1] in {(), (0,)}
    assert all(0 <= index < len(layout.sentences) for index in layout.paragraphs)


@given(TEXTS)
def test_splitting_one_sentence_again_changes_nothing_inside_other_paragraphs(text: str) -> None:
    whole = f"One of the first things.\n\n{text}\n\nA last one."
    sentences = split(whole)
    assert sentences[0] == "One of the first things."
    assert sentences[-1] == "A last one."


@pytest.mark.parametrize("text", ["", " ", "\n\r\n\t", "\u2028\u2029", "\xa0"])
def test_white_space_gives_an_empty_layout(text: str) -> None:
    layout = NewsSplitter().split(text)
    assert (layout.sentences, layout.paragraphs) == ((), ())


@pytest.mark.parametrize("text", ["Yes", "...", "?!", "😀", "\0", "***", "'", "Ünïcödé", "中文"])
def test_one_word_or_sign_is_one_sentence(text: str) -> None:
    assert split(f"  {text}\n") == [text]


def test_mixed_line_endings_end_paragraphs() -> None:
    text = "One here.\r\nTwo here.\rThree here.\nFour here.\u2028Five here.\x0cSix here."
    layout = NewsSplitter().split(text)
    assert [sentence.of(text)[:-6] for sentence in layout.sentences] == [
        *["One", "Two", "Three", "Four", "Five", "Six"]
    ]
    assert layout.paragraphs == (0, 1, 2, 3, 4, 5)


def test_paragraphs_name_their_first_sentence() -> None:
    text = "One. Two here.\nThree is here.\n\nFour? Five!"
    assert NewsSplitter().split(text).paragraphs == (0, 2, 3)


def test_final_stop_may_be_missing() -> None:
    assert split("It rained. Then it stopped") == ["It rained.", "Then it stopped"]


def test_other_scripts_end_sentences_without_spaces() -> None:
    assert split("今日は雨です。明日は晴れ。") == ["今日は雨です。", "明日は晴れ。"]
    assert split("यह एक है। वह दो है।") == ["यह एक है।", "वह दो है।"]


def test_two_hundred_thousand_words_are_split_in_linear_time() -> None:
    text = "The storm hit Mr. Hall at 6 p.m. on Monday (no one was hurt). " * 14_300
    layout = NewsSplitter().split(text)
    assert len(layout.sentences) == 14_300


@pytest.mark.parametrize(
    "unit",
    ["a. ", "Dr.", "(", "(a. ", "(Ab c d.) ", "a.* ", ".- ", "!\n", "a\n", '".', "[1]", ". ."],
)
@pytest.mark.timeout(20)
def test_monotonous_text_is_split_in_linear_time(unit: str) -> None:
    text = unit * (40_000 // len(unit))
    check_coverage("text", text, NewsSplitter().split(text).sentences)
