"""Errors sent from a worker process to its parent, as plain values."""

from dataclasses import dataclass
from types import MappingProxyType
from typing import NoReturn

from discobert.errors import (
    BundleError,
    ConfigError,
    DiscobertError,
    FormatError,
    InputError,
    UsageError,
)

_KINDS = MappingProxyType(
    {
        kind.__name__: kind
        for kind in (UsageError, ConfigError, InputError, FormatError, BundleError, DiscobertError)
    }
)


@dataclass(frozen=True, slots=True)
class WorkerError:
    """Class name and message of an error that ends the run."""

    kind: str
    message: str


def worker_error(error: DiscobertError) -> WorkerError:
    """Return the error as a value, under its nearest class that a message alone can build."""
    names = (kind.__name__ for kind in type(error).__mro__)
    return WorkerError(next(name for name in names if name in _KINDS), str(error))


def raise_error(error: WorkerError) -> NoReturn:
    """Raise the error of a worker in this process."""
    raise _KINDS[error.kind](error.message)
