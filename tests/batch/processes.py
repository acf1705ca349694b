"""Runs as users start them, and ways to end them."""

import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TypeAlias

Process: TypeAlias = subprocess.Popen[bytes]
PATIENCE = float(os.environ.get("DISCOBERT_TEST_PATIENCE", "100"))
"""Seconds a run may take; a machine that is busy otherwise needs more."""


def start(arguments: Sequence[str], environment: Mapping[str, str] | None = None) -> Process:
    """Start the command line in a process of its own."""
    command = [sys.executable, "-m", "discobert", *arguments]
    return subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env={**os.environ, **(environment or {})},
    )


def finish(process: Process, *, patience: float | None = PATIENCE) -> str:
    """Wait for the end of a run that must succeed, and return what it said."""
    said, _ = process.communicate(timeout=patience)
    assert process.returncode == 0, said.decode()
    return said.decode()


def workers_of(process: Process) -> list[int]:
    """Return the spawned workers of a run."""
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    found = children.read_text().split() if children.exists() else []
    return [int(pid) for pid in found if b"spawn_main" in _command(pid)]


def _command(pid: str) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""


def ray_workers(ancestor: int) -> list[int]:
    """Return the workers at our stage in the Ray that a process has started."""
    found = [int(entry.name) for entry in Path("/proc").iterdir() if entry.name.isdigit()]
    ours = [pid for pid in found if _command(str(pid)).startswith(b"ray::MapWorker")]
    return [pid for pid in ours if ancestor in _ancestors(pid)]


def _ancestors(pid: int) -> list[int]:
    """Return the parent of a process, its parent, and so on."""
    found: list[int] = []
    while pid > 1:
        try:
            status = Path(f"/proc/{pid}/stat").read_text()
        except OSError:
            return found
        pid = int(status.rpartition(")")[2].split()[1])
        found.append(pid)
    return found


def reports(parts: Path) -> int:
    """Count finished shards."""
    folder = parts / "reports"
    return len(list(folder.iterdir())) if folder.exists() else 0


def wait_for_reports(process: Process, parts: Path, *, more: int) -> bool:
    """Wait until so many more shards are finished; false if the run ended before."""
    target = reports(parts) + more
    end = time.monotonic() + PATIENCE
    while process.poll() is None and time.monotonic() < end:
        if reports(parts) >= target:
            return True
        time.sleep(0.005)
    return False


def kill(pid: int, rng: random.Random) -> None:
    """Kill a process after a random moment of a shard; its run may end meanwhile."""
    time.sleep(rng.uniform(0, 0.03))
    with suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)


def kill_on_the_way(
    begin: Callable[[], Process],
    out: Path,
    rng: random.Random,
    *,
    workers: Callable[[Process], list[int]],
    runs: Sequence[Sequence[str]],
) -> None:
    """Kill workers and parents of runs, each of which goes on where the one before was killed."""
    # On a busy machine a run may be over before we get to kill it: then all starts again.
    for _ in range(5):
        if all(_was_killed(begin(), out, rng, workers, victims) for victims in runs):
            break
        shutil.rmtree(out) if out.is_dir() else out.unlink()
    assert not out.exists()


def _was_killed(
    process: Process,
    out: Path,
    rng: random.Random,
    workers: Callable[[Process], list[int]],
    victims: Sequence[str],
) -> bool:
    """Kill one after the other; return false if the run came to its end before."""
    for victim in victims:
        parts = out.with_name(f"{out.name}.parts")
        if not wait_for_reports(process, parts, more=rng.randrange(1, 5)):
            finish(process, patience=None)
            return False
        worker = rng.choice(workers(process) or [process.pid])
        kill(worker if victim == "worker" else process.pid, rng)
    process.communicate()
    return process.returncode != 0
