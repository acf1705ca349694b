"""The readable style as a search: whole sentences, safe cuts, no dangling references, an end."""

import math
from dataclasses import dataclass, replace
from functools import cache, cached_property

from discobert.data.cuts import Cut
from discobert.data.document import Document
from discobert.data.summary import Scores, SentenceSalience
from discobert.selection.headings import headings
from discobert.selection.paper.greedy import Greedy
from discobert.selection.partial import whole_document
from discobert.selection.problem import SCORE, Reasons, SelectionProblem
from discobert.selection.readable.coherence import Coherence
from discobert.selection.readable.search import SentenceTask, search
from discobert.selection.readable.variants import SentenceVariant, sentence_variants
from discobert.selection.readable.weights import DEFAULT_WEIGHTS, ReadableWeights

_GREEDY = Greedy()
_SURE = 1e3
"""A bonus that outweighs all others: a lead that was asked for."""
_SURELY_NONE = 0.4
"""Probability of being a heading or caption below which the first sentence is the lead."""
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

        return SentenceTask(
            variants=sentence_variants(
                document, problem.closures, self.cuts, threshold=weights.cut
            ),
            values=self.values,
            eligible=eligible,
            texts=tuple(span.of(document.text) for span in document.sentences),
            n_words=n_words,
            cost=cost,
            follows=Coherence(document, problem.clusters, problem.references).follows,
            at_most=problem.capacity,
            weights=weights,
            lead=lead,
        )

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
        # The story hangs on its first sentence, so that more doubt is needed to drop it.
        lead = next((at for at, p in enumerate(never) if may[at] and p < _SURELY_NONE), None)
        if lead is not None:
            kept[lead] = True
        return tuple(kept) if any(kept) else tuple(may)

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
