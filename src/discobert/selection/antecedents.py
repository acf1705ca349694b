"""Selections without dangling references: antecedents are selected too, or the reference goes."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from discobert.data.document import Document, Span
from discobert.data.summary import SummaryWarning
from discobert.discourse.references import NOUN, Dangling, KnownEntities, ReferenceKind
from discobert.discourse.units import by_sentence
from discobert.selection.problem import Reasons, Search, SelectionProblem

_GROWTH = 1.1
_TRIES = 6
TOLERANCE = 0.05
"""What a summary may lose of its worth, by its scores, so that nothing dangles.

Chosen on 120 tuning articles with scores partly made from the reference. R-1 and references that
dangle in 100 summaries: without this step 44.32 and 34; 0.02: 43.96 and 17; 0.05: 43.88 and 7;
0.08: 43.55 and 3; 0.2: 43.22 and 1. To be measured again with a trained network.
"""
_NEAREST = 4
_POINTS_AHEAD = re.compile(r"(?:it|this|that) (?:is|was) (?:an?|the|my|our)\b", re.IGNORECASE)
"""The sentence itself goes on to say what it is: "if this is a new project"."""
_QUOTED_WORDS = 6
_PERSONS = frozenset("he him his himself she her hers herself".split())
_THINGS = frozenset("it its itself this that these those".split())


@dataclass(frozen=True, slots=True)
class WithAntecedents:
    """Runs another search again, with more dependencies, for as long as a reference dangles.

    A selection that is worth much less than the first one is not taken: the reference stays then.
    """

    search: Search
    tolerance: float = TOLERANCE
    """The share of the first choice's worth that may be lost."""

    def choose(self, problem: SelectionProblem) -> Reasons:
        """Select EDUs with the antecedents of their references, or without the EDUs."""
        reasons = self.search.choose(problem)
        known = _Antecedents(_bounded(problem, reasons))
        worth = _worth(problem, reasons)
        least = worth - self.tolerance * abs(worth)
        tried, at_once = set[int](), True
        for _ in range(_TRIES):
            loose = [one for one in problem.references.dangling(reasons) if one.unit not in tried]
            if not loose:
                break
            batch = loose if at_once else loose[:1]
            more = known.with_more(batch)
            again = self.search.choose(more.problem())
            if again and _worth(problem, again) >= least:
                known, reasons = more, again
            at_once = at_once and reasons is again
            if at_once or len(batch) == 1:
                tried.update(one.unit for one in batch)
        return reasons


def dangling_warnings(
    document: Document, dangling: Iterable[Dangling], shown: Iterable[int] = ()
) -> tuple[SummaryWarning, ...]:
    """Warn of what dangles among the units shown; every warning quotes the words it is about.

    A pronoun right after the sentence that it follows in the text is understood, whatever the
    predicted clusters say, if that names something.
    """
    lines = by_sentence(document, shown)
    return tuple(
        SummaryWarning("dangling-reference", _message(document, found), unit=found.unit)
        for found in dangling
        if not _is_understood(document, found, lines)
    )


def _is_understood(
    document: Document, found: Dangling, lines: Mapping[int, tuple[int, ...]]
) -> bool:
    if found.kind is not ReferenceKind.PRONOUN:
        return False
    if found.mention and _POINTS_AHEAD.match(document.text, found.mention.span.start):
        return True
    own = document.edus[found.unit].sentence
    if any(document.edus[unit].sentence == own for unit in found.antecedents):
        return False  # what it refers to was cut out of its own sentence
    before = lines.get(own - 1, ())
    return any(NOUN.search(document.edu_text(unit)) for unit in before)


def _message(document: Document, found: Dangling) -> str:
    if found.mention is None:
        quoted = _quoted(document, document.edus[found.unit].span, found.unit)
        return f"{quoted}: the summary does not say who speaks"
    word = found.mention.span.of(document.text).lower()
    asked = "who" if word in _PERSONS else "what" if word in _THINGS else "who or what"
    quoted = _quoted(document, found.mention.span, found.unit)
    return f"{quoted}: the summary does not say {asked} that is{_where(document, found)}"


