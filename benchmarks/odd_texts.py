"""CPU time and peak memory of texts that are no prose, for one or several versions of the command.

python -m benchmarks.odd_texts before=OLD/bin/discobert after=NEW/bin/discobert --seconds 120 600

Each run is a process of its own with limits on CPU time and memory; what reaches one is stopped.
CPU time does not depend on what else the machine does. The processes that a command starts (to
read HTML, for instance) are counted in the time, and in the peak if they are larger.
"""

import argparse
import os
import resource
import signal
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

_PROSE = (
    "The council met on Monday to discuss the old bridge, which engineers had called unsafe. "
    "She said that it would be closed if the report confirmed the damage. "
)
KINDS: Mapping[str, tuple[str, str]] = {
    "prose": (_PROSE, ".txt"),
    "dots": (".", ".txt"),
    "one-letter lines": ("a\n", ".txt"),
    "“Go. ”": ("Go. ", ".txt"),
    "digits": ("1234567890", ".txt"),
    "brackets": ("(", ".txt"),
    "`&lt;` as text": ("&lt;", ".txt"),
    "`&lt;` as HTML": ("&lt;", ".html"),
}
"""What is repeated, and the suffix that tells how to read it."""
_HTML = ("<html><body><article><p>", "</p></article></body></html>")
_LONGEST_ERROR = 90


@dataclass(frozen=True, slots=True)
class Bounds:
    """What a process may use."""

    seconds: int
    """CPU seconds."""
    gigabytes: float
    """Address space."""


@dataclass(frozen=True, slots=True)
class Cost:
    """What a process has used, and how it ended."""

    seconds: float
    megabytes: float
    end: str
    """Empty if all went well."""

    def __str__(self) -> str:
        shown = f"{self.seconds:.1f} s, {self.megabytes:,.0f} MB"
        return f"{shown}: {self.end}" if self.end else shown


def odd_text(kind: str, size: int) -> str:
    """Return a text of a kind, so many characters after a word: without letters it is refused."""
    part, suffix = KINDS[kind]
    text = (part * (size // len(part) + 1))[:size]
    return f"It {text}" if suffix == ".txt" else f"It {text}".join(_HTML)


def cost_of(command: Sequence[str], bounds: Bounds, *, folder: str) -> Cost:
    """Run a command in a folder within bounds and return what it has used."""

    def limit() -> None:
        size = int(bounds.gigabytes * (1 << 30))
        resource.setrlimit(resource.RLIMIT_AS, (size, size))
        resource.setrlimit(resource.RLIMIT_CPU, (bounds.seconds, bounds.seconds + 5))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    with tempfile.TemporaryFile() as errors:
        process = subprocess.Popen(  # noqa: S603 - what was named on the command line
            command, cwd=folder, stdout=subprocess.DEVNULL, stderr=errors, preexec_fn=limit
        )
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)  # it has been waited for
        errors.seek(0)
        said = errors.read().decode("utf-8", "replace")
    end = _end(process.returncode, said, bounds)
    return Cost(used.ru_utime + used.ru_stime, used.ru_maxrss / 1024, end)


def _end(code: int, said: str, bounds: Bounds) -> str:
    """Say how a process has ended."""
    if code == 0:
        return ""
    if -code in {signal.SIGXCPU, signal.SIGKILL}:
        return f"stopped at {bounds.seconds} s"
    if any(word in said.lower() for word in ("memoryerror", "bad_alloc", "not enough memory")):
        return f"stopped at {bounds.gigabytes:g} GB, exit code {code}"
    last = " ".join((said.strip().splitlines() or [""])[-1].split())
    return f"exit code {code}, “{last[:_LONGEST_ERROR]}”"


def rows(
    commands: Sequence[tuple[str, Bounds]], kinds: Sequence[str], size: int
) -> Iterator[list[str]]:
    """Yield a row for each kind of text: the kind, and the cost of each command."""
    with tempfile.TemporaryDirectory() as folder:
        for kind in kinds:
            file = Path(folder, f"text{KINDS[kind][1]}")
            file.write_text(odd_text(kind, size), encoding="utf-8")
            options = ["summarize", file.name, "--words", "60", "--threads", "1"]
            costs = [
                cost_of([*command.split(), *options], bounds, folder=folder)
                for command, bounds in commands
            ]
            yield [kind, *map(str, costs)]


def main() -> None:
    """Measure and print a table in Markdown, a row as soon as it is known."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("commands", nargs="+", metavar="NAME=COMMAND")
    parser.add_argument("--size", type=int, default=1_000_000, help="characters")
    seconds = "CPU time of each command, at most; the last figure holds for all that follow"
    parser.add_argument("--seconds", type=int, nargs="+", default=[120], help=seconds)
    parser.add_argument("--gigabytes", type=float, default=6.0, help="of memory, at most")
    parser.add_argument("--kinds", nargs="*", choices=KINDS, default=list(KINDS))
    given = parser.parse_args()
    names, commands = zip(*(command.split("=", 1) for command in given.commands), strict=True)
    limits = [*given.seconds, *[given.seconds[-1]] * len(commands)][: len(commands)]
    bounds = [Bounds(seconds, given.gigabytes) for seconds in limits]
    _show([f"{given.size:,} characters", *names])
    _show(["---"] * (1 + len(commands)))
    for row in rows(tuple(zip(commands, bounds, strict=True)), given.kinds, given.size):
        _show(row)


def _show(cells: Sequence[str]) -> None:
    print(f"| {' | '.join(cells)} |", flush=True)  # noqa: T201


if __name__ == "__main__":
    main()
