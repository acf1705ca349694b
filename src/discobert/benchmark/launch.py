"""Starts a command and reports its cost: a small process between the benchmark and the command.

On Linux the peak memory of a process starts at that of its parent, so the parent must be small.
Standard library only; run by its path, so that nothing of the package is loaded.
"""

import json
import os
import sys
import time
from collections.abc import Sequence

_KILOBYTES = 1 if sys.platform == "darwin" else 1024


def launch(command: Sequence[str]) -> dict[str, float]:
    """Run a command, discard its output, and return exit code, seconds and peak memory."""
    null = os.open(os.devnull, os.O_WRONLY)
    begun = time.perf_counter()
    child = os.posix_spawn(
        command[0], list(command), os.environ, file_actions=[(os.POSIX_SPAWN_DUP2, null, 1)]
    )
    _, status, used = os.wait4(child, 0)
    return {
        "code": os.waitstatus_to_exitcode(status),
        "wall": time.perf_counter() - begun,
        "cpu": used.ru_utime + used.ru_stime,
        "memory": used.ru_maxrss * _KILOBYTES,
    }


if __name__ == "__main__":
    sys.stdout.write(json.dumps(launch(sys.argv[1:])))