def _where(document: Document, found: Dangling) -> str:
    """Name the line that tells, if lines are those of the input and it is another one."""
    if document.markup.kind is not None or not found.antecedents or found.mention is None:
        return ""
    line = _line(document, document.edus[found.antecedents[0]].span)
    return "" if line == _line(document, found.mention.span) else f"; line {line} does"


def _quoted(document: Document, span: Span, unit: int) -> str:
    """Return the first words of a span, in quotation marks, and the line or sentence they are in.

    Text that was extracted from a file has other lines than the file.
    """
    if document.markup.kind is None:
        return f"{_first_words(document, span)} (line {_line(document, span)})"
    sentence = document.sentences[document.edus[unit].sentence]
    if span.start == sentence.start and len(span.of(document.text).split()) > 1:
        return _first_words(document, span)
    return f"{_first_words(document, span)} in {_first_words(document, sentence)}"


def _first_words(document: Document, span: Span) -> str:
    words = span.of(document.text).split()
    shown = " ".join([*words[:_QUOTED_WORDS], *(["…"] if len(words) > _QUOTED_WORDS else [])])
    return f"“{shown.strip('“”')}”"


def _line(document: Document, span: Span) -> int:
    return document.text.count("\n", 0, span.start) + 1


def _bounded(problem: SelectionProblem, reasons: Reasons) -> SelectionProblem:
    """Give a problem without an upper bound one that is a little above what was chosen."""
    if problem.limit.at_most is not None:
        return problem
    at_most = max(int(_GROWTH * problem.length(tuple(reasons))), problem.limit.at_least)
    return replace(problem, limit=replace(problem.limit, at_most=at_most))


class _Antecedents:
    """What units were found to need from other sentences; ``None`` if nothing can help them."""

    def __init__(
        self,
        problem: SelectionProblem,
        of: Mapping[int, int | None] = MappingProxyType({}),
    ) -> None:
        self._problem = problem
        self._of = of

    def with_more(self, dangling: Iterable[Dangling]) -> "_Antecedents":
        """Find antecedents for what dangles as well."""
        new = {loose.unit: self._best(loose) for loose in dangling}
        return _Antecedents(self._problem, {**self._of, **new})

    def _best(self, loose: Dangling) -> int | None:
        """Choose among the nearest antecedents: one that does not dangle, then by score."""
        references = self._problem.references
        allowed, nothing = self._problem.allowed, KnownEntities(references)
        near = [unit for unit in loose.antecedents[:_NEAREST] if unit in allowed]
        dangles = references.would_dangle
        return max(
            near,
            key=lambda unit: (
                not dangles(self._problem.closures[unit], nothing),
                self._problem.scores[unit],
                -unit,
            ),
            default=None,
        )

    def problem(self) -> SelectionProblem:
        """Return the problem with antecedents found so far as needs of units; a lead gets none."""
        problem, document = self._problem, self._problem.document
        closures, hopeless = list(problem.closures), set[int]()
        sentences = document.edus_by_sentence()
        for unit in self._of:
            for edu in frozenset(sentences[document.edus[unit].sentence]) - problem.lead:
                closures[edu] = self._expanded(edu)
                if any(self._of.get(other, other) is None for other in closures[edu]):
                    hopeless.add(edu)
        order = tuple(edu for edu in problem.order if edu not in hopeless)
        return replace(problem, closures=tuple(closures), order=order)

    def _expanded(self, edu: int) -> frozenset[int]:
        closures = self._problem.closures
        reached, todo = set(closures[edu]), list(closures[edu])
        while todo:
            antecedent = self._of.get(todo.pop())
            if antecedent is not None:
                new = closures[antecedent].difference(reached)
                reached |= new
                todo += new
        return frozenset(reached)


def _worth(problem: SelectionProblem, reasons: Iterable[int]) -> float:
    """Add up the scores of a choice, each as often as its EDU is long."""
    return sum(problem.scores[edu] * max(1, problem.edu_costs[edu]) for edu in reasons)
