"""Features of whole sentences as the sentence network reads them, from text and from vectors.

Training and the runtime compute them by the same functions. N sentences, H width of a vector.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise

import numpy as np
from numpy.typing import NDArray

from discobert.language.verbs import has_finite_verb
from discobert.runtime.matmul import matmul, matmul_transposed
from discobert.runtime.pieces import IntArray
from discobert.runtime.tensors import Array
from discobert.scorer.features import LEAD_SENTENCES, place_class, unit_windows

SURFACE = tuple(
    """log_words words50 ends_stop ends_colon ends_bare has_verb share_capital share_upper
    starts_lower label furniture upper_start alone opens closes paragraph_length digits n_numbers
    money has_quote starts_quote odd_quotes starts_pronoun starts_connective reports question
    first_person second_person web byline bracket cnn list_mark starts_the starts_a this_early
    seen_before in_lead central commas short dash_end""".split()
)
"""Names of the surface features, in their order."""
N_SURFACE = len(SURFACE)
N_DERIVED = 18
N_NEVER_INPUTS = 3 * N_SURFACE + 3
WINDOW = 256
"""Most sentences that are compared with each other."""

_END = re.compile(r"[.!?…][\"'”’)\]]*$")
_LABEL = re.compile(r"^[A-Z\"'‘“][^.:!?]{0,40}:\s")
_FURNITURE = re.compile(
    r"\bpictured\b|\((?:left|right|above|below|centre|center|top|bottom|circled|file|pictured)"
    r"|\b(?:above|left|right|below)[:,]? (?:and|is|are|with)\b.{0,20}\bpictured|scroll down"
    r"|click here|\bgetty\b|\bphoto(?:graph)?s? (?:by|courtesy|credit)|image(?:s)?:"
    r"|\bfile (?:photo|picture|image)|see (?:video|below|also)|video:|read more|share this"
    r"|watch (?:the )?video|\bcaption\b|\bcourtesy of\b|\bfigure \d|\btable \d",
    re.IGNORECASE,
)
_FURNITURE_PARTS = (
    *("cture", "(", "croll down", "ck here", "getty", "photo", "mage", "le p", "ee v", "ee b"),
    *("ee a", "deo", "read more", "hare th", "capt", "courte", "gure ", "table "),
)
"""Every piece of furniture has one of them; s and i are left out, for ſ and ı count as them."""
_NUMBER = re.compile(r"\d[\d,.]*")
_REPORTS = re.compile(
    r"\b(?:said|says|told|added|according to|claimed|insisted|wrote|tweeted|explained)\b",
    re.IGNORECASE,
)
_FIRST_PERSON = re.compile(r"\b(?:I|we|my|our|me|us|I'm|I've|we're|we've)\b")
_SECOND_PERSON = re.compile(r"\byou(?:r|rs)?\b", re.IGNORECASE)
_WEB = re.compile(r"https?:|www\.|@\w|©|\||\.com\b|[\w.]@[\w.]", re.IGNORECASE)
_WEB_PARTS = ("ttp", "www.", "@", "©", "|", ".com")
"""Every address has one of them."""
_BYLINE = re.compile(
    r"^(?:by\b:?|published:?|updated:?|last updated|created:?|follow @|exclusive:?"
    r"|from\b.{0,30} in )",
    re.IGNORECASE,
)
_LIST_MARK = re.compile(r"^(?:[•·*▪-]|\(?\d{1,2}[.)]|\[\d+\])\s?")
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_PRONOUNS = frozenset(
    """he she it they this that these those his her its their him them we i you there such one
    another both""".split()
)
_CONNECTIVES = frozenset(
    """but and however also so then meanwhile though although because yet still instead moreover
    furthermore additionally or nor thus therefore later afterwards earlier now since
    while""".split()
)
_STOP_WORDS = frozenset(
    """the and that with from have this were they their been which would there about after when
    what will more than into over also said says just could some other only your them then these
    those where while because such being very before most made many much even back through during
    under between against each both does doesn like""".split()
)
_POINTING = ("this", "these", "that", "those", "such")
_CUT_ENDS = ("-", "–", "—", "...", "…", ",", ";")
_LEAD_WORDS = 8
"""Words of a sentence that counts as one of the lead."""

Bools = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class _Paragraphs:
    lengths: list[int]
    opens: list[bool]
    closes: list[bool]


@dataclass(frozen=True, slots=True)
class _Vocabulary:
    """Content words of each sentence, in how many sentences each occurs, and those of the lead."""

    sentences: list[list[str]]
    frequencies: Counter[str]
    lead: set[str]


def surface_features(texts: Sequence[str], opens: Sequence[bool] | Bools) -> Array:
    """Describe sentences (N, ``N_SURFACE``); ``opens`` marks those that start a paragraph."""
    features = np.zeros((len(texts), N_SURFACE), dtype=np.float32)
    words_of_all = [_WORD.findall(text) for text in texts]
    paragraphs, vocabulary = _paragraphs(opens), _vocabulary(texts, words_of_all)
    seen: set[str] = set()
    for index, (text, words) in enumerate(zip(texts, words_of_all, strict=True)):
        stripped = text.strip()
        features[index] = (
            *_shape(stripped, words),
            *_place(paragraphs, index),
            *_marks(stripped),
            *_wording(stripped, words),
            *_opening(stripped, words),
            *_repetition(vocabulary, index, seen),
            *_ending(stripped),
        )
        seen.update(vocabulary.sentences[index])
    return features


def _paragraphs(opens: Sequence[bool] | Bools) -> _Paragraphs:
    n = len(opens)
    starts = [index for index in range(n) if opens[index] or index == 0]
    found = _Paragraphs([0] * n, [False] * n, [False] * n)
    for start, end in pairwise([*starts, n]):
        found.lengths[start:end] = [end - start] * (end - start)
        found.opens[start] = found.closes[end - 1] = True
    return found


def _vocabulary(texts: Sequence[str], words_of_all: Iterable[Sequence[str]]) -> _Vocabulary:
    sentences = list(map(_content_words, words_of_all))
    frequencies = Counter(chain.from_iterable(map(set, sentences)))
    full = [words for words, text in zip(sentences, texts, strict=True) if _is_full(text)]
    return _Vocabulary(sentences, frequencies, set().union(*full[:LEAD_SENTENCES]))


def _is_full(text: str) -> bool:
    return len(text.split()) >= _LEAD_WORDS


def content_words(text: str) -> list[str]:
    """Return the longer words of a sentence in lower case, without function words."""
    return _content_words(_WORD.findall(text))


def _content_words(words: Iterable[str]) -> list[str]:
    lowered = (word.lower() for word in words)
    return [word for word in lowered if len(word) > 3 and word not in _STOP_WORDS]


def _shape(text: str, words: Sequence[str]) -> tuple[float, ...]:
    n_words = len(text.split())
    first = words[0] if words else ""
    most = max(len(words), 1)
    return (
        float(np.log1p(n_words)),
        min(n_words, 60) / 50,
        bool(_END.search(text)),
        text.endswith(":"),
        bool(text) and text[-1].isalnum(),
        has_finite_verb(text),
        sum(word[0].isupper() for word in words) / most,
        sum(len(word) > 1 for word in filter(str.isupper, words)) / most,
        bool(first) and first[0].islower(),
        bool(_LABEL.match(text)),
        _has(text, _FURNITURE_PARTS) and bool(_FURNITURE.search(text)),
        len(first) > 1 and first.isupper(),
    )


def _has(text: str, parts: Iterable[str]) -> bool:
    """Return whether a text has one of some parts: much faster than a search for a pattern."""
    lower = text.lower()
    return any(part in lower for part in parts)


def _place(paragraphs: _Paragraphs, index: int) -> tuple[float, ...]:
    length = paragraphs.lengths[index]
    return (
        length == 1,
        paragraphs.opens[index],
        paragraphs.closes[index],
        float(np.log(max(length, 1))),
    )


def _marks(text: str) -> tuple[float, ...]:
    quotes = sum(map(text.count, '"“”'))
    return (
        sum(map(str.isdigit, text)) / max(len(text), 1),
        float(np.log1p(len(_NUMBER.findall(text)))),
        any(sign in text for sign in "£$€%"),
        quotes > 0 or "‘" in text,
        text[:1] in "\"'“‘",
        quotes % 2 == 1,
    )


def _wording(text: str, words: Sequence[str]) -> tuple[float, ...]:
    first = words[0].lower() if words else ""
    stem = first.split("'")[0].split("’")[0]
    return (
        first in _PRONOUNS or stem in _PRONOUNS,
        first in _CONNECTIVES,
        bool(_REPORTS.search(text)),
        text.rstrip("\"'”’) ").endswith("?"),
        bool(_FIRST_PERSON.search(text)),
        bool(_SECOND_PERSON.search(text)),
        _has(text, _WEB_PARTS) and bool(_WEB.search(text)),
        bool(_BYLINE.match(text)),
    )


def _opening(text: str, words: Sequence[str]) -> tuple[float, ...]:
    first = words[0].lower() if words else ""
    return (
        "(" in text,
        "CNN" in text,
        bool(_LIST_MARK.match(text)),
        first == "the",
        first in ("a", "an"),
        any(word.lower() in _POINTING for word in words[:4]),
    )


def _repetition(vocabulary: _Vocabulary, index: int, seen: set[str]) -> tuple[float, ...]:
    words = vocabulary.sentences[index]
    most = max(len(words), 1)
    counts = [vocabulary.frequencies[word] for word in words]
    return (
        sum(map(seen.__contains__, words)) / most,
        sum(map(vocabulary.lead.__contains__, words)) / most,
        float(np.log(counts).sum()) / most if counts else 0.0,
    )


def _ending(text: str) -> tuple[float, ...]:
    return (min(text.count(","), 5) / 5, len(text.split()) < 6, text.endswith(_CUT_ENDS))


def never_inputs(surface: Array) -> Array:
    """Join the features of each sentence and both neighbours with its place (N, 129)."""
    n = len(surface)
    none = np.zeros((1, surface.shape[1]), dtype=np.float32)
    index = np.arange(n, dtype=np.float32)[:, None]
    columns = (
        surface,
        np.concatenate([none, surface[:-1]]),
        np.concatenate([surface[1:], none]),
        np.minimum(index, 10) / 10,
        1 / (1 + index),
        np.full((n, 1), np.log(max(n, 1)) / 4),
    )
    return np.concatenate(columns, 1).astype(np.float32)


@dataclass(frozen=True, slots=True)
class DerivedFeatures:
    """Features that need all sentences of a text, and the class of each sentence's place."""

    places: IntArray
    features: Array
    """(N, ``N_DERIVED``)."""


