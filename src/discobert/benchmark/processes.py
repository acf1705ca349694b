"""Cost of commands in processes of their own: cold start, peak memory, imports."""

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from discobert.errors import DiscobertError

BASELINE_IMPORTS = "import numpy, onnxruntime"
OWN_IMPORTS = "import discobert.api, discobert.analyser.load, discobert.scorer.load"
"""All modules that a summary needs; weights are not loaded."""
ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
"""Environment that keeps libraries to one thread; most read it when they are loaded."""
_LAUNCHER = Path(__file__).with_name("launch.py")


@dataclass(frozen=True, slots=True)
class ProcessCost:
    """CPU and wall seconds from start to end, and bytes of memory at the peak."""

    cpu: float
    wall: float
    memory: int


def can_measure() -> bool:
    """Return whether this operating system reports the resources of child processes."""
    return hasattr(os, "wait4") and hasattr(os, "posix_spawn")


def process_cost(arguments: Sequence[str], *, runs: int = 1) -> ProcessCost:
    """Run Python with some arguments, one thread; the cheapest of several runs."""
    return min((_run(arguments) for _ in range(runs)), key=lambda cost: cost.cpu)


def _run(arguments: Sequence[str]) -> ProcessCost:
    command = [sys.executable, "-I", str(_LAUNCHER), sys.executable, *arguments]
    done = subprocess.run(  # noqa: S603 - our own command
        command, capture_output=True, text=True, check=False, env={**os.environ, **ONE_THREAD}
    )
    found = json.loads(done.stdout) if done.returncode == 0 else {"code": done.returncode}
    if found["code"] != 0:
        errors = done.stderr.strip().splitlines()
        raise DiscobertError(
            f"the command python {' '.join(arguments)} failed with exit code {found['code']}: "
            f"{errors[-1] if errors else 'no message'}"
        )
    return ProcessCost(found["cpu"], found["wall"], int(found["memory"]))


def import_ratio(*, runs: int) -> float:
    """Divide the CPU time of our imports by that of importing numpy and onnxruntime alone.

    The two are measured in turns, so that other load on the machine affects both.
    """
    pairs = [
        (_run(["-c", OWN_IMPORTS]).cpu, _run(["-c", BASELINE_IMPORTS]).cpu) for _ in range(runs)
    ]
    return min(own for own, _ in pairs) / min(baseline for _, baseline in pairs)
