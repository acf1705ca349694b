"""Runs that are killed end, once resumed, byte for byte like runs that were left in undisturbed."""

import random
import sys
from pathlib import Path

import pytest
from tests.batch.corpus import rows, snapshot, write_rows
from tests.batch.in_process_engine import run_in_process
from tests.batch.processes import Process, finish, kill_on_the_way, start, workers_of

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="finds workers in /proc")

COMMANDS = {
    "prepare": ["--corpus", "cnndm-jsonl"],
    "batch": ["--words", "20"],
}

RUNS = (("worker", "parent"), ("parent",))
"""Whom to kill in each."""


@pytest.mark.parametrize("command", sorted(COMMANDS))
def test_a_run_killed_three_times_loses_nothing(tmp_path: Path, command: str) -> None:
    pytest.importorskip("pyarrow")
    seed = random.randrange(1 << 32)
    print(f"seed {seed}")  # noqa: T201 - pytest shows it with a failure
    data = write_rows(tmp_path / "in.jsonl", ["broken", *rows(40, paragraphs=8)])
    options = ["--model", "rules", "--shard-size", "2", "--resume", *COMMANDS[command]]
    undisturbed, out = tmp_path / "undisturbed", tmp_path / "out"
    run_in_process([command, str(data), str(undisturbed), *options])

    def begin() -> Process:
        return start([command, str(data), str(out), *options, "--jobs", "2"])

    kill_on_the_way(begin, out, random.Random(seed), workers=workers_of, runs=RUNS)
    assert "were done before" in finish(begin())
    assert snapshot(out) == snapshot(undisturbed)
    assert not (tmp_path / "out.parts").exists()
