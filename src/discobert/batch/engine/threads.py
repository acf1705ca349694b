"""One thread a worker: processes share the cores, threads inside them would only get in the way."""

import os
from collections.abc import Iterator
from contextlib import contextmanager

_SETTINGS = {
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "RAYON_NUM_THREADS": "1",
    "TOKENIZERS_PARALLELISM": "false",
}


@contextmanager
def one_thread() -> Iterator[None]:
    """Let processes that start meanwhile inherit the bound: libraries read it as they load."""
    before = {name: os.environ.get(name) for name in _SETTINGS}
    os.environ.update(_SETTINGS)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value
