"""Makes the builders importable from every test: ``from tests.builders import doc, tree``."""

import os
import sys
from pathlib import Path

import pytest
from hypothesis import settings

sys.path.insert(0, str(Path(__file__).parents[1]))

# Matrices of a test are tiny: further threads only wait for each other, at full load. Must be set
# before torch or numpy is imported, here or in a process of a test.
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# A busy machine is no failure, and the same examples each time make a failure repeatable.
settings.register_profile("discobert", deadline=None, derandomize=True, max_examples=50)
settings.load_profile("discobert")

LONGEST = (
    "batch/test_ray.py",
    "train/analyser/test_train.py",
    "batch/test_kill.py",
    "test_same_bytes.py",
    "train/summarizer/test_train.py",
    "train/test_own_data.py",
)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put long files first, lest one worker be left with them in the end."""
    items.sort(key=lambda item: _place(item.path.as_posix()))


def _place(path: str) -> int:
    found = (place for place, name in enumerate(LONGEST) if path.endswith(name))
    return next(found, len(LONGEST))
