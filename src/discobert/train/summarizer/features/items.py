"""Documents as arrays: pieces, units, targets and counts for the ranker."""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from discobert.data.summary import Analysis
from discobert.discourse.dependencies import OURS, DependencyRules, enforced_dependencies
from discobert.discourse.units import UnitKind
from discobert.errors import InputError
from discobert.language.tokens import tokenise
from discobert.metrics.coverage import coverage_of
from discobert.metrics.rouge import reference_of
from discobert.nn.scorer import Variant
from discobert.runtime.pieces import IntArray, PieceLayout, piece_bounds, sentences_within
from discobert.scorer.features import DEFAULT, UnitOptions, Units, edu_units, sentence_units
from discobert.selection.redundancy import ngrams
from discobert.store.prepared.documents import Prepared
from discobert.train.summarizer.objective.targets import (
    Floats,
    chosen_units,
    prepared_labels,
    unit_texts,
)

TRIGRAM = 3


@dataclass(frozen=True, slots=True)
class RankData:
    """N-gram counts and dependencies of units, to list and to score candidate summaries."""

    words: IntArray
    """White-space words, (N)."""
    tokens: IntArray
    """Tokens that ROUGE counts, (N)."""
    counts: NDArray[np.int16]
    """How often each n-gram of the reference occurs, (N, G): unigrams, then bigrams."""
    wanted: NDArray[np.int16]
    """How often the reference has each, (G)."""
    n_unigrams: int
    reference_tokens: int
    needs: IntArray
    """Enforced dependencies, (E, 2)."""
    grams: IntArray
    """Unit and hash of each of its trigrams, (K, 2)."""


@dataclass(frozen=True, slots=True)
class Item:
    """One document, or a window of one: its pieces, its units and their targets."""

    id: str
    layout: PieceLayout | None
    """None where the vectors of units were cached."""
    units: Units
    chosen: Floats
    """1 for units of the oracle, (N)."""
    gains: Floats
    """ROUGE gain of each unit alone, as a share of the greatest, (N)."""
    rank: RankData

    @property
    def n_pieces(self) -> int:
        """Pieces of the whole document."""
        return 0 if self.layout is None else len(self.layout.ids)


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemOptions:
    """Which units a network reads, and how much of a document."""

    variant: Variant = Variant.EDU_BOTH
    units: UnitOptions = DEFAULT
    max_pieces: int = 1024
    """Documents are cut after the last sentence that fits; 0: never."""
    later_windows: float = 0.0
    """Share of longer documents that are cut to a later window in place of the first."""

    @property
    def kind(self) -> UnitKind:
        """EDUs or sentences."""
        return UnitKind.SENTENCE if self.variant is Variant.SENTENCE else UnitKind.EDU


LayOut = Callable[[Analysis], PieceLayout]


def item_of(document: Prepared, options: ItemOptions, lay_out: LayOut | None = None) -> Item:
    """Turn a prepared document into arrays; ``lay_out`` tokenises it again."""
    layout = document.layout if lay_out is None else lay_out(document.analysis)
    if layout is None:
        raise InputError(
            f"{document.article.id}: prepared without word pieces; prepare it with a model, "
            "or name an encoder, whose tokenizer is used"
        )
    kind, rules = options.kind, options.units.rules
    labels = prepared_labels(document, kind, rules=rules)
    units = document_units(document.analysis, layout, options)
    item = Item(
        id=document.article.id,
        layout=layout,
        units=units,
        chosen=chosen_units(labels, len(units)),
        gains=np.asarray(labels.targets, dtype=np.float32),
        rank=_rank_data(document, kind, rules),
    )
    first = _first_sentence(item.id, layout, options)
    return cut(item, first, sentences_within(layout, options.max_pieces, first=first))


def _first_sentence(name: str, layout: PieceLayout, options: ItemOptions) -> int:
    """Return the first sentence of a document's window; depends on its name, not on the run."""
    n_sentences = int(layout.block_sentences[-1]) + 1
    whole = sentences_within(layout, options.max_pieces) == n_sentences
    rng = random.Random(name)
    if whole or rng.random() >= options.later_windows:
        return 0
    return rng.randrange(1, n_sentences)


def document_units(analysis: Analysis, layout: PieceLayout, options: ItemOptions) -> Units:
    """Return the EDUs or sentences that a network reads."""
    describe = sentence_units if options.kind is UnitKind.SENTENCE else edu_units
    return describe(analysis, layout, options.units)


