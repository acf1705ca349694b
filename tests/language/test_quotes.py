import pytest

from discobert.data.document import Span
from discobert.language.quotes import Delimiter, delimiters


def paired(text: str) -> list[str]:
    """List the quoted or bracketed parts in order of their opening delimiters."""
    found = delimiters(text, Span(0, len(text)))
    return [
        text[mark.start : mark.partner + 1]
        for mark in found
        if mark.partner is not None and mark.partner > mark.start
    ]


def unpaired(text: str) -> list[int]:
    return [mark.start for mark in delimiters(text, Span(0, len(text))) if mark.partner is None]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('He said "yes" twice.', ['"yes"']),
        ("He is 'over the moon' after signing.", ["'over the moon'"]),
        ("He is ‘over the moon’ after signing.", ["‘over the moon’"]),
        ("“One,” he said, “two.”", ["“One,”", "“two.”"]),
        ("\"He said 'no' to me,\" she wrote.", ["\"He said 'no' to me,\"", "'no'"]),
        (
            "'My mom said, \"Fine,\" and left,' he wrote.",
            ["'My mom said, \"Fine,\" and left,'", '"Fine,"'],
        ),
        ("The UN (founded in 1945 [sic]) met.", ["(founded in 1945 [sic])", "[sic]"]),
        ("((a) b)", ["((a) b)", "(a)"]),
        ("Il dit «non» hier.", ["«non»"]),
        ("He said, 'The players' union agreed,' and left.", ["'The players' union agreed,'"]),
        ("He praised 'the players' after the match.", ["'the players'"]),
        ("'We were rockin' all night,' he said.", ["'We were rockin' all night,'"]),
        (
            "'The boys' and girls' school,' he said of 'it'.",
            ["'The boys' and girls' school,'", "'it'"],
        ),
        ("'The boys' came and 'the girls' left.", ["'The boys'", "'the girls'"]),
        ("He said \"'I know,' she told me.\"", ["\"'I know,' she told me.\"", "'I know,'"]),
        ('said:"Hello," and left', ['"Hello,"']),
        ('a " b " c', ['" b "']),
        ("{set}", ["{set}"]),
    ],
)
def test_quotes_and_brackets_are_paired(text: str, expected: list[str]) -> None:
    assert paired(text) == expected
    assert unpaired(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "It isn't the players' fault, he said of the Joneses' dog.",
        "Rock ’n’ roll of the '90s and ‘80s.",
        "Tell 'em: 'tis late.",
        'He is 5’ 10” tall, and she 5\'4" or 5" more.',
        "1) Wash. a) Dry.",
        "Well done :) and ;-) and :(",
        "a ' b",
        "’Tis the season.",
    ],
)
def test_apostrophes_inches_list_numbers_and_smileys_are_no_delimiters(text: str) -> None:
    assert list(delimiters(text, Span(0, len(text)))) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('"It opens here and goes on.', [0]),
        ('and ends here," he said.', [14]),
        ("and ends here,” he said.", [14]),
        ("a bracket) too many", [9]),
        ("an open (bracket", [8]),
        ("'It opens and goes on.", [0]),
        ('"One. "Two," he said.', [0]),
        ("'One. 'Two,' he said.", [0]),
    ],
)
def test_delimiters_without_partner(text: str, expected: list[int]) -> None:
    assert unpaired(text) == expected


def test_two_backquotes_are_one_mark() -> None:
    text = "He said ``yes'' twice."
    assert list(delimiters(text, Span(0, len(text)))) == [
        Delimiter(8, 10, 13),
        Delimiter(13, 15, 8),
    ]


def test_a_paragraph_is_paired_on_its_own() -> None:
    text = '"One.\n"Two."'
    assert list(delimiters(text, Span(0, 5))) == [Delimiter(0, 1, None)]
    assert list(delimiters(text, Span(6, len(text)))) == [Delimiter(6, 7, 11), Delimiter(11, 12, 6)]
