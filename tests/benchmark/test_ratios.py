"""Bounds on ratios of CPU times in one run, which hold on slow machines, too.

Not in the default tests: ``python -m pytest -m slow tests/benchmark/test_ratios.py``.
"""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from discobert.benchmark.processes import ONE_THREAD, can_measure, import_ratio

ROOT = Path(__file__).parents[2]
MOST_ENCODER_PASSES = 2.2
MOST_GROWTH = 24.0
"""16 times the text; a busy machine adds a few, anything quadratic adds far more."""
MOST_STAGE_GROWTH = 40.0
"""A quadratic stage grows 256 times; one with a fixed look-back, about 30 times."""
MOST_IMPORTS = 4.0

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]


@pytest.fixture(scope="module")
def ratios() -> dict[str, Any]:
    """Measure in a process of its own: BLAS reads its number of threads when it is loaded."""
    command = [sys.executable, "-m", "benchmarks.cost_ratios"]
    environment = {**os.environ, **ONE_THREAD}
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, env=environment, cwd=ROOT)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_summary_costs_little_more_than_one_bare_encoder_pass(ratios: dict[str, Any]) -> None:
    assert ratios["passes"] < MOST_ENCODER_PASSES


def test_cost_grows_with_the_text_and_no_faster(ratios: dict[str, Any]) -> None:
    assert ratios["growth"] < MOST_GROWTH


def test_no_stage_grows_much_faster_than_the_text(ratios: dict[str, Any]) -> None:
    grown = {stage: ratio for stage, ratio in ratios["stages"].items() if ratio > MOST_STAGE_GROWTH}
    assert grown == {}


@pytest.mark.skipif(not can_measure(), reason="this system has no wait4")
def test_imports_cost_little_more_than_their_libraries() -> None:
    assert import_ratio(runs=5) < MOST_IMPORTS
