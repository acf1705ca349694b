"""Cuts that were chosen beforehand, to train a cut head on them or to score one."""

from collections.abc import Mapping, Sequence

from discobert.analyser.cuts.sentences import CutSentence, RankWord
from discobert.analyser.neural import NeuralAnalyser
from discobert.data.document import SentenceLayout, SourceText, Span
from discobert.errors import InputError


def sentences_with_edus(
    analyser: NeuralAnalyser,
    source: SourceText,
    given: Mapping[int, Sequence[Span]],
    rank: RankWord,
    *,
    sentences: SentenceLayout | None = None,
    edus: Sequence[Span] | None = None,
) -> dict[int, CutSentence]:
    """Analyse a text and return some of its sentences, cut into given EDUs, by their number.

    ``sentences`` and ``edus`` replace what is predicted for the rest of the text.
    """
    encoded = analyser.encode(source, sentences)
    spans = encoded.sentences.sentences
    for index, inside in given.items():
        if index >= len(spans) or inside[0].start != spans[index].start:
            raise InputError(f"{source.id}: no sentence {index} starts at {inside[0].start}")
    if edus is None:
        analysis = analyser.analyse_encoded(encoded)
        edus = [edu.span for edu in analysis.document.edus]
    replaced = [spans[index] for index in given]
    kept = [edu for edu in edus if not any(edu in sentence for sentence in replaced)]
    everything = sorted([*kept, *(edu for inside in given.values() for edu in inside)])
    found = analyser.sentences_to_cut(encoded, rank, everything)
    return {sentence.index: sentence for sentence in found if sentence.index in given}
