"""Tasks for the workers of a pool that do what a test needs."""

import os
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path

Task = tuple[str, str]


def start() -> Callable[[Task], str]:
    return carry_out


def start_and_die() -> Callable[[Task], str]:
    sys.exit(7)


def carry_out(task: Task) -> str:
    action, value = task
    if action == "die":
        os.kill(os.getpid(), signal.SIGKILL)
    if action == "die once" and not Path(value).exists():
        Path(value).touch()
        os.kill(os.getpid(), signal.SIGKILL)
    if action == "wait":
        Path(f"{value}.begun").touch()
        while not Path(value).exists():
            time.sleep(0.01)
    return str(os.getpid()) if action == "pid" else value
