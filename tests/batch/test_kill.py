"""Runs that are killed end, once resumed, byte for byte like runs that were left in peace."""

import random
import sys
from pathlib import Path

import pytest
from tests.batch.corpus import rows, snapshot, write_rows
from tests.batch.processes import finish, kill, start, wait_for_reports, workers_of

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="finds workers in /proc")

COMMANDS = {
    "prepare": ["--corpus", "cnndm-jsonl"],
    "batch": ["--words", "20"],
}


@pytest.mark.parametrize("command", sorted(COMMANDS))
def test_a_run_killed_three_times_loses_nothing(tmp_path: Path, command: str) -> None:
    pytest.importorskip("pyarrow")
    seed = random.randrange(1 << 32)
    rng = random.Random(seed)
    print(f"seed {seed}")  # noqa: T201 - pytest shows it with a failure
    data = write_rows(tmp_path / "in.jsonl", ["broken", *rows(60, paragraphs=8)])
    options = ["--model", "rules", "--shard-size", "3", "--resume", *COMMANDS[command]]
    peace, out = tmp_path / "peace", tmp_path / "out"
    finish(start([command, str(data), str(peace), *options, "--jobs", "1"]))
    parts = tmp_path / "out.parts"
    for victim in ("parent", "worker", "parent"):
        process = start([command, str(data), str(out), *options, "--jobs", "2"])
        assert wait_for_reports(process, parts, more=rng.randrange(1, 5))
        if victim == "worker":
            kill(process, rng.choice(workers_of(process)), rng)
            assert wait_for_reports(process, parts, more=1)
        kill(process, process.pid, rng)
        assert not out.exists()
    said = finish(start([command, str(data), str(out), *options, "--jobs", "2"]))
    assert "were done before" in said
    assert snapshot(out) == snapshot(peace)
    assert not parts.exists()
