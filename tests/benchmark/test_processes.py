"""What child processes cost."""

import pytest

from discobert.benchmark import processes
from discobert.benchmark.launch import launch
from discobert.benchmark.processes import ProcessCost, can_measure, import_ratio, process_cost
from discobert.errors import DiscobertError

pytestmark = pytest.mark.skipif(not can_measure(), reason="this system has no wait4")
MEGA = 1_000_000


def test_memory_is_that_of_the_command_and_not_ours() -> None:
    ours = bytearray(150 * MEGA)
    small, large = (process_cost(["-I", "-c", f"x = b'x' * {n} * 1000000"]) for n in (1, 60))
    assert small.memory < 60 * MEGA < large.memory < len(ours)
    assert 0 < small.cpu < 30


def test_failure_is_told_with_its_last_line() -> None:
    with pytest.raises(DiscobertError, match=r"exit code 1: ValueError: no"):
        process_cost(["-I", "-c", "raise ValueError('no')"])


def test_launcher_reports_the_exit_code() -> None:
    import sys

    assert launch([sys.executable, "-I", "-c", "raise SystemExit(3)"])["code"] == 3


def test_import_ratio_compares_the_cheapest_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    seconds = iter([5.0, 2.0, 4.0, 3.0])
    monkeypatch.setattr(processes, "_run", lambda _: ProcessCost(next(seconds), 0.0, 0))
    assert import_ratio(runs=2) == 2.0
