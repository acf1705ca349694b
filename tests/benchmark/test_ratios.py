"""The guard on cost: ratios of CPU times in one run, so that no machine is too slow to pass.

Not in the default tests: ``python -m pytest -m slow tests/benchmark/test_ratios.py``.
"""

import os

import pytest

from discobert import Summarizer
from discobert.benchmark.clock import least_cost
from discobert.benchmark.limit import bare_encoder, pieces_of, random_weights
from discobert.benchmark.processes import can_measure, import_ratio
from discobert.benchmark.run import find_tokenizer
from discobert.benchmark.stages import REST, least_staged_cost
from discobert.benchmark.texts import generated

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

MOST_ENCODER_PASSES = 2.2
MOST_GROWTH = 20.0
MOST_STAGE_GROWTH = 40.0
"""A stage that is quadratic grows 256 times; one that fills caches or a fixed reach, about 30."""
MOST_IMPORTS = 4.0
WORTH_WATCHING = 0.02
"""Share of the longest text's time from which on a stage's growth counts."""

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def summarizer() -> Summarizer:
    loaded = Summarizer.load()
    loaded.summarize(generated(100).text)  # opens the sessions
    return loaded


def test_summary_costs_little_more_than_one_bare_encoder_pass(summarizer: Summarizer) -> None:
    text = generated(600).text
    encoder = bare_encoder(random_weights())
    layout = pieces_of(find_tokenizer(None), text)
    encoder.read(layout)
    pairs = [
        (
            least_cost(lambda: summarizer.summarize(text), runs=1).cpu,
            least_cost(lambda: encoder.read(layout), runs=1).cpu,
        )
        for _ in range(5)
    ]
    ours, limit = (min(costs) for costs in zip(*pairs, strict=True))
    assert ours / limit < MOST_ENCODER_PASSES


def test_cost_grows_with_the_text_and_no_faster(summarizer: Summarizer) -> None:
    short = least_staged_cost(summarizer, generated(1_000).text, runs=5)
    long = least_staged_cost(summarizer, generated(16_000).text, runs=1)
    assert long.total.cpu / short.total.cpu < MOST_GROWTH
    heavy = [
        stage
        for stage, cpu in long.stages.items()
        if stage != REST and cpu > WORTH_WATCHING * long.total.cpu
    ]
    grown = {stage: long.stages[stage] / short.stages[stage] for stage in heavy}
    assert {stage: ratio for stage, ratio in grown.items() if ratio > MOST_STAGE_GROWTH} == {}


@pytest.mark.skipif(not can_measure(), reason="this system has no wait4")
def test_imports_cost_little_more_than_their_libraries() -> None:
    assert import_ratio(runs=5) < MOST_IMPORTS
