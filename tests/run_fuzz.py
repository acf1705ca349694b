"""``python -m tests.run_fuzz [TARGET …] [--seconds N]``: fuzz for a while, keep what crashes.

With atheris (``pip install 'discobert[fuzz]'``) inputs are found by what they reach in the code;
without it, by changing seeds. What crashes a target is kept in ``tests/fuzz_seeds/TARGET``.
"""

import argparse
import hashlib
import importlib.util
import random
import re
import subprocess
import sys
import tempfile
import time
import traceback
from pathlib import Path

_GUIDED = "--guided"
_SHOWN = 4_000
"""Characters of what atheris says about a crash."""
SEEDS = Path(__file__).with_name("fuzz_seeds")


def main() -> int:
    """Fuzz every target named, or all of them."""
    if sys.argv[1:2] == [_GUIDED]:
        _guided(sys.argv[2], sys.argv[3:])
    from tests.fuzz_targets import TARGETS  # after atheris: it reads the code as it is imported

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("targets", nargs="*", default=[])
    parser.add_argument("--seconds", type=int, default=60, help="for each target")
    given = parser.parse_args()
    found = 0
    for name in given.targets or TARGETS:
        runs, crashes = _fuzz(name, given.seconds)
        print(f"{name}: {runs:,} inputs, {crashes} crashes", flush=True)  # noqa: T201
        found += crashes
    return 1 if found else 0


def _fuzz(name: str, seconds: int) -> tuple[int, int]:
    """Change seeds for half of the time, let atheris search for the other half."""
    from tests.fuzz_targets import seeds
    from tests.test_fuzz import changed

    share = seconds / 2 if importlib.util.find_spec("atheris") else seconds
    rng, end, runs, crashes = random.Random(), time.monotonic() + share, 0, 0
    known = seeds(name) or [b""]
    while time.monotonic() < end:
        data = changed(rng.choice(known), rng)
        runs += 1
        crashes += _crashes(name, data)
    if share < seconds:
        searched, found = _search(name, int(share))
        runs, crashes = runs + searched, crashes + found
    return runs, crashes


def _crashes(name: str, data: bytes) -> bool:
    from tests.fuzz_targets import attempt

    try:
        attempt(name, data)
    except Exception:
        traceback.print_exc()
        _keep(name, data)
        return True
    return False


def _keep(name: str, data: bytes) -> None:
    path = SEEDS / name / f"crash-{hashlib.sha256(data).hexdigest()[:12]}"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


def _search(name: str, seconds: int) -> tuple[int, bool]:
    """Run atheris from the seeds in a process of its own, as it never returns."""
    folder = SEEDS / name
    folder.mkdir(parents=True, exist_ok=True)
    options = [f"-max_total_time={seconds}", f"-artifact_prefix={folder}/", "-rss_limit_mb=2000"]
    with tempfile.TemporaryDirectory() as found:  # inputs that reach other code
        command = [sys.executable, "-m", "tests.run_fuzz", _GUIDED, name, *options]
        ran = subprocess.run(
            [*command, "-print_final_stats=1", "-max_len=8000", found, str(folder)],
            check=False,
            stderr=subprocess.PIPE,
            text=True,
            errors="replace",
        )
    count = re.search(r"number_of_executed_units: (\d+)", ran.stderr)
    if ran.returncode != 0:
        print(ran.stderr[-_SHOWN:], flush=True)  # noqa: T201
    return int(count[1]) if count else 0, ran.returncode != 0


def _guided(name: str, options: list[str]) -> None:
    import atheris  # type: ignore[import-untyped]

    with atheris.instrument_imports(include=["discobert"]):
        from tests import fuzz_targets
    atheris.Setup([sys.argv[0], *options], lambda data: fuzz_targets.attempt(name, data))
    atheris.Fuzz()


if __name__ == "__main__":
    sys.exit(main())
