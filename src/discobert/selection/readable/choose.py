"""The readable style as a search: whole sentences, safe cuts, no dangling references, an end."""

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import accumulate, pairwise, product

from discobert.data.cuts import Cut
from discobert.data.document import Document
from discobert.data.summary import Scores, SentenceSalience
from discobert.discourse.references import References
from discobert.discourse.units import by_sentence
from discobert.selection.budget import LengthUnit
from discobert.selection.headings import headings
from discobert.selection.paper.greedy import Greedy
from discobert.selection.partial import whole_document
from discobert.selection.problem import SCORE, Reasons, SelectionProblem
from discobert.selection.readable.captions import repeated_captions
from discobert.selection.readable.coherence import Coherence, opens_with_contrast
from discobert.selection.readable.search import SentenceScores, SentenceTask, search
from discobert.selection.readable.turns import is_question, sentences_inside_turns
from discobert.selection.readable.variants import SentenceVariant, sentence_variants
from discobert.selection.readable.weights import DEFAULT_WEIGHTS, ReadableWeights

_GREEDY = Greedy()
_SURE = 1e3
"""A bonus that outweighs all others: a lead that was asked for."""
_SURELY_NONE, _MAYBE = 0.4, 0.2
"""Probability of being a heading or caption below which the first sentence is the lead: with a
final stop, and without one."""
_ENDS = re.compile(r"[.!?…][\"'”’)\]]*\s*$")
_WORD = re.compile(r"\w+")
_LEAD_CUT = 0.7
"""Probability of doing no harm from which on a lead is cut that does not fit otherwise."""
_LETTERS_A_WORD = 6
_SMALLEST, _LARGEST = 0.02, 0.98
"""Probabilities are bounded, so that no sentence outweighs a focus or the cost of words."""
_LEAST_ODDS, _MOST_ODDS = -6.0, 4.0
"""Log-odds are bounded, as in the summaries that were rated."""
_LEAD_SENTENCES = 3


