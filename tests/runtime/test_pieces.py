"""How a text is laid out for the encoder."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer
from tokenizers.models import WordPiece
from tokenizers.normalizers import BertNormalizer
from tokenizers.pre_tokenizers import BertPreTokenizer

from discobert.data.document import SentenceLayout, Span
from discobert.errors import BundleError
from discobert.language.sentences import NewsSplitter
from discobert.runtime.pieces import (
    CLS_CONTINUED,
    CLS_PARAGRAPH,
    CLS_SENTENCE,
    DIGIT,
    LOWER,
    MARK,
    MAX_BLOCK,
    SEP,
    TITLE,
    UPPER,
    lay_out,
    shape_of,
    windows,
)


@pytest.fixture(scope="module")
def tokenizer() -> Tokenizer:
    letters = "abcdefghijklmnopqrstuvwxyz"
    pieces = ["[UNK]", "[CLS]", "[SEP]", "the", "cat", "sat", ".", ",", "'", "—", *letters]
    pieces += [f"##{letter}" for letter in letters]
    built = Tokenizer(WordPiece({piece: i for i, piece in enumerate(pieces)}, unk_token="[UNK]"))
    built.normalizer = BertNormalizer()
    built.pre_tokenizer = BertPreTokenizer()
    return built


def test_a_tokenizer_that_is_not_berts_is_refused() -> None:
    other = Tokenizer(WordPiece({"[UNK]": 0}, unk_token="[UNK]"))
    with pytest.raises(BundleError, match="not like BERT's"):
        lay_out(other, "a", SentenceLayout((Span(0, 1),), (0,)))


def split(text: str) -> SentenceLayout:
    return NewsSplitter().split(text)


def test_each_sentence_is_a_block_between_cls_and_sep(tokenizer: Tokenizer) -> None:
    layout = lay_out(tokenizer, "The cat. Sat the cat.", split("The cat. Sat the cat."))
    assert layout.blocks.tolist() == [0, 5, 11]
    assert layout.ids[[0, 4, 5, 10]].tolist() == [1, 2, 1, 2]
    assert layout.block_sentences.tolist() == [0, 1]


def test_words_point_at_their_characters(tokenizer: Tokenizer) -> None:
    text = "The cat\r\nsat."
    layout = lay_out(tokenizer, text, SentenceLayout((Span(0, 7), Span(9, 13)), (0, 1)))
    words = [text[start:end] for start, end in layout.word_chars.tolist()]
    assert words == ["The", "cat", "sat", "."]
    assert layout.word_sentences.tolist() == [0, 0, 1, 1]


def test_shapes_keep_what_an_uncased_encoder_loses(tokenizer: Tokenizer) -> None:
    layout = lay_out(tokenizer, "The CAT, ab", SentenceLayout((Span(0, 11),), (0,)))
    assert layout.shapes.tolist() == [
        CLS_PARAGRAPH,
        TITLE + 1,
        UPPER + 1,
        MARK,
        LOWER + 1,
        LOWER,
        SEP,
    ]


def test_only_the_first_sentence_of_a_paragraph_opens_it(tokenizer: Tokenizer) -> None:
    text = "The cat. Sat the cat.\nCat."
    layout = lay_out(tokenizer, text, split(text))
    assert layout.shapes[layout.blocks[:-1]].tolist() == [
        CLS_PARAGRAPH,
        CLS_SENTENCE,
        CLS_PARAGRAPH,
    ]


def test_units_open_after_space_and_beside_dashes(tokenizer: Tokenizer) -> None:
    text = "The cat—sat, the"
    layout = lay_out(tokenizer, text, SentenceLayout((Span(0, len(text)),), (0,)))
    opened = [
        text[s:e]
        for (s, e), opens in zip(layout.word_chars, layout.word_opens, strict=True)
        if opens
    ]
    assert opened == ["The", "cat", "—", "sat", "the"]


def test_a_very_long_sentence_is_cut_into_blocks(tokenizer: Tokenizer) -> None:
    text = "the " * 600 + "."
    layout = lay_out(tokenizer, text, SentenceLayout((Span(0, len(text)),), (0,)))
    assert np.diff(layout.blocks).max() == MAX_BLOCK
    assert layout.shapes[layout.blocks[1]] == CLS_CONTINUED
    assert layout.n_words == 601


def test_characters_the_tokenizer_drops_leave_an_empty_block(tokenizer: Tokenizer) -> None:
    layout = lay_out(tokenizer, "\u200b", SentenceLayout((Span(0, 1),), (0,)))
    assert layout.ids.tolist() == [1, 2]
    assert layout.n_words == 0


@pytest.mark.parametrize(
    ("piece", "shape"),
    [("a", LOWER), ("A", TITLE), ("Ab", TITLE), ("AB", UPPER), ("7", DIGIT), ("-", MARK)],
)
def test_shape_of_a_piece(piece: str, shape: int) -> None:
    assert shape_of(piece) == shape


@given(
    st.lists(st.integers(3, MAX_BLOCK), min_size=1, max_size=60),
    st.integers(0, 4),
    st.integers(256, 512),
)
def test_windows_cover_every_block_once_and_fit(
    lengths: list[int], overlap: int, most: int
) -> None:
    found = windows(lengths, max_pieces=most, overlap=overlap)
    read = [block for window in found for block in range(window.read_first, window.read_end)]
    assert read == list(range(len(lengths)))
    for window in found:
        assert window.first <= window.read_first < window.read_end <= window.end
        assert sum(lengths[window.first : window.end]) <= most


def test_windows_of_a_long_text_overlap_and_are_alike() -> None:
    found = windows([30] * 27, max_pieces=448, overlap=2)
    assert [(window.first, window.end) for window in found] == [(0, 10), (8, 19), (17, 27)]


def test_a_short_text_is_one_window() -> None:
    assert len(windows([30] * 14, max_pieces=448, overlap=2)) == 1
