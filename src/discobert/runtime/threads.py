"""Independent runs of a network on several threads; the results are the same bytes as on one."""

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import islice
from typing import TypeVar

T = TypeVar("T")
R = TypeVar("R")

_AHEAD = 4
"""Runs submitted for each thread at once, so that the results of a book are not all kept."""


@dataclass(frozen=True, slots=True)
class Threads:
    """How many runs go on at the same time; ONNX Runtime releases the interpreter's lock."""

    count: int = 1

    def map(self, function: Callable[[T], R], items: Iterable[T]) -> Iterator[R]:
        """Apply a function to items and yield the results in their order."""
        if self.count == 1:
            yield from map(function, items)
            return
        remaining = iter(items)
        with ThreadPoolExecutor(self.count, thread_name_prefix="discobert") as pool:
            while batch := list(islice(remaining, _AHEAD * self.count)):
                yield from pool.map(function, batch)


ONE_THREAD = Threads()
