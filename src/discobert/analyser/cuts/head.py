"""The cut head: how surely some EDUs of a sentence can be left out without harm.

Harmless means that the rest is grammatical, faithful to the text and complete. The head answers
these three questions and the whole one, by a mean of small networks over named features.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from math import log
from typing import Any

import numpy as np
from tokenizers import Tokenizer

from discobert.analyser.cuts.features import text_features
from discobert.analyser.cuts.sentences import CutSentence, RankWord, may_be_cut
from discobert.analyser.cuts.syntax import SYNTAX_FEATURES, WORD_VIEWS, cut_syntax
from discobert.analyser.syntax import DependencyParser, Syntax
from discobert.data.cuts import Cut
from discobert.data.document import Document
from discobert.data.rst import RstTree
from discobert.discourse.clause_needs import selection_dependencies
from discobert.discourse.dependencies import closures
from discobert.errors import BundleError
from discobert.language.wordlists import (
    ANAPHORIC_PRONOUNS,
    INDEFINITE_DETERMINERS,
    POSSESSIVE_DETERMINERS,
    SUBJECT_FORMS,
    words,
)
from discobert.runtime.matmul import matmul, matmul_stacked, matmul_transposed
from discobert.runtime.tensors import Array, Stored, single

WEIGHTS, SECTION = "cuts.safetensors", "cuts"
"""File of a bundle with the weights, and section of its settings."""

QUESTIONS = ("grammatical", "faithful", "complete", "harmless")
"""The outputs of the networks."""
EDU_VIEWS = ("cut", "first", "rest", "before")

_LARGEST = 5
"""Standard deviations from the mean beyond which features are clipped."""
_LEAST = 1e-4
_RARE, _NOT_A_WORD = 30_000, 8.0
_COMMONEST = 1_995
"""Where the whole words begin in BERT's vocabulary, which is sorted by frequency."""

SentenceCuts = tuple[CutSentence, Sequence[tuple[int, ...]]]
"""A sentence with cuts of it, EDUs counted from its first one."""
CutProposals = Mapping[int, Sequence[tuple[int, ...]]]
"""Cuts by sentence, EDUs counted from the first one of the document."""
_SET_OFF = frozenset(",;:–—-()[]")
_FIRST_WORD = re.compile(r"[\W_]*(\w+)")
_OPENS_STATEMENT = (
    words("and but or nor so yet according saying if unless because although though when before")
    | words("there not in the")
    | SUBJECT_FORMS
    | ANAPHORIC_PRONOUNS
    | INDEFINITE_DETERMINERS
    | POSSESSIVE_DETERMINERS
)
"""Words that open a clause with a subject of its own, a condition, or a source."""


@dataclass(frozen=True, slots=True)
class CutFeatures:
    """The inputs of the networks for N cuts."""

    scalars: Array
    """(N, features)."""
    words: Array
    """Weighted means of word vectors, (N, 8, H)."""
    edus: Array
    """EDU vectors of cut, its first EDU, rest and the EDU kept before it, (N, 4, D)."""
    means: Array
    """Mean vectors of the sentence and of the one before, (N, 2, H)."""


def vocabulary_rank(tokenizer: Tokenizer, word: str) -> float:
    """Return how rare a word is: the logarithm of its place in the tokenizer's vocabulary."""
    if not word.isalpha():
        return _NOT_A_WORD
    place = tokenizer.token_to_id(word)
    return log(max(1, (_RARE if place is None else place) - _COMMONEST))


def frequency_rank(tokenizer: Tokenizer) -> RankWord:
    """Return how rare words are by the vocabulary of a tokenizer; answers are kept."""
    return lru_cache(maxsize=1 << 14)(partial(vocabulary_rank, tokenizer))


@dataclass(frozen=True, slots=True)
class _Network:
    """One network: views are reduced, joined with the scalars, and go through two layers."""

    words: Stored
    """(8, H, K)."""
    edus: Stored
    """(4, D, K)."""
    means: Stored
    """(2, H, K)."""
    bias: Array
    """(14 K,)."""
    weights: Mapping[str, Stored]
    biases: Mapping[str, Array]

    @classmethod
    def of(cls, tensors: Mapping[str, Stored], prefix: str) -> "_Network":
        layers, biased = ("scalars", "views", "second", "out", "skip"), ("scalars", "second", "out")
        return cls(
            words=tensors[f"{prefix}words.weight"],
            edus=tensors[f"{prefix}edus.weight"],
            means=tensors[f"{prefix}means.weight"],
            bias=single(tensors[f"{prefix}views.bias"]).ravel(),
            weights={name: tensors[f"{prefix}{name}.weight"] for name in layers},
            biases={name: single(tensors[f"{prefix}{name}.bias"]) for name in biased},
        )

    def logits(self, scalars: Array, features: CutFeatures) -> Array:
        """Return a logit for each question, (N, 4), from standardised scalars."""
        pairs = (
            (features.words, self.words),
            (features.edus, self.edus),
            (features.means, self.means),
        )
        reduced = [matmul_stacked(values.swapaxes(0, 1), weights) for values, weights in pairs]
        flat = np.concatenate(reduced).swapaxes(0, 1).reshape(len(scalars), -1)
        views = np.tanh(flat + self.bias)
        joined = self._product("views", views) + self._linear("scalars", scalars)
        hidden = np.maximum(self._linear("second", np.maximum(joined, 0)), 0)
        return self._linear("out", hidden) + self._product("skip", scalars)

    def _linear(self, name: str, inputs: Array) -> Array:
        return self._product(name, inputs) + self.biases[name]

    def _product(self, name: str, inputs: Array) -> Array:
        return matmul_transposed(inputs, self.weights[name])


