"""Why a readable summary lacks a unit, and so why it ends where it ends."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from discobert.discourse.units import by_sentence, quoted_units
from discobert.selection.problem import SelectionProblem
from discobert.selection.readable.choose import ReadableSearch
from discobert.selection.readable.coherence import Coherence


@dataclass(frozen=True, slots=True)
class _Shown:
    """A selection by sentence, and what it costs."""

    sentences: Mapping[int, tuple[int, ...]]
    cost: int

    def before(self, sentence: int) -> tuple[list[int], list[int]]:
        """Return the sentences and the EDUs shown before a sentence."""
        earlier = [index for index in self.sentences if index < sentence]
        return earlier, [edu for index in earlier for edu in self.sentences[index]]


def readable_reasons(
    problem: SelectionProblem, search: ReadableSearch, selected: Sequence[int]
) -> tuple[str, ...]:
    """Name a reason for each EDU not selected, in reading order, see ``data.explanation.LEFT``."""
    document = problem.document
    groups = by_sentence(document, selected)
    cost = sum(problem.line_cost(sentence, edus) for sentence, edus in groups.items())
    shown = _Shown(groups, cost)
    eligible = search.eligible(problem)
    coherence = search.coherence(problem, eligible)
    reasons = {
        sentence: _reason(problem, coherence, shown, sentence, tuple(edus))
        if eligible[sentence]
        else "furniture"
        for sentence, edus in enumerate(document.edus_by_sentence())
        if sentence not in groups
    }
    reasons |= _excluded(problem)
    safe = {edu for cut in search.cuts if cut.harmless >= search.weights.cut for edu in cut.edus}
    chosen = frozenset(selected)
    return tuple(
        reasons.get(edu.sentence, "cut" if index in safe else "length")
        for index, edu in enumerate(document.edus)
        if index not in chosen
    )


def _excluded(problem: SelectionProblem) -> dict[int, str]:
    """Return why sentences may not be selected at all: a quotation that was not wanted."""
    barred = set(range(len(problem.scores))).difference(problem.allowed)
    quoted = quoted_units(problem.document) if barred else frozenset[int]()
    return {
        problem.document.edus[edu].sentence: "quotation" if edu in quoted else "needs quotation"
        for edu in sorted(barred)
    }


def _reason(
    problem: SelectionProblem,
    coherence: Coherence,
    shown: _Shown,
    sentence: int,
    edus: tuple[int, ...],
) -> str:
    if not coherence.follows(sentence, edus, *shown.before(sentence)):
        return "reference"
    fits = problem.fits(shown.cost + problem.line_cost(sentence, edus))
    return "end" if fits else "length"
