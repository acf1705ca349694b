"""Scores of every layer of an analysis against gold documents.

Counts are kept for each document and named by figure, so that any set of documents can be scored
afterwards: all of them, those of one genre, or those drawn for an interval.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from time import process_time
from typing import Protocol, TypeVar, runtime_checkable

from discobert.data.document import Document, SentenceLayout, SourceText, Span
from discobert.data.rst import RstTree
from discobert.data.summary import Analysis
from discobert.discourse.dependencies import enforced_dependencies
from discobert.metrics.coreference import (
    CorefTally,
    compare_chains,
    compare_edu_pairs,
    token_chains,
)
from discobert.metrics.counts import Hits, Tally, compare_flags, compare_starts, overlap
from discobert.metrics.parsing import Parseval, compare_heads, compare_trees, single_heads
from discobert.store.treebanks import coarse_tree
from discobert.store.treebanks.gum import GoldDocument, gold_analysis

R = TypeVar("R")
Tallies = Mapping[str, Tally]


@runtime_checkable
class GuidedAnalyser(Protocol[R]):
    """An analyser that can be given sentences and EDUs; ``R`` is an encoded text."""

    def analyse(self, source: SourceText) -> Analysis:
        """Analyse one text."""
        ...

    def encode(self, source: SourceText, sentences: SentenceLayout | None = None) -> R:
        """Encode a text, by given sentences or predicted ones."""
        ...

    def analyse_encoded(self, encoded: R, edus: Sequence[Span] | None = None) -> Analysis:
        """Analyse an encoded text, by given EDUs or predicted ones."""
        ...


@dataclass(frozen=True, slots=True)
class DocumentScore:
    """The counts of one document, and what its analysis from raw text cost."""

    id: str
    genre: str
    in_licence: bool
    words: int
    cpu_seconds: float
    tallies: Tallies


def score_document(analyser: GuidedAnalyser[R], gold: GoldDocument) -> DocumentScore:
    """Analyse a document twice: from its raw text, and with gold sentences and EDUs."""
    reference = gold_analysis(gold)
    source = SourceText(gold.id, gold.text)
    start = process_time()
    raw = analyser.analyse(source)
    seconds = process_time() - start
    layout = SentenceLayout(gold.sentences, gold.paragraphs)
    guided = analyser.analyse_encoded(analyser.encode(source, layout), edus=gold.edus)
    return DocumentScore(
        id=gold.id,
        genre=gold.genre,
        in_licence=not gold.non_commercial,
        words=len(gold.text.split()),
        cpu_seconds=seconds,
        tallies={
            **_segmentation(reference.document, raw.document),
            **_trees("gold_edus", reference, guided),
            **_trees("end_to_end", reference, raw),
            **_dependencies(reference, guided, raw),
            **_coreference(gold.tokens, reference, raw),
            "subjects": compare_flags(_subjects(reference), _subjects(guided)),
        },
    )


def _segmentation(gold: Document, raw: Document) -> Tallies:
    sentences = {sentence.start for sentence in gold.sentences}
    edus = compare_starts(
        {edu.span.start for edu in gold.edus},
        {edu.span.start for edu in raw.edus},
        sentences=sentences,
    )
    found = {sentence.start for sentence in raw.sentences}
    return {"edus": edus.every, "inner": edus.inner, "sentences": overlap(sentences, found)}


def _trees(name: str, gold: Analysis, found: Analysis) -> Tallies:
    # A model may have finer relations than the classes that are scored.
    tree = coarse_tree(found.rst)
    scores: Parseval = compare_trees(gold.document, gold.rst, found.document, tree)
    return {
        f"{name}.span": scores.span,
        f"{name}.nuclearity": scores.nuclearity,
        f"{name}.relation": scores.relation,
        f"{name}.full": scores.full,
    }


def _dependencies(gold: Analysis, guided: Analysis, raw: Analysis) -> Tallies:
    heads: Hits = compare_heads(
        gold.document, _heads(gold.document, gold.rst), _heads(guided.document, guided.rst)
    )
    return {
        "heads": Tally(heads.right, heads.total, heads.right, heads.total),
        "dependencies": _density(raw),
        "gold_dependencies": _density(gold),
    }


def _heads(document: Document, tree: RstTree) -> Mapping[int, int]:
    return single_heads(enforced_dependencies(document, tree))


def _density(analysis: Analysis) -> Tally:
    """Count dependencies as if they were found among EDUs: the recall is how many an EDU has."""
    document = analysis.document
    return Tally(len(enforced_dependencies(document, analysis.rst)), len(document.edus))


def _coreference(tokens: Sequence[Span], gold: Analysis, raw: Analysis) -> Tallies:
    theirs, ours = token_chains(gold.coref, tokens), token_chains(raw.coref, tokens)
    scores: CorefTally = compare_chains(theirs, ours)
    return {
        "muc": scores.muc,
        "b3": scores.b3,
        "ceafe": scores.ceafe,
        "mentions": overlap(frozenset().union(*theirs), frozenset().union(*ours)),
        "edu_edges": compare_edu_pairs(gold.document, gold.coref, raw.coref),
    }


def _subjects(analysis: Analysis) -> list[bool]:
    return [edu.has_subject for edu in analysis.document.edus]
