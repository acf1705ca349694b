"""The readable style as a search: whole sentences, safe cuts, no dangling references, an end."""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from itertools import accumulate, pairwise

from discobert.data.cuts import Cut
from discobert.data.document import Document
from discobert.data.summary import Scores, SentenceSalience
from discobert.selection.budget import LengthUnit
from discobert.selection.headings import headings
from discobert.selection.paper.greedy import Greedy
from discobert.selection.partial import whole_document
from discobert.selection.problem import SCORE, Reasons, SelectionProblem
from discobert.selection.readable.captions import repeated_captions
from discobert.selection.readable.coherence import Coherence, opens_with_contrast
from discobert.selection.readable.search import SentenceTask, probability, search
from discobert.selection.readable.variants import SentenceVariant, sentence_variants
from discobert.selection.readable.weights import (
    DEFAULT_WEIGHTS,
    EXTRACT_WORDS,
    ReadableWeights,
)

_GREEDY = Greedy()
_SURE = 1e3
"""A bonus that outweighs all others: a lead that was asked for."""
_SURELY_NONE, _MAYBE = 0.4, 0.2
"""Probability of being a heading or caption below which the first sentence is the lead: with a
final stop, and without one."""
_ENDS = re.compile(r"[.!?…][\"'”’)\]]*\s*$")
_LEAD_CUT = 0.7
"""Probability of doing no harm from which on a lead is cut that does not fit otherwise."""
_LETTERS_A_WORD = 6
_SMALLEST, _LARGEST = 0.02, 0.98
"""Scores are bounded, so that no sentence outweighs a focus or the cost of words."""


@dataclass(frozen=True)
class ReadableSearch:
    """Selects sentences, whole or with safe cuts, for readers."""

    sentences: SentenceSalience
    cuts: tuple[Cut, ...] = ()
    weights: ReadableWeights = DEFAULT_WEIGHTS
    relevance: tuple[float, ...] | None = None
    """How much each sentence is about the focus of the request, from 0 to 1."""

    def choose(self, problem: SelectionProblem) -> Reasons:
        """Select the EDUs of whole thoughts; none if not even one clause fits."""
        whole = whole_document(problem)
        if whole:
            return whole
        task = self.task(problem)
        chosen = search(task) or self._best_alone(task)
        if not chosen:
            return self._clauses(problem)
        shown = {edu for variant in chosen for edu in variant.edus}
        if problem.floor:
            shown = self._topped_up(problem, shown)
        return dict.fromkeys(sorted(shown), SCORE)

    def task(self, problem: SelectionProblem) -> SentenceTask:
        """Describe the sentences of a document to the search."""
        document, weights = problem.document, self.weights
        eligible = self.eligible(problem)
        weights = replace(weights, bias=weights.bias + self._longer(problem))
        weights = replace(weights, threshold=self._threshold(problem, eligible, weights))
        lead = next((index for index, may in enumerate(eligible) if may), None)
        if problem.lead:
            lead = document.edus[min(problem.lead)].sentence
            wanted = all(edu in problem.allowed for edu in document.edus_by_sentence()[lead])
            eligible = tuple(
                may or (wanted and index == lead) for index, may in enumerate(eligible)
            )
            weights = replace(weights, first=_SURE)

        @cache
        def n_words(variant: SentenceVariant) -> int:
            return len(problem.realiser.verbatim(variant.sentence, variant.edus).split())

        def cost(variant: SentenceVariant) -> int:
            return problem.line_cost(variant.sentence, variant.edus)

        texts = tuple(span.of(document.text) for span in document.sentences)
        return SentenceTask(
            variants=self._variants(problem, lead),
            values=self.values,
            eligible=eligible,
            texts=texts,
            n_words=n_words,
            cost=cost,
            follows=self.coherence(problem, eligible).follows,
            at_most=problem.capacity,
            weights=weights,
            lead=lead,
            places=tuple(accumulate(eligible, initial=0))[:-1],
            contrasted=_contrasted(texts, eligible),
        )

    def coherence(self, problem: SelectionProblem, eligible: Sequence[bool]) -> Coherence:
        """Return which sentences can follow which; furniture between them does not count."""
        return Coherence(
            problem.document,
            problem.clusters,
            problem.references,
            neighbours=_eligible_before(eligible),
        )

    def _variants(
        self, problem: SelectionProblem, lead: int | None
    ) -> tuple[tuple[SentenceVariant, ...], ...]:
        """List the variants of all sentences; a lead that does not fit may lose a little more."""
        document, closures = problem.document, problem.closures
        found = sentence_variants(document, closures, self.cuts, threshold=self.weights.cut)
        if lead is None or problem.fits(problem.line_cost(lead, found[lead][0].edus)):
            return found
        edus = document.edus
        of_lead = tuple(cut for cut in self.cuts if edus[cut.edus[0]].sentence == lead)
        threshold = min(_LEAD_CUT, self.weights.cut)
        shorter = sentence_variants(document, closures, of_lead, threshold=threshold)
        return (*found[:lead], shorter[lead], *found[lead + 1 :])

    def _threshold(
        self, problem: SelectionProblem, eligible: Sequence[bool], weights: ReadableWeights
    ) -> float:
        """Return the probability from which on a sentence is worth its words.

        In a text of which no sentence stands out, it is lower: related to the probability of the
        last sentence that fits if the best ones are taken first.
        """
        left = _wanted_words(problem)
        last = weights.threshold
        order = sorted(
            (index for index, may in enumerate(eligible) if may),
            key=lambda index: -self.values[index],
        )
        for index in order:
            left -= len(_text(problem.document, index).split())
            if left < 0:
                break
            last = probability(self.values[index] + weights.bias)
        return min(weights.threshold, weights.relative * last)

    def _longer(self, problem: SelectionProblem) -> float:
        """Return by how much the log-odds rise for a summary longer than an editor's extract."""
        wanted = _wanted_words(problem)
        return self.weights.longer * math.log(max(wanted / EXTRACT_WORDS, 1.0))

    @cached_property
    def values(self) -> tuple[float, ...]:
        """The value of each sentence: editors' choice mixed with salience, raised by the focus."""
        share = self.weights.best
        mixed = [
            share * best + (1 - share) * salience
            for best, salience in zip(self.sentences.best, self.sentences.salience, strict=True)
        ]
        if self.relevance is None:
            return tuple(mixed)
        about = self.weights.focus
        return tuple(value + about * r for value, r in zip(mixed, self.relevance, strict=True))

    def eligible(self, problem: SelectionProblem) -> tuple[bool, ...]:
        """Return whether each sentence may be selected; furniture may if there is nothing else."""
        allowed = problem.allowed
        may = [all(edu in allowed for edu in edus) for edus in problem.document.edus_by_sentence()]
        never = self.sentences.never
        kept = [m and p < self.weights.skip for m, p in zip(may, never, strict=True)]
        lead = self._lead(problem.document, may)
        if lead is not None:
            kept[lead] = True
        for caption in repeated_captions(problem.document):
            kept[caption] = False
        return tuple(kept) if any(kept) else tuple(may)

    def _lead(self, document: Document, may: Sequence[bool]) -> int | None:
        """Return the first body sentence; more doubt is needed to drop it than another one."""
        for index, never in enumerate(self.sentences.never):
            doubtful = never < (_SURELY_NONE if _ENDS.search(_text(document, index)) else _MAYBE)
            if may[index] and doubtful:
                return index
        return None

    def _clauses(self, problem: SelectionProblem) -> Reasons:
        """Select closed clauses by score, if no whole sentence fits; none if no clause does."""
        eligible, edus = self.eligible(problem), problem.document.edus
        order = tuple(edu for edu in problem.order if eligible[edus[edu].sentence])
        return _GREEDY.choose(replace(problem, order=order))

    def _best_alone(self, task: SentenceTask) -> tuple[SentenceVariant, ...]:
        """Select the best sentence that fits, if none can stand without another one."""
        whole = [
            offered[0]
            for offered, may in zip(task.variants, task.eligible, strict=True)
            if may and (task.at_most is None or task.cost(offered[0]) <= task.at_most)
        ]
        best = max(
            whole, key=lambda each: (task.values[each.sentence], -each.sentence), default=None
        )
        return () if best is None else (best,)

    def _topped_up(self, problem: SelectionProblem, shown: set[int]) -> set[int]:
        """Add sentences by falling value until a lower bound is reached, as far as they fit."""
        sentences = problem.document.edus_by_sentence()
        eligible = self.eligible(problem)
        wanted = (index for index, may in enumerate(eligible) if may)
        order = sorted(wanted, key=lambda index: (-self.values[index], index))
        for index in order:
            if problem.length(tuple(shown)) >= problem.limit.at_least:
                break
            more = shown.union(sentences[index])
            at_most = problem.limit.at_most
            if at_most is None or problem.length(tuple(more)) <= at_most:
                shown = more
        return shown


