"""Runs as users start them, and ways to end them."""

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

PATIENCE = float(os.environ.get("DISCOBERT_TEST_PATIENCE", "100"))
"""Seconds a run may take; a machine that is busy otherwise needs more."""


def start(arguments: Sequence[str]) -> "subprocess.Popen[bytes]":
    """Start the command line in a process of its own."""
    command = [sys.executable, "-m", "discobert", *arguments]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)


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