@dataclass(frozen=True)
class ReadableSearch:
    """Selects sentences, whole or with safe cuts, for readers."""

    sentences: SentenceSalience
    cuts: tuple[Cut, ...] = ()
    weights: ReadableWeights = DEFAULT_WEIGHTS
    relevance: tuple[float, ...] | None = None
    """How much each sentence is about the focus of the request, from 0 to 1."""
    is_news: bool = True
    _coherences: dict[tuple[References, tuple[bool, ...]], Coherence] = field(
        default_factory=dict, init=False, compare=False, repr=False
    )
    _eligible: dict[tuple[References, tuple[int, ...]], tuple[bool, ...]] = field(
        default_factory=dict, init=False, compare=False, repr=False
    )

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
        bonus = self._bonus(problem, eligible)
        lead = self._opening(problem, eligible)
        if problem.lead:
            lead = document.edus[min(problem.lead)].sentence
            wanted = all(edu in problem.allowed for edu in document.edus_by_sentence()[lead])
            eligible = tuple(
                may or (wanted and index == lead) for index, may in enumerate(eligible)
            )
            weights = replace(weights, first=_SURE)

        def verbatim(variant: SentenceVariant) -> str:
            return problem.realiser.verbatim(variant.sentence, variant.edus)

        def cost(variant: SentenceVariant) -> int:
            return problem.line_cost(variant.sentence, variant.edus)

        texts = tuple(span.of(document.text) for span in document.sentences)
        return SentenceTask(
            variants=self._variants(problem, lead),
            scores=self._scores,
            bonus=bonus,
            eligible=eligible,
            texts=texts,
            verbatim=verbatim,
            cost=cost,
            follows=self.coherence(problem, eligible).follows,
            at_most=problem.capacity,
            weights=weights,
            lead=lead,
            places=tuple(accumulate(eligible, initial=0))[:-1],
            contrasted=_contrasted(texts, eligible),
        )

    def _opening(self, problem: SelectionProblem, eligible: tuple[bool, ...]) -> int | None:
        """Return the sentence that opens the text, whatever its words need.

        What comes after a question, or leads up to one, must be able to stand alone, unless the
        speakers are named.
        """
        document = problem.document
        first = next((index for index, may in enumerate(eligible) if may), None)
        if first is None:
            return None
        coherence = self.coherence(problem, eligible)
        asked = any(is_question(_text(document, index)) for index in range(first))
        is_open = asked and first not in sentences_inside_turns(document)
        if not is_open and not coherence.is_interviewers(first):
            return first
        return first if coherence.stands_alone(first, document.edus_by_sentence()[first]) else None

    def coherence(self, problem: SelectionProblem, eligible: tuple[bool, ...]) -> Coherence:
        """Return which sentences can follow which; furniture between them does not count.

        What the search found out of a text serves to explain its choice.
        """
        key = problem.references, eligible
        if key not in self._coherences:
            self._coherences[key] = Coherence(
                problem.document,
                problem.clusters,
                problem.references,
                neighbours=_eligible_before(eligible),
                is_news=self.is_news,
            )
        return self._coherences[key]

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

    def _bonus(self, problem: SelectionProblem, eligible: Sequence[bool]) -> tuple[float, ...]:
        """Return what is added to the value of each sentence.

        That is the bonus of the focus. If the last sentence that fits, the best ones taken first,
        is worth little, all sentences are raised besides: nothing stands out in the text, or the
        summary may be long.
        """
        left = _wanted_words(problem)
        last = self.weights.floor
        order = sorted(
            (index for index, may in enumerate(eligible) if may),
            key=lambda index: -self.values[index],
        )
        for index in order:
            left -= len(_text(problem.document, index).split())
            if left < 0:
                break
            last = self.values[index]
        raised = max(self.weights.floor - last, 0.0)
        return tuple(raised + each for each in self._focus_bonus)

    @cached_property
    def _focus_bonus(self) -> tuple[float, ...]:
        if self.relevance is None:
            return (0.0,) * len(self._scores)
        return tuple(self.weights.focus * each for each in self.relevance)

    @cached_property
    def _scores(self) -> tuple[SentenceScores, ...]:
        found = self.sentences
        columns = [map(_bounded, column) for column in (found.best, found.gain, found.salience)]
        return tuple(map(SentenceScores, *columns, found.never))

    @cached_property
    def values(self) -> tuple[float, ...]:
        """The value of each sentence by itself, whatever else is shown."""
        weights = self.weights
        return tuple(
            weights.best * scores.best
            + weights.gain * scores.gain
            + weights.salience * scores.salience
            + weights.furniture * scores.never
            + weights.sentence
            + bonus
            for scores, bonus in zip(self._scores, self._focus_bonus, strict=True)
        )

    def eligible(self, problem: SelectionProblem) -> tuple[bool, ...]:
        """Return whether each sentence may be selected; furniture may if there is nothing else."""
        key = problem.references, problem.order
        if key not in self._eligible:
            self._eligible[key] = self._find_eligible(problem)
        return self._eligible[key]

    def _find_eligible(self, problem: SelectionProblem) -> tuple[bool, ...]:
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
            whole, key=lambda each: (self.values[each.sentence], -each.sentence), default=None
        )
        return () if best is None else (best,)

    def _topped_up(self, problem: SelectionProblem, shown: set[int]) -> set[int]:
        """Add sentences by falling value until a lower bound is reached, as far as they fit.

        Sentences that say nothing but what is shown come last.
        """
        document, limit = problem.document, problem.limit
        sentences, order = document.edus_by_sentence(), self._by_value(problem)
        said = [_words(document, edus) for edus in by_sentence(document, shown).values()]
        for may_repeat, index in product((False, True), order):
            if problem.length(tuple(shown)) >= limit.at_least:
                break
            words, more = _words(document, sentences[index]), shown.union(sentences[index])
            is_new = may_repeat or not any(words <= other for other in said)
            if is_new and (limit.at_most is None or problem.length(tuple(more)) <= limit.at_most):
                shown = more
                said.append(words)
        return shown

    def _by_value(self, problem: SelectionProblem) -> list[int]:
        """Return the sentences that may be selected, the best first."""
        wanted = (index for index, may in enumerate(self.eligible(problem)) if may)
        return sorted(wanted, key=lambda index: (-self.values[index], index))


def _words(document: Document, edus: Iterable[int]) -> frozenset[str]:
    """Return the words of some EDUs, in lower case."""
    return frozenset(word for edu in edus for word in _WORD.findall(document.edu_text(edu).lower()))


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


def default_words(document: Document, sentences: SentenceSalience, weights: ReadableWeights) -> int:
    """Return the length of a summary of which no length was asked for.

    That is the length of the first three sentences that are no headings or captions, within the
    bounds of the weights: what readers would get without a summariser.
    """
    body = [
        len(_text(document, index).split())
        for index, never in enumerate(sentences.never)
        if never < weights.skip
    ]
    return min(max(sum(body[:_LEAD_SENTENCES]), weights.words), weights.most_words)


def guessed_sentences(document: Document, scores: Scores) -> SentenceSalience:
    """Read sentence scores off EDU scores and rules, for models without a sentence network."""
    unwanted = headings(document)
    groups = document.edus_by_sentence()
    odds = tuple(_log_odds(max(scores.values[edu] for edu in edus)) for edus in groups)
    never = tuple(float(unwanted.issuperset(edus)) for edus in groups)
    return SentenceSalience(odds, odds, odds, never)


def _bounded(log_odds: float) -> float:
    return min(max(log_odds, _LEAST_ODDS), _MOST_ODDS)


def _log_odds(score: float) -> float:
    bounded = min(max(score, _SMALLEST), _LARGEST)
    return math.log(bounded / (1 - bounded))
