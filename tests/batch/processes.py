"""Runs as users start them, and ways to end them."""

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

PATIENCE = float(os.environ.get("DISCOBERT_TEST_PATIENCE", "100"))
"""Seconds a run may take; a machine that is busy otherwise needs more."""


def start(
    arguments: Sequence[str], environment: Mapping[str, str] | None = None
) -> "subprocess.Popen[bytes]":
    """Start the command line in a process of its own."""
    command = [sys.executable, "-m", "discobert", *arguments]
    return subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env={**os.environ, **(environment or {})},
    )


def finish(process: "subprocess.Popen[bytes]") -> str:
    """Wait for the end of a run that must succeed, and return what it said."""
    said, _ = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0, said.decode()
    return said.decode()


def workers_of(process: "subprocess.Popen[bytes]") -> list[int]:
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


def wait_for_reports(process: "subprocess.Popen[bytes]", parts: Path, *, more: int) -> bool:
    """Wait until so many more shards are finished; false if the run ended before."""
    target = reports(parts) + more
    end = time.monotonic() + PATIENCE
    while process.poll() is None and time.monotonic() < end:
        if reports(parts) >= target:
            return True
        time.sleep(0.005)
    return False


def kill(process: "subprocess.Popen[bytes]", pid: int, rng: random.Random) -> None:
    """Kill a process after a random moment; its run may end meanwhile."""
    time.sleep(rng.uniform(0, 0.05))
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        return
    if pid == process.pid:
        process.communicate()
