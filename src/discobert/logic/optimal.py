"""The selection of most score in total within the limit.

Each sentence offers its closed sets of EDUs, each with the length of its realised line, and a
knapsack picks at most one set from every sentence. That is exact, on the realised text, as long as
no sentence has more than ``max_sets`` closed sets and the document not more than ``max_options``.
A longer sentence offers the best sets for each length, lengths being estimated by its EDUs (exact
where they are counted in EDUs or sentences); in a longer document, all sentences but the most
doubtful ones are decided by a price on length. Neither is quadratic in the length of a document.
Writing lines out takes most of the time, so it is left out where a bound on a line's length shows
that it cannot be part of the optimum.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from discobert.errors import UsageError
from discobert.logic.budget import LengthUnit
from discobert.logic.closed_sets import Edus, Forest, best_closed_sets, closed_sets, forest
from discobert.logic.draft import Draft, Reasons, SelectionTask, whole_document
from discobert.logic.knapsack import Option, best_bounded_options, best_options, core
from discobert.logic.line_bounds import LineBounds, line_bounds

_SETS_OF_LONG_SENTENCE = 64
_CORE_SIZE = 256
_SOLVER_CELLS = 4_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Optimal:
    """Maximises the sum of scores; with a view on repeats, by solving again without them."""

    fill: bool = True
    """Use up the limit with units that the optimum leaves out (those of negative score)."""

    max_sets: int = 128
    """Closed sets of a sentence that are all tried."""

    max_options: int = 4096
    """Closed sets of a document that are all tried."""

    max_rounds: int = 16
    """How often the problem is solved again after a repeat was found."""

    def __post_init__(self) -> None:
        for name in ("max_sets", "max_options", "max_rounds"):
            if getattr(self, name) < 1:
                raise UsageError(f"{name} must be at least 1, got {getattr(self, name)}")

    def choose(self, task: SelectionTask) -> Reasons:
        """Choose the EDUs of most value together."""
        if task.capacity is not None and task.capacity < 1:
            return {}
        whole = whole_document(task)
        if whole:
            return whole
        offers, bounds = _offers(task, self.max_sets), _bounds(task)
        values = _values(task)
        draft = Draft(task)
        for _ in range(self.max_rounds):
            chosen = self._solve(task, offers.groups(task, values), bounds)
            draft, lowered = _draft(task, chosen, values)
            if not lowered:
                break
            for edu, worth in lowered.items():
                values[edu] = worth
        if self.fill and task.capacity is not None:
            _fill(task, draft, bounds)
        draft.top_up(task.order)
        return draft.reasons

    def _solve(
        self, task: SelectionTask, groups: list[list[Option]], bounds: LineBounds | None
    ) -> frozenset[int]:
        n_options = sum(map(len, groups))
        capacity = task.capacity
        if capacity is None:
            best = [max(group, key=lambda option: option.value) for group in groups]
            options = [option for option in best if option.value > 0]
        elif n_options <= self.max_options and n_options * capacity <= _SOLVER_CELLS:
            options = _solve_exactly(task, groups, capacity, bounds)
        else:
            options = _solve_core(task, groups, capacity)
        return frozenset(edu for option in options or _single(task, groups) for edu in option.edus)


def _values(task: SelectionTask) -> list[float]:
    values = [-math.inf] * len(task.scores)
    for edu in task.order:
        values[edu] = task.scores[edu]
    return values


@dataclass(frozen=True, slots=True)
class _Offers:
    """What each sentence offers: its closed sets, or the forest to find good ones in."""

    sentences: tuple[tuple[Edus, ...] | Forest, ...]

    def groups(self, task: SelectionTask, values: Sequence[float]) -> list[list[Option]]:
        """Value and estimate all sets, leaving out those with a refused EDU."""
        groups = []
        for offer in self.sentences:
            sets = _good_sets(task, offer, values) if isinstance(offer, Forest) else offer
            options = [_option(task, edus, values) for edus in sets]
            groups.append([option for option in options if option.value > -math.inf])
        return list(filter(None, groups))


def _option(task: SelectionTask, edus: Edus, values: Sequence[float]) -> Option:
    value = math.fsum(values[edu] for edu in edus)
    cost = sum(task.edu_costs[edu] for edu in edus)
    return Option(value, max(cost, 1), edus)  # a sentence costs 1, however many of its EDUs


def _good_sets(task: SelectionTask, trees: Forest, values: Sequence[float]) -> list[Edus]:
    """Find the best closed sets of a long sentence for many lengths, by estimated costs."""
    node_values = [sum(values[edu] for edu in members) for members in trees.members]
    node_costs = [sum(task.edu_costs[edu] for edu in members) for members in trees.members]
    capacity = sum(node_costs)
    if task.capacity is not None:
        # The estimate is a little too high, so look a little further.
        capacity = min(capacity, task.capacity + task.capacity // 8 + 8)
    scale = -(-len(node_costs) * (capacity + 1) // _SOLVER_CELLS)
    sets = best_closed_sets(
        trees,
        node_values,
        [-(-cost // scale) for cost in node_costs],
        capacity=capacity // scale,
        n_sets=_SETS_OF_LONG_SENTENCE,
    )
    closed = [frozenset[int]().union(*(task.closures[edu] for edu in edus)) for edus in sets]
    return [tuple(sorted(edus)) for edus in closed]


def _offers(task: SelectionTask, max_sets: int) -> _Offers:
    sentences = tuple(
        closed_sets(edus, task.closures, limit=max_sets) or forest(edus, task.closures)
        for edus in task.document.edus_by_sentence()
    )
    return _Offers(sentences)


def _bounds(task: SelectionTask) -> LineBounds | None:
    """Bound the costs of lines that have to be written out to be counted."""
    if task.limit.unit not in {LengthUnit.WORDS, LengthUnit.CHARS}:
        return None
    return line_bounds(task.document, task.limit.unit, task.realiser.repairs)


def _realised(task: SelectionTask, option: Option) -> Option:
    """Replace an estimated cost by that of the realised line."""
    value, _, edus = option
    return Option(value, task.line_cost(task.document.edus[edus[0]].sentence, edus), edus)


def _solve_exactly(
    task: SelectionTask,
    groups: Sequence[Sequence[Option]],
    capacity: int,
    bounds: LineBounds | None,
) -> list[Option]:
    """Choose by the costs of realised lines, of which few are written out if they are bounded."""
    if bounds is None:
        return best_options([[_realised(task, o) for o in group] for group in groups], capacity)
    least = bounds.least
    bounded = [[Option(value, least(edus), edus) for value, _, edus in group] for group in groups]
    return best_bounded_options(bounded, capacity, partial(_realised, task))


def _solve_core(
    task: SelectionTask, groups: Sequence[Sequence[Option]], capacity: int
) -> list[Option]:
    """Decide most sentences by price, and the doubtful ones exactly in what is left."""
    decided = core(groups, capacity, size=_CORE_SIZE)
    fixed = [_realised(task, option) for option in decided.fixed]
    undecided = [[_realised(task, option) for option in groups[index]] for index in decided.open]
    left = max(0, capacity - sum(option.cost for option in fixed))
    useful = sum(max(option.cost for option in group) for group in undecided)
    return fixed + best_options(undecided, min(left, useful))


def _single(task: SelectionTask, groups: Sequence[Sequence[Option]]) -> list[Option]:
    """Find the best set that fits if nothing is of positive value."""
    realised = (_realised(task, option) for group in groups for option in group)
    fitting = [option for option in realised if task.fits(option.cost)]
    return [max(fitting, key=lambda option: option.value)] if fitting else []


def _draft(
    task: SelectionTask, chosen: frozenset[int], values: Sequence[float]
) -> tuple[Draft, dict[int, float]]:
    """Write the chosen EDUs down by falling score; return those that repeats make worth less."""
    draft = Draft(task)
    lowered: dict[int, float] = {}
    for edu in task.order:
        new = draft.missing(edu) if edu in chosen else None
        if not new:
            continue
        worth = draft.worth(edu, new)
        if worth is None or worth < values[edu]:
            lowered[edu] = -math.inf if worth is None else worth
        if worth is not None:
            draft.add(edu, new)
    return draft, lowered


def _fill(task: SelectionTask, draft: Draft, bounds: LineBounds | None) -> None:
    sentences = task.document.edus_by_sentence()
    for edu in task.order:
        new = draft.missing(edu)
        sentence = sentences[task.document.edus[edu].sentence]
        if not new or (bounds and _is_too_long(task, draft, new, sentence, bounds)):
            continue
        if draft.worth(edu, new) is not None:
            draft.add_if_fits(edu, new)


def _is_too_long(
    task: SelectionTask, draft: Draft, new: frozenset[int], sentence: range, bounds: LineBounds
) -> bool:
    """Tell whether EDUs cannot be added to the line of their sentence, without writing it out."""
    shown = tuple(edu for edu in sentence if edu in draft.reasons)
    index = task.document.edus[sentence.start].sentence
    spent = task.line_cost(index, shown) if shown else 0
    return not task.fits(draft.cost - spent + bounds.least(tuple(sorted((*shown, *new)))))
