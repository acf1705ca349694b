"""ROUGE of a network on a slice of documents, on the realised text, and the tuning of lengths."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
import torch
from numpy.typing import NDArray

from discobert.data.summary import Analysis, Scores
from discobert.discourse.units import UnitKind
from discobert.metrics.rouge import Reference, reference_of, rouge
from discobert.nn.batch import EduBatch, Slice, WindowSizes, join
from discobert.nn.ranker import Candidates
from discobert.nn.scorer import ScorerOutput, SummarizerNet
from discobert.scorer.decoding import LengthRule, TunedDecoding
from discobert.selection.build import Salience, selection_problem
from discobert.selection.candidates import Rank
from discobert.selection.length_normalisation import NO_NORMALISATION, LengthNormalisation
from discobert.selection.select import select
from discobert.selection.write import write
from discobert.store.prepared.documents import Prepared
from discobert.train.core.cache import Learnable

Table = NDArray[np.float64]
"""One row a document: F1 times 100 of ROUGE-1, ROUGE-2 and ROUGE-L."""
DOCUMENTS_AT_ONCE = 16
ECONOMIES = (
    LengthNormalisation(share=0.3, power=0.2),
    LengthNormalisation(share=0.3, power=0.3),
    NO_NORMALISATION,
    LengthNormalisation(share=0.3, power=0.1),
    LengthNormalisation(share=0.6, power=0.2),
)
"""Those that tuning compares; lengths are compared under the first two."""


@dataclass(frozen=True, slots=True)
class Judged:
    """A document to validate on."""

    learnable: Learnable
    analysis: Analysis
    reference: Reference


@dataclass(frozen=True, slots=True)
class Prediction:
    """What the network says of one document."""

    logits: NDArray[np.float32]
    """One a unit that the network read."""
    rank: Rank | None


def judged(learnables: Sequence[Learnable], documents: Sequence[Prepared]) -> list[Judged]:
    """Join cached features with the texts they came from."""
    return [
        Judged(learnable, document.analysis, reference_of(document.article.reference))
        for learnable, document in zip(learnables, documents, strict=True)
    ]


def predict(
    net: SummarizerNet, documents: Sequence[Judged], sizes: WindowSizes
) -> Iterator[Prediction]:
    """Score documents a few at a time."""
    device = next(net.document.parameters()).device
    for start in range(0, len(documents), DOCUMENTS_AT_ONCE):
        some = [document.learnable for document in documents[start : start + DOCUMENTS_AT_ONCE]]
        batch = join([Slice(x.inputs, x.item.layout, x.item.units) for x in some], sizes)
        with torch.no_grad():
            output = net(batch.to(device))
        yield from _predictions(net, batch, output, some)


def _predictions(
    net: SummarizerNet, batch: EduBatch, output: ScorerOutput, some: Sequence[Learnable]
) -> Iterator[Prediction]:
    start = 0
    for learnable in some:
        end = start + len(learnable.item.units)
        states, logits = output.states[start:end].cpu(), output.logits[start:end].float().cpu()
        words = learnable.item.rank.words
        rank = None
        if net.document.ranker is not None:
            rank = _rank(net, ScorerOutput(states, logits), words)
        yield Prediction(logits.numpy(), rank)
        start = end


def _rank(net: SummarizerNet, output: ScorerOutput, words: NDArray[np.integer]) -> Rank:
    def rank(found: Sequence[tuple[int, ...]]) -> Sequence[float]:
        ranker = net.document.ranker
        if ranker is None:
            return [0.0] * len(found)
        # Units that were cut off the end of a long document cannot be ranked.
        known = [[unit for unit in units if unit < len(words)] for units in found]
        asked = Candidates(
            units=torch.tensor([unit for units in known for unit in units]),
            owners=torch.tensor([n for n, units in enumerate(known) for _ in units]),
            documents=torch.zeros(len(known), dtype=torch.long),
            words=torch.tensor([float(words[units].sum()) for units in known]),
            merits=torch.zeros(len(known)),
        )
        alone = torch.zeros(len(output.logits), dtype=torch.long)
        with torch.no_grad():
            scores: list[float] = ranker(output.states, output.logits, alone, asked).tolist()
        return scores

    return rank


def edu_scores(analysis: Analysis, prediction: Prediction, kind: UnitKind) -> Scores:
    """Give every EDU a score; what was cut off, or read as part of a sentence, gets one too."""
    chances = 1 / (1 + np.exp(-prediction.logits.astype(np.float64)))
    edus = analysis.document.edus
    by_sentence = kind is UnitKind.SENTENCE
    units = [edu.sentence if by_sentence else index for index, edu in enumerate(edus)]
    return Scores(tuple(float(chances[u]) if u < len(chances) else 0.0 for u in units))


def decoded(
    document: Judged, prediction: Prediction, decoding: TunedDecoding, kind: UnitKind
) -> tuple[str, ...]:
    """Return the lines of a summary, made as users get them."""
    scores = edu_scores(document.analysis, prediction, kind)
    salience = Salience(scores, decoding.with_ranker(prediction.rank), kind)
    problem = selection_problem(document.analysis, salience)
    return write(select(problem)).lines


def scored(
    documents: Sequence[Judged],
    predictions: Sequence[Prediction],
    decoding: TunedDecoding,
    kind: UnitKind,
) -> Table:
    """Score the summaries of all documents under one rule."""
    rows = []
    for document, prediction in zip(documents, predictions, strict=True):
        result = rouge(document.reference, decoded(document, prediction, decoding, kind))
        rows.append((result.rouge1.f1, result.rouge2.f1, result.rouge_l.f1))
    return 100 * np.array(rows)


def mean_scores(table: Table) -> tuple[float, float, float]:
    """Average the three scores over all documents."""
    first, second, third = map(float, table.mean(axis=0))
    return first, second, third


@dataclass(frozen=True, slots=True)
class Tuned:
    """The best rule on a slice, and what each rule tried gave."""

    decoding: TunedDecoding
    trials: tuple[tuple[TunedDecoding, tuple[float, float, float]], ...]


def rules_to_try(kind: UnitKind, *, ranker: bool) -> list[TunedDecoding]:
    """List the rules that tuning compares."""
    steps = range(2, 5) if kind is UnitKind.SENTENCE else range(4, 8)
    rules = [TunedDecoding(rule=LengthRule.STEPS, value=n) for n in steps]
    thrifty = partial(TunedDecoding, economy=ECONOMIES[0])
    rules += [thrifty(rule=LengthRule.WORDS, value=n) for n in range(60, 86, 5)]
    rules += [
        TunedDecoding(rule=LengthRule.FULL_WORDS, value=n, economy=economy)
        for economy in ECONOMIES[:2]
        for n in range(65, 91, 5)
    ]
    if ranker:
        rules += [TunedDecoding(rule=LengthRule.RANK, value=n) for n in (6, 8, 10)]
    return rules


def tune(
    documents: Sequence[Judged],
    predictions: Sequence[Prediction],
    kind: UnitKind,
    *,
    ranker: bool,
    on_rule: Callable[[TunedDecoding], None] = lambda rule: None,
) -> Tuned:
    """Choose the rule whose ROUGE-1, ROUGE-2 and ROUGE-L are highest together.

    Lengths come first; what else there is to a rule is then tried at the best length alone.
    """
    trials: list[tuple[TunedDecoding, tuple[float, float, float]]] = []

    def attempt(rule: TunedDecoding) -> float:
        on_rule(rule)
        first, second, third = mean_scores(scored(documents, predictions, rule, kind))
        trials.append((rule, (first, second, third)))
        return first + second + third

    merits = {rule: attempt(rule) for rule in rules_to_try(kind, ranker=ranker)}
    best = max(merits, key=merits.__getitem__)
    if best.rule is not LengthRule.RANK:
        others = (replace(best, economy=economy) for economy in ECONOMIES)
        merits |= {rule: attempt(rule) for rule in others if rule not in merits}
        best = max(merits, key=merits.__getitem__)
    free = replace(best, blocking=False)
    merits[free] = attempt(free)
    return Tuned(max((best, free), key=merits.__getitem__), tuple(trials))
