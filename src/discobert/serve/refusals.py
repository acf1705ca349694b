"""Requests that are not answered, each with its HTTP status, a code and a message."""

import math
from dataclasses import dataclass

from discobert.data.codecs.json_text import dumps
from discobert.errors import BundleError, DiscobertError, InputError, MissingExtra, UsageError


class Refusal(DiscobertError):
    """A request is refused or has failed."""

    def __init__(
        self, status: int, code: str, message: str, *, retry_after: float | None = None
    ) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.retry_after = retry_after

    @property
    def body(self) -> bytes:
        """The error as JSON, in the form of the records of ``batch``."""
        return dumps({"error": {"code": self.code, "message": str(self)}}).encode()

    @property
    def headers(self) -> dict[str, str]:
        """Headers that belong to the answer."""
        if self.retry_after is None:
            return {}
        return {"Retry-After": str(max(1, math.ceil(self.retry_after)))}


def busy(retry_after: float = 1.0) -> Refusal:
    """Refuse a request because too many wait already."""
    return Refusal(429, "busy", "too many requests are waiting; try again", retry_after=retry_after)


def draining() -> Refusal:
    """Refuse a request because the service is about to end."""
    return Refusal(503, "draining", "the service is shutting down", retry_after=5)


def starting() -> Refusal:
    """Refuse a request because no worker is ready yet."""
    return Refusal(503, "not-ready", "the model is being loaded; try again", retry_after=1)


def too_large(size: int | str, limit: int, unit: str, what: str) -> Refusal:
    """Refuse a request because of its size."""
    shown = f"{size:,}" if isinstance(size, int) else size
    message = f"the {what} has {shown} {unit}; at most {limit:,} are taken"
    return Refusal(413, "too-large", message)


def past_deadline(seconds: float) -> Refusal:
    """Give up a request that took too long."""
    message = f"not done within {seconds:g} s; send a shorter text or raise the service's deadline"
    return Refusal(504, "deadline", message, retry_after=1)


def worker_died() -> Refusal:
    """Give up a request whose worker died twice."""
    return Refusal(500, "worker-died", "the process that worked on this request died, twice")


@dataclass(frozen=True, slots=True)
class Failure:
    """A refusal as a plain value, which a worker process can send."""

    status: int
    code: str
    message: str

    @classmethod
    def of(cls, error: Exception) -> "Failure":
        """Return what clients learn of an error; a message that is not ours could hold the text."""
        if not isinstance(error, DiscobertError):
            return cls(500, "internal", f"a fault of ours: {type(error).__name__}")
        status, code = next(
            (answer for kind, answer in _ANSWERS if isinstance(error, kind)), (500, "internal")
        )
        return cls(status, code, str(error))

    @property
    def refusal(self) -> Refusal:
        """The error to raise."""
        return Refusal(self.status, self.code, self.message)


_ANSWERS: tuple[tuple[type[Exception], tuple[int, str]], ...] = (
    (MissingExtra, (415, "missing-extra")),
    (InputError, (400, "input")),
    (UsageError, (422, "invalid")),
    (BundleError, (500, "bundle")),
)
"""Status and code by the first kind that fits."""
