"""Giving memory that was released back to the system.

glibc keeps what is freed below the top of its heap, and vectors of ever new lengths leave holes
all over it: a process that reads text after text would seem to need twice what it holds.
"""

import ctypes
import os
from collections.abc import Callable

_THRESHOLD = "MALLOC_MMAP_THRESHOLD_"
_ARROW_POOL = "ARROW_DEFAULT_MEMORY_POOL"
_MMAP_THRESHOLD = -3
"""The number that malloc.h gives to the parameter."""
LARGE = 1 << 20
"""Bytes from which a block has pages of its own; smaller ones would cost more time than room."""


def trim() -> None:
    """Return free pages; takes milliseconds, so once a document and not more often."""
    trim = _function("malloc_trim")
    if trim is not None:
        trim(0)


def set_large_apart() -> None:
    """Return large blocks to the system when they are freed, unless the user has set the bound.

    By itself the bound rises with every large block, up to 32 MB. It holds for the whole process,
    so this is for processes of our own.
    """
    adjust = _function("mallopt")
    if adjust is not None and _THRESHOLD not in os.environ:
        adjust(_MMAP_THRESHOLD, LARGE)


def share_heap() -> None:
    """Make Arrow allocate by malloc, as all else does, unless the user has set its pool.

    Its own pool holds 10 MB more after some shards, which ``trim`` does not reach. Arrow reads
    this as it is loaded, so it is for processes of our own that have not loaded it yet.
    """
    os.environ.setdefault(_ARROW_POOL, "system")


def _function(name: str) -> Callable[..., object] | None:
    """Find a function of glibc; systems without it have other heaps and go without."""
    try:
        found: Callable[..., object] = getattr(ctypes.CDLL(None), name)
    except (AttributeError, OSError, TypeError):  # musl and macOS; no C library; Windows
        return None
    return found
