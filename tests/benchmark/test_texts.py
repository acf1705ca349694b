"""Texts made by rules."""

from hashlib import sha256

import pytest

from discobert.benchmark.texts import LENGTHS, generated, usual_texts


@pytest.mark.parametrize("words", [1, 7, 600, 3001])
def test_text_has_exactly_as_many_words_as_asked_for(words: int) -> None:
    assert generated(words).words == words


def test_same_words_come_out_everywhere() -> None:
    digest = sha256(generated(2000, seed=5).text.encode()).hexdigest()
    assert digest == "baaf48ad460f4ea8107dc185c7e5e4f30a94cfb6f454ae137195956ee06258f3"


def test_texts_differ_and_leave_no_slot_open() -> None:
    texts = usual_texts(len(LENGTHS) + 2)
    assert [text.words for text in texts] == [*LENGTHS, *LENGTHS[:2]]
    assert len({text.text for text in texts}) == len({text.id for text in texts}) == len(texts)
    assert not any("{" in text.text or "}" in text.text for text in texts)