@dataclass(frozen=True, slots=True)
class CutHead:
    """Scores cuts: dependency parser, features, networks, calibration."""

    parser: DependencyParser
    rank: RankWord
    networks: tuple[_Network, ...]
    features: tuple[str, ...]
    """Names of the scalars in the order of the weights."""
    mean: Array
    deviation: Array
    calibration: tuple[float, float]
    """Slope and intercept on the logit of the raw probability."""

    @classmethod
    def of(
        cls, tensors: Mapping[str, Stored], settings: Mapping[str, Any], tokenizer: Tokenizer
    ) -> "CutHead":
        """Build the head from the tensors and the settings of a bundle."""
        slope, intercept = map(float, settings["calibration"])
        try:
            return cls(
                parser=DependencyParser.of(tensors),
                rank=frequency_rank(tokenizer),
                networks=tuple(
                    _Network.of(tensors, f"{number}.") for number in range(settings["networks"])
                ),
                features=tuple(map(str, settings["features"])),
                mean=single(tensors["mean"]),
                deviation=single(tensors["deviation"]),
                calibration=(slope, intercept),
            )
        except KeyError as error:
            raise BundleError(f"{WEIGHTS} lacks {error}") from error

    def score(self, proposals: CutProposals, known: Iterable[CutSentence]) -> list[Cut]:
        """Return the probability that each proposed cut of some sentences is harmless."""
        items: list[SentenceCuts] = []
        for sentence in known:
            relative = (
                tuple(edu - sentence.first_edu for edu in cut)
                for cut in proposals.get(sentence.index, ())
            )
            cuts = [cut for cut in relative if has_words(sentence, cut)]
            if cuts:
                items.append((sentence, cuts))
        named = [
            tuple(edu + sentence.first_edu for edu in cut)
            for sentence, cuts in items
            for cut in cuts
        ]
        if not named:
            return []
        probabilities = self.probabilities(self.answers(self.read(items))).tolist()
        return [Cut(edus, p) for edus, p in zip(named, probabilities, strict=True)]

    def read(self, items: Sequence[SentenceCuts]) -> CutFeatures:
        """Compute the features of cuts, sentence by sentence, in the order given."""
        items = [item for item in items if item[1]]
        syntax = self.parser.parse([sentence.words for sentence, _ in items])
        parts = [
            sentence_features(sentence, cuts, read, self.features, self.rank)
            for (sentence, cuts), read in zip(items, syntax, strict=True)
        ]
        return joined_features(parts)

    def answers(self, features: CutFeatures) -> Array:
        """Return the logit of every question, the mean of the networks, (N, 4)."""
        scaled = np.clip((features.scalars - self.mean) / self.deviation, -_LARGEST, _LARGEST)
        logits = [network.logits(scaled, features) for network in self.networks]
        mean: Array = np.mean(logits, axis=0)
        return mean

    def probabilities(self, answers: Array) -> Array:
        """Return the calibrated probability that a cut does no harm, (N,)."""
        slope, intercept = self.calibration
        return sigmoid(slope * raw_logits(answers) + intercept)


def raw_logits(answers: Array) -> Array:
    """Return the logit of "harmless": the mean of its share and the product of the other three."""
    shares = sigmoid(answers)
    share = np.clip(0.5 * shares[:, 3] + 0.5 * shares[:, :3].prod(axis=1), _LEAST, 1 - _LEAST)
    logits: Array = np.log(share / (1 - share))
    return logits


def sigmoid(logits: Array) -> Array:
    """Turn logits into probabilities."""
    shares = 1 / (1 + np.exp(-np.clip(logits, np.float32(-60), np.float32(60))))
    return shares.astype(np.float32)


