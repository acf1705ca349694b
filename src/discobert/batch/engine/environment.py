"""Environment of worker processes: one thread each, no imports from the working directory."""

import os
from collections.abc import Iterator
from contextlib import contextmanager

_SETTINGS = {
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "RAYON_NUM_THREADS": "1",
    "TOKENIZERS_PARALLELISM": "false",
    # Python would search the working directory for the modules of multiprocessing itself.
    "PYTHONSAFEPATH": "1",
}


@contextmanager
def worker_environment() -> Iterator[None]:
    """Set the variables for processes started inside the block, which read them as they start."""
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
