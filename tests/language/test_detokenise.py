import pytest
from hypothesis import given
from hypothesis import strategies as st

from discobert.language.detokenise import guess_spaces


def joined(tokens: list[str], starts: tuple[int, ...] = (0,)) -> str:
    spaces = guess_spaces(tokens, starts)
    return "".join(t + " " * s for t, s in zip(tokens, spaces, strict=True)).rstrip()


@pytest.mark.parametrize(
    ("tokens", "text"),
    [
        ("He left , did n't he ?", "He left, didn't he?"),
        ("It ’s Crohn 's ; THEY 'RE wrong", "It’s Crohn's; THEY'RE wrong"),
        ("about ( US$ 95 million ) or [ 3 ] : 5 %", "about (US$95 million) or [3]: 5%"),
        ('He said , " No . "', 'He said, "No."'),
        ('" No , " he said , " no . "', '"No," he said, "no."'),
        ('the " third man " was here', 'the "third man" was here'),
        ("the _ bizarre _ end", "the _bizarre_ end"),
        ("“ Yes , ” said the ‘ man ’ .", "“Yes,” said the ‘man’."),
        ("the decision makers ' room", "the decision makers' room"),
        ("he called it ' odd ' today", "he called it 'odd' today"),
        ("' Odd , ' he said", "'Odd,' he said"),
        ("Bringin ' it back ' home", "Bringin' it back' home"),
        ("I 'm gon na and can not", "I'm gonna and cannot"),
        ("from 250 – 4000 or 10 - 15", "from 250–4000 or 10-15"),
        ("Medal of Honor - his -- was lost — ...", "Medal of Honor - his -- was lost — ..."),
        ("the i -th ex- wife", "the i-th ex-wife"),
        ("above 120 ° C in 2009", "above 120°C in 2009"),
        ("- 5 and 5 -", "- 5 and 5 -"),
        ('He left "', 'He left"'),
        ('"', '"'),
    ],
)
def test_spaces_are_guessed(tokens: str, text: str) -> None:
    assert joined(tokens.split()) == text


def test_quote_is_paired_inside_its_sentence() -> None:
    tokens = '" I went . I saw . " He left .'.split()
    assert joined(tokens, (0, 4, 8)) == '"I went. I saw." He left.'


def test_sentences_are_apart() -> None:
    assert joined(["(", ")", "a"], (0, 1)) == "( ) a"


@given(st.lists(st.text(min_size=1), max_size=30), st.sets(st.integers(0, 29)))
def test_every_token_has_an_answer(tokens: list[str], starts: set[int]) -> None:
    inside = {start for start in starts if start < len(tokens)}
    assert len(guess_spaces(tokens, inside)) == len(tokens)
