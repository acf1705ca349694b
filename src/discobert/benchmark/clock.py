"""CPU time and wall time, and what stages take of them without knowing that they are watched."""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Cost:
    """Seconds of one run; CPU time is that of all threads of the process."""

    cpu: float
    wall: float

    def __add__(self, other: "Cost") -> "Cost":
        return Cost(self.cpu + other.cpu, self.wall + other.wall)

    def __truediv__(self, count: float) -> "Cost":
        return Cost(self.cpu / count, self.wall / count)


NOTHING = Cost(0.0, 0.0)


def cost_of(work: Callable[[], object]) -> Cost:
    """Run something once."""
    cpu, wall = time.process_time(), time.perf_counter()
    work()
    return Cost(time.process_time() - cpu, time.perf_counter() - wall)


def least_cost(work: Callable[[], object], *, runs: int) -> Cost:
    """Run something several times; the cheapest run by CPU time was disturbed least."""
    return min((cost_of(work) for _ in range(runs)), key=lambda cost: cost.cpu)


@dataclass(frozen=True, slots=True)
class Watched:
    """A function or method that stands for a stage: an attribute of a module or a class."""

    owner: Any
    name: str
    stage: str | Callable[..., str]
    """Name of the stage, or what tells it from the arguments of a call."""

    def stage_of(self, *arguments: object) -> str:
        """Return the stage that a call belongs to."""
        return self.stage if isinstance(self.stage, str) else self.stage(*arguments)


class StageClock:
    """CPU seconds by stage; what a stage calls that is watched too counts there alone."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        self._inner: list[float] = []

    def call(self, stage: str, work: Callable[..., object], *args: object, **kwargs: object) -> Any:  # noqa: ANN401 - whatever the watched function returns
        """Call a function on behalf of a stage."""
        self._inner.append(0.0)
        begun = time.process_time()
        try:
            return work(*args, **kwargs)
        finally:
            taken = time.process_time() - begun
            own = taken - self._inner.pop()
            self.seconds[stage] = self.seconds.get(stage, 0.0) + own
            if self._inner:
                self._inner[-1] += taken


@contextmanager
def watching(places: Sequence[Watched]) -> Iterator[StageClock]:
    """Put a clock around functions for a while; for one thread only."""
    clock = StageClock()
    with ExitStack() as undo:
        for place in places:
            original = getattr(place.owner, place.name)
            undo.callback(setattr, place.owner, place.name, original)
            setattr(place.owner, place.name, _timed(clock, place, original))
        yield clock


def _timed(clock: StageClock, place: Watched, original: Callable[..., Any]) -> Callable[..., Any]:
    def timed(*args: Any, **kwargs: Any) -> Any:  # noqa: ANN401 - stands for any function
        return clock.call(place.stage_of(*args), original, *args, **kwargs)

    return timed
