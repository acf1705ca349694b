"""The best choice of at most one option from each of many groups within a capacity."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray


class Option(NamedTuple):
    """Something that may be chosen."""

    value: float
    cost: int
    edus: tuple[int, ...]


Group = Sequence[Option]

_PROMISING = 16
_PRICES = 24
_ROUNDING = 1e-9


def best_options(groups: Sequence[Group], capacity: int) -> list[Option]:
    """Choose at most one option a group so that the values add up to the most; exact.

    Among equals, options of earlier groups are preferred. Time and memory are proportional to the
    number of options and groups times the capacity.
    """
    best = np.zeros(capacity + 1)
    picks: list[NDArray[np.int16]] = []
    useful = [_undominated(group, capacity) for group in groups]
    for group in useful:
        best, pick = _with_group(best, group)
        picks.append(pick)
    return _trace(useful, picks, capacity)


def _undominated(group: Group, capacity: int) -> list[Option]:
    """Drop options that cost at least as much as one of no less value."""
    kept: list[Option] = []
    for option in sorted(group, key=lambda option: (option.cost, -option.value)):
        if option.cost <= capacity and option.value > (kept[-1].value if kept else 0.0):
            kept.append(option)
    return kept


def _with_group(
    best: NDArray[np.float64], group: Group
) -> tuple[NDArray[np.float64], NDArray[np.int16]]:
    improved = best.copy()
    pick = np.zeros(len(best), dtype=np.int16)
    for number, option in enumerate(group, start=1):
        start = option.cost
        reached = best[: len(best) - start] + option.value
        better = reached > improved[start:]
        improved[start:][better] = reached[better]
        pick[start:][better] = number
    return improved, pick


def _trace(
    groups: Sequence[Group], picks: Sequence[NDArray[np.int16]], capacity: int
) -> list[Option]:
    chosen: list[Option] = []
    for group, pick in zip(reversed(groups), reversed(picks), strict=True):
        number = int(pick[capacity])
        if number:
            chosen.append(group[number - 1])
            capacity -= group[number - 1].cost
    return chosen[::-1]


def best_bounded_options(
    groups: Sequence[Group], capacity: int, exact: Callable[[Option], Option]
) -> list[Option]:
    """Choose as ``best_options`` would after ``exact`` put exact costs in place of lower bounds.

    Finding costs takes long. They are found for the most promising options, and then only for those
    that could be part of a choice at least as good as the best one among the first.
    """
    if not groups:
        return []
    table = _tabulate(groups)
    losses, _ = table.relaxed(capacity)
    promising = np.argsort(losses, kind="stable")[: _PROMISING + 2 * np.count_nonzero(losses == 0)]
    table.find_costs(promising, exact)
    found = sum(option.value for option in best_options(table.groups(promising), capacity))
    losses, bound = table.relaxed(capacity)
    # No choice with an option is worth more than the bound less the option's loss.
    hopeful = np.flatnonzero(losses <= bound - found + _ROUNDING * (1 + abs(bound)))
    table.find_costs(np.setdiff1d(hopeful, promising), exact)
    return best_options(table.groups(hopeful), capacity)


@dataclass(frozen=True, slots=True)
class _Table:
    """All options side by side; ``starts`` are the indices of the first one of each group."""

    options: list[Option]
    values: NDArray[np.float64]
    costs: NDArray[np.float64]
    starts: NDArray[np.intp]

    def relaxed(self, capacity: int) -> tuple[NDArray[np.float64], float]:
        """Return what options lose at a good price on cost, and a bound on the value of any choice.

        At a price, each group takes the option of most value less price, or none; what another one
        is worth less is its loss. The bound is what all groups take, and the price of the capacity.
        """
        price = self._price(capacity)
        gains = self.values - price * self.costs
        best = np.maximum.reduceat(np.maximum(gains, 0.0), self.starts)
        losses = np.repeat(best, np.diff(self.starts, append=len(gains))) - gains
        return losses, price * capacity + float(best.sum())

    def _price(self, capacity: int) -> float:
        """Find the price, nearly, at which the bound is lowest; it has no other low."""
        low, high = 0.0, max(0.0, float(np.max(self.values / np.maximum(self.costs, 1.0))))
        for _ in range(2):
            prices = np.linspace(low, high, _PRICES)
            gains = np.maximum(self.values - prices[:, None] * self.costs, 0.0)
            bounds = prices * capacity + np.maximum.reduceat(gains, self.starts, axis=1).sum(axis=1)
            best = int(bounds.argmin())
            low, high = prices[max(best - 1, 0)], prices[min(best + 1, _PRICES - 1)]
        return float(prices[best])

    def find_costs(self, indices: Iterable[int], exact: Callable[[Option], Option]) -> None:
        """Put exact costs in place of some bounds."""
        for index in indices:
            self.options[index] = option = exact(self.options[index])
            self.costs[index] = option.cost

    def groups(self, indices: NDArray[np.intp]) -> list[Group]:
        """Return some of the options in their groups, all in order."""
        ordered = np.sort(indices)
        parts = np.split(ordered, np.searchsorted(ordered, self.starts[1:]))
        return [[self.options[index] for index in part] for part in parts if len(part)]


def _tabulate(groups: Sequence[Group]) -> _Table:
    options = list(chain.from_iterable(groups))
    return _Table(
        options,
        np.array([option.value for option in options]),
        np.array([option.cost for option in options], dtype=np.float64),
        np.cumsum([0, *(len(group) for group in groups[:-1])]),
    )


@dataclass(frozen=True, slots=True)
class Core:
    """What a relaxed problem leaves open: options that are certain, and groups still to decide."""

    fixed: list[Option]
    open: list[int]


def core(groups: Sequence[Group], capacity: int, *, size: int) -> Core:
    """Decide all groups but the ``size`` most doubtful ones by a price on cost.

    At the right price, each group takes the option of most value less price, and together they keep
    to the capacity; a group is doubtful if its next best option is nearly as good.
    """
    price = _price(groups, capacity)
    choices = [_ranked(group, price) for group in groups]
    doubtful = sorted(range(len(groups)), key=lambda index: (choices[index][1], index))[:size]
    undecided = frozenset(doubtful)
    fixed = [
        option
        for index, (option, _) in enumerate(choices)
        if option is not None and index not in undecided
    ]
    return Core(fixed, sorted(doubtful))


def _ranked(group: Group, price: float) -> tuple[Option | None, float]:
    """Return the best option at a price, ``None`` for taking nothing, and its lead on the next."""
    gains = sorted(
        [(0.0, 0, None), *((o.value - price * o.cost, -o.cost, o) for o in group)],
        key=lambda item: item[:2],
        reverse=True,
    )
    return gains[0][2], gains[0][0] - gains[1][0]


def _price(groups: Sequence[Group], capacity: int) -> float:
    """Find the lowest price, nearly, at which the best options keep to the capacity."""
    options = [option for group in groups for option in group]
    values = np.array([option.value for option in options])
    costs = np.array([option.cost for option in options], dtype=np.float64)
    starts = np.cumsum([0, *(len(group) for group in groups[:-1])])
    low, high = 0.0, max(1e-9, float(np.max(values / np.maximum(costs, 1.0))))
    for _ in range(40):
        middle = (low + high) / 2
        gains = np.maximum(values - middle * costs, 0.0)
        best = np.repeat(np.maximum.reduceat(gains, starts), np.diff([*starts, len(options)]))
        taken = (gains >= best) & (gains > 0)
        spent = np.maximum.reduceat(np.where(taken, costs, 0.0), starts).sum()
        low, high = (middle, high) if spent > capacity else (low, middle)
    return high