def _text(document: Document, sentence: int) -> str:
    return document.sentences[sentence].of(document.text)


def _eligible_before(eligible: Sequence[bool]) -> tuple[int | None, ...]:
    """Return the last sentence that may be selected before each one."""
    found: list[int | None] = []
    last: int | None = None
    for index, may in enumerate(eligible):
        found.append(last)
        last = index if may else last
    return tuple(found)


def _contrasted(texts: Sequence[str], eligible: Sequence[bool]) -> frozenset[int]:
    """Return the sentences whose successor opens with "But", "However" or the like."""
    body = [index for index, may in enumerate(eligible) if may]
    return frozenset(index for index, after in pairwise(body) if opens_with_contrast(texts[after]))


def _wanted_words(problem: SelectionProblem) -> float:
    """Return the upper bound of the length in words, about; 0 without a bound."""
    unit, at_most = problem.limit.unit, problem.limit.at_most or 0
    if unit is LengthUnit.WORDS:
        return at_most
    if unit is LengthUnit.CHARS:
        return at_most / _LETTERS_A_WORD
    document = problem.document
    n_units = len(document.edus if unit is LengthUnit.EDUS else document.sentences)
    return at_most * len(document.text.split()) / max(n_units, 1)


def guessed_sentences(document: Document, scores: Scores) -> SentenceSalience:
    """Read sentence scores off EDU scores and rules, for models without a sentence network."""
    unwanted = headings(document)
    groups = document.edus_by_sentence()
    odds = tuple(_log_odds(max(scores.values[edu] for edu in edus)) for edus in groups)
    never = tuple(float(unwanted.issuperset(edus)) for edus in groups)
    return SentenceSalience(odds, odds, odds, never)


def _log_odds(score: float) -> float:
    bounded = min(max(score, _SMALLEST), _LARGEST)
    return math.log(bounded / (1 - bounded))
