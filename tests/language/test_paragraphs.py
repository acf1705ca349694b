import pytest

from discobert.language.paragraphs import find_paragraphs

WRAPPED = """\
The harbour was quiet on Monday as the last of the boats came in
from the bay. Captain Jo Rowe, who has fished here since 1981, said
he had never seen a winter like it. He blamed the wind and Mr.
Hall, the harbour master, who had closed the gates at noon.

A second storm is due on Friday. The council has asked people who
live near the water to leave, but few of them have. In the words of
Rowe: "We stay."
"""


def paragraphs(text: str) -> list[str]:
    return [span.of(text) for span in find_paragraphs(text)]


def test_each_line_of_an_article_is_a_paragraph() -> None:
    assert paragraphs("By\n\nA first one.\n  A second one. \nThird\n") == [
        *["By", "A first one.", "A second one.", "Third"]
    ]


def test_white_space_has_no_paragraph() -> None:
    assert paragraphs(" \n\t\n") == []


def test_blank_lines_alone_break_wrapped_text() -> None:
    found = paragraphs(WRAPPED)
    assert [paragraph[:9] for paragraph in found] == ["The harbo", "A second "]
    assert found[0].count("\n") == 3


@pytest.mark.parametrize("line_end", ["\r\n", "\r", "\u2028", "\v", "\x85"])
def test_wrapped_text_is_found_under_any_line_end(line_end: str) -> None:
    assert len(paragraphs(WRAPPED.replace("\n", line_end))) == 2


def test_new_page_in_wrapped_text_breaks_nothing() -> None:
    assert len(paragraphs(WRAPPED.replace("since 1981, said\n", "since 1981, said\n\f"))) == 2


def test_list_items_break_wrapped_text() -> None:
    item = "- The first item is about as long as a line of the text above it\n  is, so it wraps"
    text = f"{WRAPPED}{item}\n- Next\n"
    assert [paragraph[:5] for paragraph in paragraphs(text)[2:]] == ["- The", "- Nex"]


def test_indent_breaks_wrapped_text() -> None:
    text = WRAPPED.replace("\n\nA second", "\n    A second")
    assert len(paragraphs(text)) == 2


def test_short_line_stands_alone_in_wrapped_text() -> None:
    text = WRAPPED.replace("A second storm", "What comes next\nA second storm")
    assert "What comes next" in paragraphs(text)


def test_line_far_longer_than_the_width_stands_alone_in_wrapped_text() -> None:
    caption = (
        "A caption of the photograph above that nobody ever wrapped, which is why it is far longer"
    )
    assert caption in paragraphs(WRAPPED.replace("A second storm", f"{caption}\nA second storm"))


def test_line_end_inside_a_sentence_is_no_break() -> None:
    text = "Police\nsaid two men were arrested in the town centre.\nA third man fled."
    assert paragraphs(text) == [
        *["Police\nsaid two men were arrested in the town centre.", "A third man fled."]
    ]


def test_line_that_ends_in_an_article_goes_on() -> None:
    text = "The match was won in the last minute by the\nGerman side.\nIt was late."
    assert len(paragraphs(text)) == 2


def test_short_heading_that_ends_in_a_preposition_stands_alone() -> None:
    assert len(paragraphs("Get in\nBoats leave from the harbour every day of the week.")) == 2


def test_full_line_beside_a_cut_one_goes_on_before_a_name() -> None:
    text = (
        "Jurors\n"
        "deliberated for about eight hours over two days in Lake County\n"
        "Superior Court before finding the man guilty of killing the\n"
        "four women."
    )
    assert len(paragraphs(text)) == 1


def test_short_line_beside_a_cut_one_stands_alone_before_a_capital() -> None:
    text = "Tears in court\nJurors had talked for about eight hours over two\ndays in Lake County."
    assert paragraphs(text)[0] == "Tears in court"


def test_short_lines_in_small_letters_are_a_list() -> None:
    assert len(paragraphs("Ingredients\nmilk\neggs\nbutter")) == 4


def test_lines_of_a_chat_in_small_letters_stay_apart() -> None:
    text = "hello there everyone, how are you doing\ni am fine thanks, and what about you\ngood."
    assert len(paragraphs(text)) == 3


@pytest.mark.parametrize("name", ["eShop,", "iRadio", "easyBus"])
def test_a_name_that_begins_small_may_open_a_paragraph(name: str) -> None:
    text = f"Prices had fallen for six months before the sale\n{name} has 40 branches in the north."
    assert len(paragraphs(text)) == 2
    assert len(paragraphs(text.replace(name, name.lower()))) == 1


@pytest.mark.parametrize(
    "end", ["get over hepatitis A", "find a house to live in", "know who he looks like and who for"]
)
def test_a_caption_that_may_be_whole_stands_alone_before_a_capital(end: str) -> None:
    captions = f"The keeper joined the club from Rovers in January\nHe has yet to {end}\n"
    story = "While he waits for his chance, he trains with the youth team."
    assert paragraphs(captions + story) == [*captions.splitlines(), story]
