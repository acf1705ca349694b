"""Threads that compute features ahead of their use."""

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

WORKERS = min(4, os.cpu_count() or 1)

ItemT = TypeVar("ItemT")
ResultT = TypeVar("ResultT")


def map_in_order(function: Callable[[ItemT], ResultT], items: Iterable[ItemT]) -> Iterator[ResultT]:
    """Yield the results of a function in the order of its arguments; few wait at a time.

    ONNX Runtime releases the interpreter lock, so documents are encoded side by side.
    """
    with ThreadPoolExecutor(WORKERS) as pool:
        waiting: deque[Future[ResultT]] = deque()
        for item in items:
            waiting.append(pool.submit(function, item))
            if len(waiting) > 2 * WORKERS:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
