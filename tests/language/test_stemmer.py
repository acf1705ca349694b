"""Our stemmer and NLTK's give the same stems."""

import os
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from nltk.stem.porter import PorterStemmer  # type: ignore[import-untyped]

from discobert.language.stemmer import stem
from discobert.store.corpora.json_lines import ArticleSample

PORTER = PorterStemmer()
BEGINNINGS = ["", "b", "fl", "tr", "geo", "rel", "sens", "hop", "hopp", "fall", "y", "syz", "enjoy"]
MIDDLES = ["", "at", "bl", "iz", "al", "iv", "ous", "ful", "ent", "ic", "ee", "ll", "tt", "i", "y"]
SUFFIXES = [
    *("", "s", "es", "ies", "sses", "ed", "ied", "eed", "ing", "y", "ly", "ness", "ful", "ation"),
    *("ational", "tional", "izer", "ization", "ator", "alism", "iveness", "fulness", "ousness"),
    *("aliti", "iviti", "biliti", "alli", "entli", "eli", "ousli", "fulli", "logi", "bli", "enci"),
    *("anci", "icate", "ative", "alize", "iciti", "ical", "ance", "ence", "er", "able", "ible"),
    *("ant", "ement", "ment", "ent", "ion", "sion", "tion", "ou", "ism", "ate", "iti", "ive"),
    *("ize", "e", "ll", "eeds", "ings", "allied", "ally"),
]


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("caresses", "caress"),
        ("dies", "die"),
        ("flies", "fli"),
        ("agreed", "agre"),
        ("feed", "feed"),
        ("hopping", "hop"),
        ("falling", "fall"),
        ("filing", "file"),
        ("conflated", "conflat"),
        ("enjoy", "enjoy"),
        ("happy", "happi"),
        ("relational", "relat"),
        ("radically", "radic"),
        ("geology", "geolog"),
        ("adoption", "adopt"),
        ("controlling", "control"),
        ("dying", "die"),
        ("syzygy", "syzygi"),
        ("2014s", "2014"),
    ],
)
def test_known_words(word: str, expected: str) -> None:
    assert stem(word) == expected == PORTER.stem(word)


@pytest.mark.parametrize("beginning", BEGINNINGS)
def test_every_suffix_after_every_kind_of_stem(beginning: str) -> None:
    words = [beginning + middle + suffix for middle in MIDDLES for suffix in SUFFIXES]
    long_words = [word for word in words if len(word) > 2]
    assert [stem(word) for word in long_words] == [PORTER.stem(word) for word in long_words]


@settings(max_examples=300)
@given(
    st.text("abcdeghilmnorstuvwxyz019", max_size=6),
    st.sampled_from(SUFFIXES),
    st.sampled_from(SUFFIXES),
)
def test_random_words(beginning: str, middle: str, suffix: str) -> None:
    word = "ab"[: max(0, 3 - len(beginning + middle + suffix))] + beginning + middle + suffix
    if len(word) > 2:
        assert stem(word) == PORTER.stem(word)


@pytest.mark.slow
def test_every_word_of_a_corpus_file() -> None:
    folder = os.environ.get("DISCOBERT_SHARED_DATA")
    if folder is None:
        pytest.skip("DISCOBERT_SHARED_DATA is not set")
    articles = ArticleSample(path=Path(folder) / "cnndm" / "train-0.jsonl.xz").articles()
    words = {word for a in articles for word in re.findall("[a-z0-9]{3,}", a.text.lower())}
    different = [word for word in sorted(words) if stem(word) != PORTER.stem(word)]
    assert different == []
