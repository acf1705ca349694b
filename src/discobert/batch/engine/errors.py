"""Errors on their way from a worker: their kind and words, for any line between processes."""

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
class Fault:
    """An error that ends the run."""

    kind: str
    message: str


def fault_of(error: DiscobertError) -> Fault:
    """Write down an error by the nearest kind that can be raised again elsewhere."""
    names = (kind.__name__ for kind in type(error).__mro__)
    return Fault(next(name for name in names if name in _KINDS), str(error))


def raise_fault(fault: Fault) -> NoReturn:
    """Raise the error again."""
    raise _KINDS[fault.kind](fault.message)
