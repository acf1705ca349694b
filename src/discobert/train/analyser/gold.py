"""Gold documents as arrays: piece layout, labels and trees for the losses."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer

from discobert.data.document import SentenceLayout, Span
from discobert.discourse.mentions import MAX_WIDTH
from discobert.discourse.transitions import ActionOracle, Outline, outline
from discobert.runtime.pieces import IntArray, PieceLayout, lay_out, piece_ranges, word_ranges
from discobert.store.treebanks.gum import GoldDocument

RELATIONS = (
    "adversative",
    "attribution",
    "causal",
    "context",
    "contingency",
    "elaboration",
    "evaluation",
    "explanation",
    "joint",
    "mode",
    "organization",
    "purpose",
    "restatement",
    "same-unit",
    "topic",
)
"""The coarse relations of GUM."""


@dataclass(frozen=True, slots=True)
class GoldItem:
    """One document laid out in pieces, with its labels; None where the corpus has none."""

    id: str
    words: list[str]
    layout: PieceLayout
    boundaries: NDArray[np.float32] | None
    subjects: NDArray[np.float32] | None
    edu_pieces: IntArray | None
    """First and end piece of each EDU, (N, 2)."""
    shape: Outline | None
    oracle: ActionOracle | None
    relations: tuple[str, ...]
    """The relations to learn from its tree; empty for a silver corpus."""
    clusters: list[list[tuple[int, int]]] | None
    """First and last word of the mentions of each cluster."""


def gold_item(
    tokenizer: Tokenizer,
    gold: GoldDocument,
    *,
    sentences: SentenceLayout | None = None,
    relations: tuple[str, ...] = RELATIONS,
) -> GoldItem:
    """Lay a gold document out, by its own sentences or by a splitter's."""
    own = SentenceLayout(gold.sentences, gold.paragraphs)
    layout = lay_out(tokenizer, gold.text, sentences or own)
    has_tree = gold.nodes is not None and gold.edus is not None
    shape = edu_outline(gold) if has_tree else None
    return GoldItem(
        id=gold.id,
        words=[gold.text[start:end] for start, end in layout.word_chars.tolist()],
        layout=layout,
        boundaries=_starts(layout, gold.edus),
        subjects=_starts(layout, gold.subjects),
        edu_pieces=None if gold.edus is None else piece_ranges(layout, gold.edus),
        shape=shape,
        oracle=None if shape is None else ActionOracle(shape, gold.nodes or ()),
        relations=relations if gold.has_relations else (),
        clusters=_clusters(layout, gold.clusters),
    )


def edu_outline(gold: GoldDocument) -> Outline:
    """Place the gold EDUs in gold sentences and paragraphs."""
    starts = [sentence.start for sentence in gold.sentences]
    placed = np.searchsorted(starts, [edu.start for edu in gold.edus or ()], side="right") - 1
    return outline(placed.tolist(), gold.paragraphs)


def _starts(layout: PieceLayout, spans: Sequence[Span] | None) -> NDArray[np.float32] | None:
    if spans is None:
        return None
    # A span that starts inside a word is snapped to that word.
    places = (
        np.searchsorted(layout.word_chars[:, 0], [span.start for span in spans], side="right") - 1
    )
    marks = np.zeros(layout.n_words, dtype=np.float32)
    marks[np.maximum(places, 0)] = 1
    return marks


def _clusters(
    layout: PieceLayout, clusters: Sequence[Sequence[Span]] | None
) -> list[list[tuple[int, int]]] | None:
    if clusters is None:
        return None
    found = []
    for cluster in clusters:
        ranges = word_ranges(layout, cluster).tolist()
        mentions = {
            (first, end - 1)
            for first, end in ranges
            if first < end <= first + MAX_WIDTH
            and layout.word_sentences[first] == layout.word_sentences[end - 1]
        }
        if len(mentions) > 1:
            found.append(sorted(mentions))
    return found
