"""Progress of a long computation: its stage and the share done, reported to a listener."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeVar

T = TypeVar("T")

Listener = Callable[[str, float], None]
"""Takes the name of a stage and the share of it that is done."""

_LISTENER: ContextVar[Listener | None] = ContextVar("listener", default=None)


@contextmanager
def watched(listener: Listener) -> Iterator[None]:
    """Report all stages that this thread goes through inside the block to the listener."""
    token = _LISTENER.set(listener)
    try:
        yield
    finally:
        _LISTENER.reset(token)


def stage(name: str) -> None:
    """Report that a stage begins."""
    listener = _LISTENER.get()
    if listener is not None:
        listener(name, 0.0)


def steps(name: str, items: Iterable[T], total: int) -> Iterator[T]:
    """Pass items on, and report the share of the stage that is done."""
    listener = _LISTENER.get()
    if listener is None:
        yield from items
        return
    for done, item in enumerate(items):
        listener(name, done / total)
        yield item
