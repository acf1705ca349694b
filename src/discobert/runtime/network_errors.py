"""Errors of a network while it runs: too little memory, or a graph that fails."""

from collections.abc import Iterator
from contextlib import contextmanager

from discobert.errors import BundleError, DiscobertError, OutOfMemory

_RUNTIME = "onnxruntime"
_ALLOCATION = ("bad_alloc", "allocate memory", "bad allocation")


def is_out_of_memory(error: BaseException) -> bool:
    """Return whether an error says that memory could not be had, in Python or in ONNX Runtime."""
    if isinstance(error, MemoryError):
        return True
    return _is_of_runtime(error) and any(words in str(error) for words in _ALLOCATION)


def translated(error: BaseException, name: str) -> DiscobertError | None:
    """Return the error for the user: too little memory for a text, or a graph that fails."""
    if is_out_of_memory(error):
        return OutOfMemory(
            f"{name}: not enough memory for this text; split it, or free some memory"
        )
    if _is_of_runtime(error):
        words = " ".join(str(error).split())[:300]
        return BundleError(f"{name}: a graph of the model failed: {words}; export the model again")
    return None


@contextmanager
def network_errors(name: str) -> Iterator[None]:
    """Translate what networks raise about a text."""
    try:
        yield
    except Exception as error:
        known = translated(error, name)
        if known is None:
            raise
        raise known from error


def _is_of_runtime(error: BaseException) -> bool:
    return type(error).__module__.partition(".")[0] == _RUNTIME
