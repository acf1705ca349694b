"""Run a cut head on judged cuts."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from discobert.analyser.cuts.given import sentences_with_edus
from discobert.analyser.cuts.head import CutHead, SentenceCuts, has_words
from discobert.analyser.neural import NeuralAnalyser
from discobert.errors import UsageError
from discobert.store.corpora.judged_cuts import CutDocument, JudgedCut


@dataclass(frozen=True, slots=True)
class ScoredCut:
    """A judged cut with the scores of the head."""

    judged: JudgedCut
    answers: tuple[float, ...]
    """Logits: grammatical, faithful, complete, harmless."""
    probability: float


def score_cuts(analyser: NeuralAnalyser, documents: Iterable[CutDocument]) -> Iterator[ScoredCut]:
    """Score all cuts, document by document; those without words on one side are left out."""
    if analyser.cut_head is None:
        raise UsageError("this model has no cut head; train one: discobert train cuts")
    for document in documents:
        yield from _score_document(analyser, analyser.cut_head, document)


def _score_document(
    analyser: NeuralAnalyser, head: CutHead, document: CutDocument
) -> Iterator[ScoredCut]:
    sentences = sentences_with_edus(
        analyser,
        document.source,
        {cut.sentence: cut.edus for cut in document.cuts},
        head.rank,
        sentences=document.sentences,
        edus=document.edus,
    )
    judged = [
        cut
        for cut in document.cuts
        if cut.sentence in sentences and has_words(sentences[cut.sentence], cut.cut)
    ]
    if not judged:
        return
    items: list[SentenceCuts] = [(sentences[cut.sentence], [cut.cut]) for cut in judged]
    answers = head.answers(head.read(items))
    probabilities = head.probabilities(answers).tolist()
    for cut, logits, probability in zip(judged, answers.tolist(), probabilities, strict=True):
        yield ScoredCut(cut, tuple(logits), probability)
