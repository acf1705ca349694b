"""How a run is carried out."""

from dataclasses import dataclass
from enum import Enum

from discobert.errors import UsageError


class BatchEngine(Enum):
    """What carries out shards."""

    LOCAL = "local"
    """Processes of this machine."""
    RAY = "ray"
    """A Ray cluster."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunOptions:
    """How a run is carried out; no option changes its results."""

    engine: BatchEngine = BatchEngine.LOCAL
    jobs: int | None = None
    """Workers; one per processor if not given."""
    ray_address: str | None = None
    resume: bool = False
    force: bool = False

    def __post_init__(self) -> None:
        if self.jobs is not None and self.jobs < 1:
            raise UsageError(f"jobs must be at least 1, got {self.jobs}")
        if self.ray_address is not None and self.engine is not BatchEngine.RAY:
            raise UsageError("an address of a Ray cluster needs the engine ray")


DEFAULT_RUN = RunOptions()