def cut(item: Item, first: int, end: int) -> Item:
    """Keep sentences ``[first, end)``; places in the document are not renumbered."""
    layout, units = item.layout, item.units
    if layout is None or (first == 0 and end > int(units.sentences[-1])):
        return item
    low, high = piece_bounds(layout, first, end)
    kept = slice(*np.searchsorted(units.sentences, [first, end]).tolist())
    return replace(
        item,
        layout=_cut_layout(layout, low, high),
        units=Units(
            pieces=_shifted_pieces(units.pieces[kept], low),
            sentences=units.sentences[kept],
            places=units.places[kept],
            features=units.features[kept],
            rst=_inside(units.rst, kept),
            coref=_inside(units.coref, kept),
        ),
        chosen=item.chosen[kept],
        gains=item.gains[kept],
        rank=_cut_rank(item.rank, kept),
    )


def _shifted_pieces(pieces: IntArray, low: int) -> IntArray:
    empty = pieces[:, :1] >= pieces[:, 1:]
    return np.where(empty, 0, pieces - low).astype(np.int32)


def _inside(edges: IntArray, kept: slice) -> IntArray:
    """Keep edges between kept units, renumbered."""
    whole = ((edges >= kept.start) & (edges < kept.stop)).all(axis=1)
    inner: IntArray = (edges[whole] - kept.start).astype(np.int32)
    return inner


def _cut_rank(rank: RankData, kept: slice) -> RankData:
    at = (rank.grams[:, 0] >= kept.start) & (rank.grams[:, 0] < kept.stop)
    return replace(
        rank,
        words=rank.words[kept],
        tokens=rank.tokens[kept],
        counts=rank.counts[kept],
        needs=_inside(rank.needs, kept),
        grams=rank.grams[at] - np.array([kept.start, 0], dtype=np.int32),
    )


def _cut_layout(layout: PieceLayout, low: int, high: int) -> PieceLayout:
    """Keep pieces ``[low, high)``, whole sentences; words are dropped."""
    blocks = slice(*np.searchsorted(layout.blocks, [low, high]).tolist())
    return PieceLayout(
        ids=layout.ids[low:high],
        shapes=layout.shapes[low:high],
        blocks=layout.blocks[blocks.start : blocks.stop + 1] - low,
        block_sentences=layout.block_sentences[blocks],
        word_pieces=layout.word_pieces[:0],
        word_chars=layout.word_chars[:0],
        word_sentences=layout.word_sentences[:0],
        word_opens=layout.word_opens[:0],
    )


def _rank_data(document: Prepared, kind: UnitKind, rules: DependencyRules = OURS) -> RankData:
    analysis = document.analysis
    texts = unit_texts(analysis, kind)
    reference = reference_of(document.article.reference)
    tokens = [tokenise(text) for text in texts]
    coverage = coverage_of(tokens, reference, closures=None, bigrams=True)
    edges = enforced_dependencies(analysis.document, analysis.rst, rules=rules)
    needs = [] if kind is UnitKind.SENTENCE else [(edge.dependent, edge.head) for edge in edges]
    return RankData(
        words=np.array([len(text.split()) for text in texts], dtype=np.int32),
        tokens=np.array(list(map(len, tokens)), dtype=np.int32),
        counts=coverage.counts[:-1].astype(np.int16),
        wanted=coverage.wanted.astype(np.int16),
        n_unigrams=coverage.n_unigrams,
        reference_tokens=coverage.reference_length,
        needs=np.array(needs, dtype=np.int32).reshape(-1, 2),
        grams=_hashed_grams(analysis, kind),
    )


def _hashed_grams(analysis: Analysis, kind: UnitKind) -> IntArray:
    """List (unit, hash) of every trigram, hashes of 31 bits."""
    document = analysis.document
    groups: Sequence[Sequence[int]] = [[edu] for edu in range(len(document.edus))]
    if kind is UnitKind.SENTENCE:
        groups = document.edus_by_sentence()
    pairs = [
        (unit, crc32(" ".join(gram).encode()) & 0x7FFFFFFF)
        for unit, edus in enumerate(groups)
        for gram in sorted(ngrams(document, edus, TRIGRAM))
    ]
    return np.array(pairs, dtype=np.int32).reshape(-1, 2)
