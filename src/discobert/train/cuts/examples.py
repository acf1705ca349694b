"""Features and labels of judged cuts, as arrays."""

import logging
from collections.abc import Iterable
from dataclasses import dataclass, fields
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from discobert.analyser.cuts.features import text_features
from discobert.analyser.cuts.given import sentences_with_edus
from discobert.analyser.cuts.head import CutFeatures, has_words, joined_features, sentence_features
from discobert.analyser.cuts.sentences import CutSentence, RankWord
from discobert.analyser.cuts.syntax import SYNTAX_FEATURES
from discobert.analyser.neural import NeuralAnalyser
from discobert.analyser.syntax import DependencyParser
from discobert.errors import InputError
from discobert.runtime.tensors import Array
from discobert.store.corpora.judged_cuts import CutDocument
from discobert.store.files import replacing

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class CutExamples:
    """N cuts with their labels."""

    features: CutFeatures
    names: tuple[str, ...]
    """Names of the scalars."""
    answers: Array
    """Share of judges who said yes to each question, and whether the cut is harmless, (N, 4)."""
    documents: NDArray[np.str_]
    """Document of each cut: no document is on both sides of a fold."""


def feature_names(sentence: CutSentence, cut: tuple[int, ...], rank: RankWord) -> tuple[str, ...]:
    """Return the names of all scalars, in the order in which they are computed."""
    return (*text_features(sentence, cut, rank), *SYNTAX_FEATURES)


def cut_examples(
    analyser: NeuralAnalyser,
    parser: DependencyParser,
    rank: RankWord,
    documents: Iterable[CutDocument],
) -> CutExamples:
    """Analyse documents and compute the features of their judged cuts."""
    parts: list[CutFeatures] = []
    answers: list[tuple[float, ...]] = []
    names: tuple[str, ...] = ()
    places: list[str] = []
    for number, document in enumerate(documents, start=1):
        sentences = sentences_with_edus(
            analyser,
            document.source,
            {cut.sentence: cut.edus for cut in document.cuts},
            rank,
            sentences=document.sentences,
            edus=document.edus,
        )
        for cut in document.cuts:
            sentence = sentences.get(cut.sentence)
            if sentence is None or not has_words(sentence, cut.cut):
                continue
            names = names or feature_names(sentence, cut.cut, rank)
            [syntax] = parser.parse([sentence.words])
            parts.append(sentence_features(sentence, [cut.cut], syntax, names, rank))
            answers.append((*cut.answers, float(cut.harmless)))
            places.append(document.source.id)
        if number % 50 == 0:
            logger.info("read the cuts of %d documents", number)
    if not parts:
        raise InputError("no judged cut to learn from")
    return CutExamples(
        joined_features(parts), names, np.array(answers, dtype=np.float32), np.array(places)
    )


def save_examples(path: Path, examples: CutExamples) -> None:
    """Write examples as arrays; views in half precision, as they are at run time."""
    features = examples.features
    path.parent.mkdir(parents=True, exist_ok=True)
    with replacing(path) as file:
        np.savez(
            file,
            names=np.array(examples.names),
            answers=examples.answers,
            documents=examples.documents,
            scalars=features.scalars,
            words=features.words.astype(np.float16),
            edus=features.edus.astype(np.float16),
            means=features.means.astype(np.float16),
        )


def load_examples(path: Path) -> CutExamples:
    """Read what ``save_examples`` wrote."""
    with np.load(path) as arrays:
        found = {field.name: arrays[field.name] for field in fields(CutFeatures)}
        return CutExamples(
            CutFeatures(**{name: values.astype(np.float32) for name, values in found.items()}),
            tuple(map(str, arrays["names"])),
            arrays["answers"],
            arrays["documents"],
        )