def derived_features(attended: Array, mean: Array, never: Array) -> DerivedFeatures:
    """Compare sentences with each other and count those before them that are no furniture."""
    n = len(never)
    is_body = never < 0.5
    body: Array = (np.cumsum(is_body) - is_body).astype(np.float32)
    n_body = max(float(is_body.sum()), 1.0)
    similarity = _similarities(_unit(mean))
    columns = (
        never,
        np.log1p(body) / 3,
        body / n_body,
        1 / (1 + body),
        np.full(n, np.log(n_body) / 3),
        np.full(n, np.log(max(n, 1)) / 4),
        *_central(attended, mean, never, body),
        *similarity[:2],
        np.concatenate([[0], never[:-1]]),
        similarity[2],
        body / max(n_body - 1, 1),
        np.full(n, np.log1p(n_body) / 4),
        _cosine(_unit(attended), attended.mean(0)),
        _cosine(_unit(attended), (attended * (body < LEAD_SENTENCES)[:, None]).sum(0)),
    )
    features = np.stack([np.asarray(column, dtype=np.float32) for column in columns], 1)
    return DerivedFeatures(place_class(body.astype(np.int32)), features)


def _central(attended: Array, mean: Array, never: Array, body: Array) -> list[Array]:
    """Compare with the weighted means of the document, then of its lead."""
    weights = (1 - never)[:, None] + np.float32(1e-3)
    lead = weights * (body < LEAD_SENTENCES)[:, None] + np.float32(1e-6)
    units = (_unit(attended), _unit(mean))
    return [_cosine(rows, (rows * weight).sum(0)) for weight in (weights, lead) for rows in units]


def _similarities(rows: Array) -> Array:
    """Return the highest cosine with an earlier sentence, the mean one, that with the previous."""
    found = np.zeros((3, len(rows)), dtype=np.float32)
    for first, end, low, high in unit_windows(len(rows), size=WINDOW):
        cosines = matmul_transposed(rows[first:end], rows[first:end])
        np.fill_diagonal(cosines, 0)
        read = slice(low - first, high - first)
        found[0, low:high] = np.tril(cosines, -1).max(1)[read]
        found[1, low:high] = cosines.mean(1)[read]
        previous = np.concatenate([[0], np.diagonal(cosines, -1)])
        found[2, low:high] = previous[read]
    return found


def _unit(rows: Array) -> Array:
    scaled: Array = rows / (np.linalg.norm(rows, axis=-1, keepdims=True) + np.float32(1e-6))
    return scaled


def _cosine(rows: Array, other: Array) -> Array:
    return matmul(rows, _unit(other)[:, None])[:, 0]
