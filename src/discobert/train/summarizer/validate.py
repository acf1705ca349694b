"""ROUGE of a network's summaries on held-out documents, and tuning of the length rule on them."""

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
from discobert.nn.ranker import CandidateSummaries
from discobert.nn.scorer import ScorerOutput, SummarizerNet
from discobert.scorer.decoding import LengthRule, TunedDecoding
from discobert.scorer.features import sentence_logits
from discobert.selection.build import Salience, selection_problem
from discobert.selection.paper.length_normalisation import NO_NORMALISATION, LengthNormalisation
from discobert.selection.paper.ranked import RankCandidates
from discobert.selection.request import PAPER_REQUEST
from discobert.selection.select import select
from discobert.selection.write import write
from discobert.store.prepared.documents import Prepared
from discobert.train.summarizer.features.cache import CachedDocument

Table = NDArray[np.float64]
"""One row a document: F1 times 100 of ROUGE-1, ROUGE-2 and ROUGE-L."""
DOCUMENTS_AT_ONCE = 16
DEFAULT_DECODING = TunedDecoding()
NORMALISATIONS = (
    LengthNormalisation(share=0.3, power=0.2),
    LengthNormalisation(share=0.3, power=0.3),
    NO_NORMALISATION,
    LengthNormalisation(share=0.3, power=0.1),
    LengthNormalisation(share=0.6, power=0.2),
)
"""Length normalisations that tuning compares; lengths are compared under the first two."""


@dataclass(frozen=True, slots=True)
class ValidationDocument:
    """A held-out document: its features, its analysis and its reference summary."""

    features: CachedDocument
    analysis: Analysis
    reference: Reference


@dataclass(frozen=True, slots=True)
class Prediction:
    """The output of the network for one document."""

    logits: NDArray[np.float32]
    """One for each unit that the network has read."""
    rank: RankCandidates | None
    sentences: NDArray[np.float32] | None = None
    """The salience of each unit's sentence, if it is among the features."""


def validation_documents(
    features: Sequence[CachedDocument], documents: Sequence[Prepared]
) -> list[ValidationDocument]:
    """Join cached features with the documents they were computed from."""
    return [
        ValidationDocument(cached, document.analysis, reference_of(document.article.reference))
        for cached, document in zip(features, documents, strict=True)
    ]


def predict(
    net: SummarizerNet, documents: Sequence[ValidationDocument], sizes: WindowSizes
) -> Iterator[Prediction]:
    """Score documents a few at a time."""
    device = next(net.document.parameters()).device
    for start in range(0, len(documents), DOCUMENTS_AT_ONCE):
        some = [document.features for document in documents[start : start + DOCUMENTS_AT_ONCE]]
        batch = join([Slice(x.inputs, x.item.layout, x.item.units) for x in some], sizes)
        with torch.no_grad():
            output = net(batch.to(device))
        yield from _predictions(net, batch, output, some)


def _predictions(
    net: SummarizerNet, batch: EduBatch, output: ScorerOutput, some: Sequence[CachedDocument]
) -> Iterator[Prediction]:
    start = 0
    for document in some:
        end = start + len(document.item.units)
        states, logits = output.states[start:end].cpu(), output.logits[start:end].float().cpu()
        words = document.item.rank.words
        rank = None
        if net.document.ranker is not None:
            rank = _rank(net, ScorerOutput(states, logits), words)
        yield Prediction(logits.numpy(), rank, sentence_logits(document.item.units))
        start = end


def _rank(net: SummarizerNet, output: ScorerOutput, words: NDArray[np.integer]) -> RankCandidates:
    def rank(found: Sequence[tuple[int, ...]]) -> Sequence[float]:
        ranker = net.document.ranker
        if ranker is None:
            return [0.0] * len(found)
        # Units that were cut off the end of a long document cannot be ranked.
        known = [[unit for unit in units if unit < len(words)] for units in found]
        candidates = CandidateSummaries(
            units=torch.tensor([unit for units in known for unit in units]),
            owners=torch.tensor([n for n, units in enumerate(known) for _ in units]),
            documents=torch.zeros(len(known), dtype=torch.long),
            words=torch.tensor([float(words[units].sum()) for units in known]),
            rouge=torch.zeros(len(known)),
        )
        documents = torch.zeros(len(output.logits), dtype=torch.long)
        with torch.no_grad():
            scores: list[float] = ranker(
                output.states, output.logits, documents, candidates
            ).tolist()
        return scores

    return rank