def joined_features(parts: Sequence[CutFeatures]) -> CutFeatures:
    """Put the features of several sentences into one."""
    return CutFeatures(
        *(
            np.concatenate([getattr(part, name) for part in parts])
            for name in ("scalars", "words", "edus", "means")
        )
    )


def sentence_features(
    sentence: CutSentence,
    cuts: Sequence[tuple[int, ...]],
    syntax: Syntax,
    names: Sequence[str],
    rank: RankWord,
) -> CutFeatures:
    """Compute the features of the cuts of one sentence; ``names`` gives the order of scalars."""
    found = cut_syntax(syntax, np.stack([sentence.mask(cut) for cut in cuts]))
    rows = []
    for cut, values in zip(cuts, found.scalars.tolist(), strict=True):
        named = text_features(sentence, cut, rank)
        named.update(zip(SYNTAX_FEATURES, values, strict=True))
        rows.append(_in_order(named, names))
    flat = found.views.reshape(len(cuts) * len(WORD_VIEWS), -1)
    words = matmul(flat, sentence.words).reshape(len(cuts), len(WORD_VIEWS), -1)
    edus = _edu_views(sentence.edu_vectors, cuts)
    means = np.repeat(sentence.means[None].astype(np.float32), len(cuts), axis=0)
    return CutFeatures(np.array(rows, dtype=np.float32), words, edus, means)


def _in_order(named: Mapping[str, float], names: Sequence[str]) -> list[float]:
    try:
        return [named[name] for name in names]
    except KeyError as error:
        raise BundleError(
            f"the cut head needs the feature {error}, which this discobert does not compute; "
            "export the bundle again"
        ) from error


def _edu_views(vectors: Array, cuts: Sequence[tuple[int, ...]]) -> Array:
    """Return means of EDU vectors for every cut, (C, 4, D)."""
    n_edus = len(vectors)
    weights = np.zeros((len(cuts), len(EDU_VIEWS), n_edus), dtype=np.float32)
    for row, cut in zip(weights, cuts, strict=True):
        row[2] = 1 / (n_edus - len(cut))
        for edu in cut:
            row[0, edu], row[2, edu] = 1 / len(cut), 0
        row[1, cut[0]] = 1
        if cut[0] > 0:
            row[3, cut[0] - 1] = 1
    views = matmul(weights.reshape(-1, n_edus), vectors)
    return views.reshape(len(cuts), len(EDU_VIEWS), -1)


def has_words(sentence: CutSentence, cut: Sequence[int]) -> bool:
    """Return whether a cut takes words and leaves some."""
    mask = sentence.mask(cut)
    return bool(mask.any()) and not bool(mask.all())


def proposed_cuts(document: Document, tree: RstTree) -> CutProposals:
    """List, by sentence, the cuts worth judging: every EDU with all that depends on it.

    Dependencies are those that selection obeys, needs of clauses included. What would leave
    nothing of its sentence is no cut, and none is listed twice. What is hardly ever harmless is
    left out, too, since judging takes time (``is_worth_judging``).
    """
    needed = closures(len(document.edus), selection_dependencies(document, tree))
    found: dict[int, list[tuple[int, ...]]] = {}
    for index, edus in enumerate(document.edus_by_sentence()):
        if may_be_cut(len(edus), 0):
            cuts = _cuts_of(edus, needed)
            found[index] = [cut for cut in cuts if is_worth_judging(document, cut)]
    return {index: cuts for index, cuts in found.items() if cuts}


def is_worth_judging(document: Document, cut: Sequence[int]) -> bool:
    """Return whether a cut is set off, and no clause that says something new or limits the rest.

    Statements of their own ("and he left", "she added") and conditions ("if it rains") are hardly
    ever harmless.
    """
    opening = _FIRST_WORD.match(document.text, document.edus[cut[0]].span.start)
    is_statement = opening is not None and opening[1].lower() in _OPENS_STATEMENT
    return not is_statement and is_set_off(document, cut)


def is_set_off(document: Document, cut: Sequence[int]) -> bool:
    """Return whether punctuation separates a cut from what comes before it, or after an opening."""
    text, first = document.text, document.edus[cut[0]].span
    sentence = document.sentences[document.edus[cut[0]].sentence]
    if first.start == sentence.start:
        return text[document.edus[cut[-1]].span.end - 1] in _SET_OFF
    before = text[sentence.start : first.start].rstrip()
    return before[-1:] in _SET_OFF or text[first.start] in _SET_OFF


def _cuts_of(edus: range, needed: Sequence[frozenset[int]]) -> Iterator[tuple[int, ...]]:
    seen: set[tuple[int, ...]] = set()
    for edu in edus:
        cut = tuple(other for other in edus if edu in needed[other])
        if len(cut) < len(edus) and cut not in seen:
            seen.add(cut)
            yield cut
