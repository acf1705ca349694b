"""Analyses against gold documents, every layer.

Counts are kept for each document and named by figure, so that any set of documents can be scored
afterwards: all of them, those of one genre, or those resampled for an interval.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from time import process_time
from typing import Protocol, TypeVar, runtime_checkable

from discobert.data.document import Document, Edu, SentenceLayout, Span
from discobert.data.rst import RstTree
from discobert.data.summary import Analysis
from discobert.discourse.dependencies import enforced_dependencies
from discobert.language.clauses import has_subject
from discobert.metrics.coreference import (
    CorefTally,
    compare_chains,
    compare_edu_pairs,
    token_chains,
)
from discobert.metrics.counts import Hits, Tally, compare_flags, compare_starts, overlap
from discobert.metrics.parsing import Parseval, compare_heads, compare_trees, single_heads
from discobert.pipeline import StagedAnalyser
from discobert.store.treebanks import coarse_tree
from discobert.store.treebanks.gum import GoldDocument, gold_analysis

R = TypeVar("R")
Tallies = Mapping[str, Tally]


@runtime_checkable
class GuidedAnalyser(Protocol[R]):
    """An analyser that accepts gold sentences and EDUs; ``R`` is its type of encoded texts."""

    def analyse(self, texts: Sequence[tuple[str, str]]) -> list[Analysis]:
        """Analyse (id, text) pairs."""
        ...

    def read(self, name: str, text: str, sentences: SentenceLayout | None = None) -> R:
        """Encode a text, with given sentences or its own."""
        ...

    def analyse_encoded(self, reading: R, edus: Sequence[Span] | None = None) -> Analysis:
        """Analyse an encoded text, with given EDUs or its own."""
        ...


@dataclass(frozen=True, slots=True)
class SplitText:
    """A text whose sentences are given."""

    id: str
    text: str
    sentences: SentenceLayout


@dataclass(frozen=True, slots=True)
class GuidedStages:
    """The analyser without weights; parser and resolver work on the given EDUs."""

    stages: StagedAnalyser

    def analyse(self, texts: Sequence[tuple[str, str]]) -> list[Analysis]:
        """Analyse (id, text) pairs."""
        return self.stages.analyse(texts)

    def read(self, name: str, text: str, sentences: SentenceLayout | None = None) -> SplitText:
        """Return the text with the given sentences, or those of the segmenter."""
        if sentences is None:
            document = self.stages.segmenter.segment([(name, text)])[0]
            sentences = SentenceLayout(document.sentences, document.paragraphs)
        return SplitText(name, text, sentences)

    def analyse_encoded(self, reading: SplitText, edus: Sequence[Span] | None = None) -> Analysis:
        """Parse and resolve the given EDUs, or whole sentences."""
        layout = reading.sentences
        spans = layout.sentences if edus is None else edus
        document = Document(
            reading.id,
            reading.text,
            layout.sentences,
            tuple(_placed(spans, layout.sentences, reading.text)),
            layout.paragraphs,
        )
        tree = self.stages.parser.parse([document])[0]
        return Analysis(document, tree, self.stages.resolver.resolve([document])[0])


def _placed(edus: Sequence[Span], sentences: Sequence[Span], text: str) -> Iterator[Edu]:
    sentence = 0
    for edu in edus:
        while sentences[sentence].end <= edu.start:
            sentence += 1
        yield Edu(edu, sentence, has_subject(edu.of(text)))


@dataclass(frozen=True, slots=True)
class DocumentScore:
    """Counts of one document, and the CPU time of its analysis from raw text."""

    id: str
    genre: str
    in_licence: bool
    words: int
    cpu_seconds: float
    tallies: Tallies


def score_documents(
    analyser: GuidedAnalyser[R], documents: Iterable[GoldDocument]
) -> Iterator[DocumentScore]:
    """Score documents one by one, as an iterator."""
    for gold in documents:
        yield score_document(analyser, gold)


def score_document(analyser: GuidedAnalyser[R], gold: GoldDocument) -> DocumentScore:
    """Analyse a document twice: from its raw text, and with gold sentences and EDUs."""
    reference = gold_analysis(gold)
    start = process_time()
    (raw,) = analyser.analyse([(gold.id, gold.text)])
    seconds = process_time() - start
    layout = SentenceLayout(gold.sentences, gold.paragraphs)
    guided = analyser.analyse_encoded(analyser.read(gold.id, gold.text, layout), edus=gold.edus)
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
    # A model may predict finer relations than the classes that are scored.
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
    """Count dependencies and EDUs, so that the recall is the number of dependencies an EDU."""
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