def edu_scores(
    analysis: Analysis,
    prediction: Prediction,
    kind: UnitKind,
    decoding: TunedDecoding = DEFAULT_DECODING,
) -> Scores:
    """Score every EDU (as its sentence, if sentences were read); 0 where the document was cut."""
    probabilities = decoding.probabilities(prediction.logits, prediction.sentences)
    edus = analysis.document.edus
    by_sentence = kind is UnitKind.SENTENCE
    units = [edu.sentence if by_sentence else index for index, edu in enumerate(edus)]
    return Scores(tuple(float(probabilities[u]) if u < len(probabilities) else 0.0 for u in units))


def summary_lines(
    document: ValidationDocument, prediction: Prediction, decoding: TunedDecoding, kind: UnitKind
) -> tuple[str, ...]:
    """Return the lines of a summary, written as for users."""
    scores = edu_scores(document.analysis, prediction, kind, decoding)
    salience = Salience(scores, decoding.with_ranker(prediction.rank), kind)
    problem = selection_problem(document.analysis, salience, PAPER_REQUEST)
    return write(select(problem)).lines


def rouge_table(
    documents: Sequence[ValidationDocument],
    predictions: Sequence[Prediction],
    decoding: TunedDecoding,
    kind: UnitKind,
) -> Table:
    """Score the summaries of all documents under one length rule."""
    rows = []
    for document, prediction in zip(documents, predictions, strict=True):
        result = rouge(document.reference, summary_lines(document, prediction, decoding, kind))
        rows.append((result.rouge1.f1, result.rouge2.f1, result.rouge_l.f1))
    return 100 * np.array(rows)


def mean_rouge(table: Table) -> tuple[float, float, float]:
    """Average the three scores over all documents."""
    first, second, third = map(float, table.mean(axis=0))
    return first, second, third


@dataclass(frozen=True, slots=True)
class Tuned:
    """The best length rule, and the mean ROUGE of each one that was tried."""

    decoding: TunedDecoding
    trials: tuple[tuple[TunedDecoding, tuple[float, float, float]], ...]


def rules_to_try(kind: UnitKind, *, ranker: bool) -> list[TunedDecoding]:
    """List the rules that tuning compares."""
    steps = range(2, 5) if kind is UnitKind.SENTENCE else range(4, 8)
    rules = [TunedDecoding(rule=LengthRule.STEPS, value=n) for n in steps]
    normalised = partial(TunedDecoding, economy=NORMALISATIONS[0])
    rules += [normalised(rule=LengthRule.WORDS, value=n) for n in range(60, 86, 5)]
    rules += [
        TunedDecoding(rule=LengthRule.FULL_WORDS, value=n, economy=normalisation)
        for normalisation in NORMALISATIONS[:2]
        for n in range(65, 91, 5)
    ]
    if ranker:
        rules += [TunedDecoding(rule=LengthRule.RANK, value=n) for n in (6, 8, 10)]
    return rules


def mixtures(rule: TunedDecoding) -> list[TunedDecoding]:
    """List the ways to mix the log-odds of EDUs with those of their sentences."""
    economies = (rule.economy, LengthNormalisation(share=0.3, power=0.45))
    return [
        replace(rule, sentence_weight=weight, bias=bias, economy=economy)
        for economy in economies
        for weight in (0.7, 1.0)
        for bias in (0.0, 1.0)
    ]


def tune(
    documents: Sequence[ValidationDocument],
    predictions: Sequence[Prediction],
    kind: UnitKind,
    *,
    ranker: bool,
    on_rule: Callable[[TunedDecoding], None] = lambda rule: None,
) -> Tuned:
    """Choose the rule with the highest sum of ROUGE-1, ROUGE-2 and ROUGE-L.

    Lengths are compared first; normalisation and trigram blocking at the best length alone.
    """
    trials: list[tuple[TunedDecoding, tuple[float, float, float]]] = []

    def attempt(rule: TunedDecoding) -> float:
        on_rule(rule)
        first, second, third = mean_rouge(rouge_table(documents, predictions, rule, kind))
        trials.append((rule, (first, second, third)))
        return first + second + third

    sums = {rule: attempt(rule) for rule in rules_to_try(kind, ranker=ranker)}
    best = max(sums, key=sums.__getitem__)
    if best.rule is not LengthRule.RANK:
        others = (replace(best, economy=normalisation) for normalisation in NORMALISATIONS)
        sums |= {rule: attempt(rule) for rule in others if rule not in sums}
        best = max(sums, key=sums.__getitem__)
    if predictions and predictions[0].sentences is not None:
        sums |= {rule: attempt(rule) for rule in mixtures(best)}
        best = max(sums, key=sums.__getitem__)
    free = replace(best, blocking=False)
    sums[free] = attempt(free)
    return Tuned(max((best, free), key=sums.__getitem__), tuple(trials))
