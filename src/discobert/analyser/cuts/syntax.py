"""Features of cuts that are read off the syntax: what hangs on what across their edges."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from discobert.analyser.syntax import PARTS_OF_SPEECH, RELATIONS, Syntax
from discobert.runtime.matmul import matmul, matmul_transposed
from discobert.runtime.tensors import Array

Masks = NDArray[np.bool_]

_PUNCTUATION = PARTS_OF_SPEECH.index("PUNCT")
_LEAST = np.float32(1e-6)


@dataclass(frozen=True, slots=True)
class _Columns:
    """Named columns of a table of probabilities."""

    names: tuple[str, ...]
    places: tuple[int, ...]


def _columns(prefix: str, names: str, inventory: Sequence[str]) -> _Columns:
    listed = names.split()
    return _Columns(
        tuple(f"x_{prefix}_{name}" for name in listed), tuple(map(inventory.index, listed))
    )


_FUNCTION = _columns(
    "fun",
    "root advcl acl:relcl acl ccomp xcomp csubj conj parataxis appos nmod obl advcl:relcl nsubj "
    "obj advmod dep",
    RELATIONS,
)
_STRANDED = _columns(
    "back",
    "nsubj obj obl nmod mark cc conj ccomp advcl acl acl:relcl parataxis xcomp cop aux case advmod "
    "appos",
    RELATIONS,
)
_GOVERNOR_POS = _columns("gov", "NOUN PROPN PRON VERB AUX ADJ ADV NUM DET", PARTS_OF_SPEECH)
_GOVERNOR = _columns(
    "govrel",
    "root nsubj obj obl nmod ccomp advcl conj xcomp acl:relcl appos parataxis compound",
    RELATIONS,
)
_KEPT = _columns(
    "kept",
    "nsubj obj obl nmod amod det compound nmod:poss xcomp ccomp advcl conj cop aux advmod case acl "
    "appos nummod flat",
    RELATIONS,
)
_ROOT = _columns("root", "nsubj obj obl ccomp xcomp advcl cop conj", RELATIONS)
_ROOT_POS = _columns("rootpos", "VERB NOUN ADJ", PARTS_OF_SPEECH)
_NEIGHBOUR_POS = "NOUN PROPN PRON VERB AUX ADJ ADV ADP SCONJ DET"
_LAST = _columns("last", _NEIGHBOUR_POS, PARTS_OF_SPEECH)
_FIRST = _columns("first", _NEIGHBOUR_POS, PARTS_OF_SPEECH)
_NEXT = _columns("next", _NEIGHBOUR_POS, PARTS_OF_SPEECH)
_COUNTED_POS, _COUNTED = "NOUN PROPN VERB ADJ NUM PRON", "nsubj obj obl ccomp advcl mark aux"
_CUT_POS = _columns("cut_n", _COUNTED_POS, PARTS_OF_SPEECH)
_REST_POS = _columns("rest_n", _COUNTED_POS, PARTS_OF_SPEECH)
_CUT = _columns("cut_r", _COUNTED, RELATIONS)
_REST = _columns("rest_r", _COUNTED, RELATIONS)
_SINGLE = (
    "x_out",
    "x_out_max",
    "x_root_in_cut",
    "x_back",
    "x_back_max",
    "x_kept",
    "x_root_is_gov",
    "x_gov_distance",
    "x_gov_after",
)

_N_RELATIONS, _N_POS = len(RELATIONS), len(PARTS_OF_SPEECH)
_POS_AT = 7 * _N_RELATIONS
_NEAR_AT = _POS_AT + 4 * _N_POS
_TABLES: tuple[tuple[_Columns, int, float], ...] = (
    (_FUNCTION, 0, np.inf),
    (_STRANDED, _N_RELATIONS, 1),
    (_GOVERNOR_POS, _POS_AT, np.inf),
    (_GOVERNOR, 2 * _N_RELATIONS, np.inf),
    (_KEPT, 3 * _N_RELATIONS, 2),
    (_ROOT, 4 * _N_RELATIONS, 2),
    (_ROOT_POS, _POS_AT + _N_POS, np.inf),
    (_LAST, _NEAR_AT, np.inf),
    (_FIRST, _NEAR_AT + _N_POS, np.inf),
    (_NEXT, _NEAR_AT + 2 * _N_POS, np.inf),
    (_CUT_POS, _POS_AT + 2 * _N_POS, np.inf),
    (_REST_POS, _POS_AT + 3 * _N_POS, np.inf),
    (_CUT, 5 * _N_RELATIONS, np.inf),
    (_REST, 6 * _N_RELATIONS, np.inf),
)
"""Columns of features, where their table starts among all sums, and their largest value."""
_PICKED = np.array([start + place for columns, start, _ in _TABLES for place in columns.places])
_CEILINGS = np.array([top for columns, _, top in _TABLES for _ in columns.places], np.float32)
_COUNTS = sum(len(columns.places) for columns, *_ in _TABLES[:-4])
"""From here on features are logarithms of counts."""

SYNTAX_FEATURES: tuple[str, ...] = (
    *_SINGLE,
    *(name for columns, *_ in _TABLES for name in columns.names),
)
"""Names of the columns of ``CutSyntax.scalars``."""

WORD_VIEWS = ("head", "governor", "last", "first", "next", "root", "cut", "rest")
"""Which words the rows of ``CutSyntax.views`` weigh."""


@dataclass(frozen=True, slots=True)
class CutSyntax:
    """Syntactic features of the C cuts of one sentence of W words."""

    scalars: Array
    """(C, features)."""
    views: Array
    """Weights of words that sum to one, or to nothing where there is no such word, (C, 8, W)."""


@dataclass(frozen=True, slots=True)
class _Arcs:
    """Weights over words, each (C, W): which hang across the edge of a cut, and on which."""

    leaving: Array
    """Words of the cut by the probability that their head is not in it."""
    stranded: Array
    """Words of the rest by the probability that their head is in the cut."""
    head: Array
    """``leaving``, summing to one."""
    governor: Array
    """Words of the rest that the cut hangs on, summing to one."""
    beside: Array
    """Other words of the rest that hang on the governor."""
    root: Array
    """Words of the rest as root of the sentence, summing to one."""
    under_root: Array
    """Words of the rest that hang on the root."""

    @classmethod
    def of(cls, syntax: Syntax, masks: Array) -> "_Arcs":
        """Sum probabilities over both sides of every cut."""
        inner = np.ascontiguousarray(syntax.heads[:, :-1])
        to_root = syntax.heads[:, -1]
        rest = 1 - masks
        is_word = 1 - syntax.upos[:, _PUNCTUATION]
        within = matmul_transposed(masks, inner)  # how surely the head of a word is in the cut
        leaving = masks * (1 - within) * is_word
        head = _normalised(leaving)
        governor = _normalised(matmul(head, inner) * rest)
        root = _normalised(to_root * rest)
        under = matmul_transposed(np.concatenate([governor, root]), inner)
        return cls(
            leaving=leaving,
            stranded=rest * within * is_word,
            head=head,
            governor=governor,
            beside=under[: len(masks)] * rest,
            root=root,
            under_root=under[len(masks) :] * rest,
        )


def _normalised(weights: Array) -> Array:
    shares: Array = weights / np.maximum(weights.sum(axis=1, keepdims=True), _LEAST)
    return shares


@dataclass(frozen=True, slots=True)
class _Places:
    """Places of words at the edges of each cut; -1 where there is none."""

    first: list[int]
    """First word of the cut, marks included."""
    end: list[int]
    """Last word of the cut, marks included."""
    neighbours: NDArray[np.int64]
    """Last word before the cut, its first word, next word after it, without marks, (C, 3)."""

    @classmethod
    def of(cls, masks: Masks, is_word: Masks) -> "_Places":
        """Find the edges of every cut, which has at least one word."""
        first, end, neighbours = [], [], []
        for mask in masks:
            own = np.flatnonzero(mask)
            low, high = int(own[0]), int(own[-1])
            real, inside = np.flatnonzero(~mask & is_word), np.flatnonzero(mask & is_word)
            before, after = real[real < low], real[real > high]
            first.append(low)
            end.append(high)
            neighbours.append(
                (
                    int(before[-1]) if len(before) else -1,
                    int(inside[0]) if len(inside) else low,
                    int(after[0]) if len(after) else -1,
                )
            )
        return cls(first, end, np.array(neighbours, dtype=np.int64))


def cut_syntax(syntax: Syntax, masks: Masks) -> CutSyntax:
    """Return features and views of the cuts of one sentence; ``masks`` are (C, W)."""
    cut = masks.astype(np.float32)
    arcs = _Arcs.of(syntax, cut)
    is_word = syntax.upos[:, _PUNCTUATION] < 0.5
    places = _Places.of(masks, is_word)
    scalars = [_single(syntax, arcs, cut, places), _tables(syntax, arcs, cut, places)]
    return CutSyntax(
        np.concatenate(scalars, axis=1, dtype=np.float32), _views(arcs, masks, is_word, places)
    )


def _single(syntax: Syntax, arcs: _Arcs, cut: Array, places: _Places) -> Array:
    is_word = 1 - syntax.upos[:, _PUNCTUATION]
    spots = np.arange(cut.shape[1], dtype=np.float32)
    has_governor = arcs.governor.sum(axis=1) > 0.5
    distance = np.log1p(np.abs(np.array(places.first) - (arcs.governor * spots).sum(axis=1)))
    follows = spots >= np.array(places.end)[:, None]
    columns = (
        np.log1p(arcs.leaving.sum(axis=1)),
        arcs.leaving.max(axis=1),
        (cut * syntax.heads[:, -1] * is_word).sum(axis=1),
        np.log1p(arcs.stranded.sum(axis=1)),
        arcs.stranded.max(axis=1),
        np.log1p((arcs.beside * is_word).sum(axis=1)),
        np.minimum(arcs.root, arcs.governor).sum(axis=1),
        np.where(has_governor, distance, 0),
        (arcs.governor * follows).sum(axis=1),
    )
    return np.stack(columns, axis=1)


def _tables(syntax: Syntax, arcs: _Arcs, cut: Array, places: _Places) -> Array:
    """Return sums over words, in the order of ``SYNTAX_FEATURES``."""
    n_cuts, rest = len(cut), 1 - cut
    weights = (arcs.head, arcs.stranded, arcs.governor, arcs.beside, arcs.under_root, cut, rest)
    by_relation = matmul(np.concatenate(weights), syntax.relations)
    by_pos = matmul(np.concatenate([arcs.governor, arcs.root, cut, rest]), syntax.upos)
    no_word = np.zeros((1, _N_POS), dtype=np.float32)
    near = np.concatenate([syntax.upos, no_word])[places.neighbours]  # the row -1 is no word
    sums = np.concatenate(
        [
            by_relation.reshape(len(weights), n_cuts, -1).swapaxes(0, 1).reshape(n_cuts, -1),
            by_pos.reshape(4, n_cuts, -1).swapaxes(0, 1).reshape(n_cuts, -1),
            near.reshape(n_cuts, -1),
        ],
        axis=1,
    )
    found: Array = np.minimum(sums[:, _PICKED], _CEILINGS)
    found[:, _COUNTS:] = np.log1p(found[:, _COUNTS:])
    return found


def _views(arcs: _Arcs, masks: Masks, is_word: Masks, places: _Places) -> Array:
    n_words = masks.shape[1]
    one_hot = np.eye(n_words + 1, n_words, dtype=np.float32)  # the last row, -1, is empty
    last, first, following = (one_hot[places.neighbours[:, side]] for side in range(3))
    cut, rest = ((side & is_word).astype(np.float32) for side in (masks, ~masks))
    views = (
        *(arcs.head, arcs.governor, last, first, following, arcs.root),
        *(side / np.maximum(side.sum(axis=1, keepdims=True), 1) for side in (cut, rest)),
    )
    return np.stack(views, axis=1)
