"""Measures what a document costs and writes the figures into docs/sizing.md.

    python scripts/sizing.py DATA.jsonl.xz --work DIR [--documents 10000] [--compare 1000]

Run it on a machine that does nothing else. ``--compare`` documents are prepared with one job and
with two, ``--documents`` with two while memory is watched; ``--compare`` documents are summarised.
Results go to docs/sizing.json, from which ``--render`` alone writes the page again.
"""

import argparse
import json
import os
import platform
import shutil
import subprocess
import sys
import time
from dataclasses import asdict, dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGE, RESULTS = ROOT / "docs" / "sizing.md", ROOT / "docs" / "sizing.json"
START, END = "<!-- figures: start -->", "<!-- figures: end -->"
_SECONDS_BETWEEN_LOOKS = 0.5
_MB = 1e6


@dataclass(frozen=True)
class Measured:
    """One run; memory in bytes, at its peak, of the parent and of the largest worker."""

    command: str
    jobs: int
    documents: int
    seconds: float
    start_up: float
    """Seconds until the first shard was begun: imports, one pass over the corpus, weights."""
    parent: int
    worker: int
    worker_private: int
    """What one more worker adds: pages that it shares with nobody while all are at work.

    The last one to leave would be charged with the libraries that all of them had shared.
    """
    worker_early: int
    """The largest worker in the second tenth of the run, to be compared with ``worker_late``."""
    worker_late: int
    output: int

    @property
    def core_seconds(self) -> float:
        """Core-seconds a document once the run is under way."""
        return self.jobs * (self.seconds - self.start_up) / self.documents


@dataclass(frozen=True)
class Look:
    """Memory at one moment."""

    at: float
    parent: int
    workers: tuple[int, ...]
    private: tuple[int, ...]


def measure(name: str, data: Path, work: Path, *, jobs: int, documents: int) -> Measured:
    """Run a command on some documents and watch it."""
    out = work / f"{name}-{jobs}-{documents}"
    _remove(out)
    options = ["--corpus", "cnndm-jsonl", "--limit", str(documents), "--jobs", str(jobs), "--quiet"]
    command = [sys.executable, "-m", "discobert", name, str(data), str(out), *options]
    begun = time.monotonic()
    process = subprocess.Popen(command)  # noqa: S603 - our own command
    looks: list[Look] = []
    start_up = 0.0
    while process.poll() is None:
        looks.append(_look(process.pid, time.monotonic() - begun))
        if not start_up and any((out.parent / f"{out.name}.parts" / "tmp").glob("*.tmp")):
            start_up = looks[-1].at
        time.sleep(_SECONDS_BETWEEN_LOOKS)
    seconds = time.monotonic() - begun
    if process.returncode:
        sys.exit(f"{name} failed with exit code {process.returncode}")
    tenth = (seconds - start_up) / 10
    return Measured(
        command=name,
        jobs=jobs,
        documents=documents,
        seconds=seconds,
        start_up=start_up,
        parent=max(look.parent for look in looks),
        worker=_largest(looks),
        worker_private=max(
            (max(look.private) for look in looks if len(look.private) == jobs), default=0
        ),
        worker_early=_largest([k for k in looks if tenth < k.at - start_up < 2 * tenth]),
        worker_late=_largest([k for k in looks if k.at - start_up > 9 * tenth]),
        output=sum(f.stat().st_size for f in (out.rglob("*") if out.is_dir() else [out])),
    )


def _largest(looks: list[Look]) -> int:
    return max((max(look.workers, default=0) for look in looks), default=0)


def _look(pid: int, at: float) -> Look:
    children = _children(pid)
    workers = [child for child in children if b"spawn_main" in _read(f"/proc/{child}/cmdline")]
    memory = [_memory(child) for child in workers]
    return Look(
        at,
        _memory(pid).get("Rss", 0),
        tuple(m.get("Rss", 0) for m in memory),
        tuple(m.get("Private_Clean", 0) + m.get("Private_Dirty", 0) for m in memory),
    )


def _children(pid: int) -> list[int]:
    return [int(child) for child in _read(f"/proc/{pid}/task/{pid}/children").split()]


def _memory(pid: int) -> dict[str, int]:
    lines = _read(f"/proc/{pid}/smaps_rollup").decode().splitlines()[1:]
    fields = (line.split() for line in lines)
    return {parts[0].rstrip(":"): 1024 * int(parts[1]) for parts in fields if len(parts) > 1}


def _read(path: str) -> bytes:
    try:
        return Path(path).read_bytes()
    except OSError:  # the process has ended
        return b""


def _remove(out: Path) -> None:
    for path in (out, out.with_name(f"{out.name}.parts")):
        if path.is_dir():
            shutil.rmtree(path)
    for path in (out, out.with_name(f"{out.name}.manifest.json")):
        path.unlink(missing_ok=True)


def render(results: dict[str, object]) -> str:
    """Write the figures as Markdown."""
    runs = [Measured(**run) for run in results["runs"]]  # type: ignore[attr-defined]
    lines = [
        f"Measured on {results['machine']}, discobert {results['version']}, "
        f"model {results['model']}, `{results['data']}`:",
        "",
        "| command | jobs | documents | documents a second | core-seconds a document | "
        "worker, private MB | worker, peak MB | parent, peak MB | KB out a document |",
        "|" + " --- |" * 9,
    ]
    lines += [
        f"| `{run.command}` | {run.jobs} | {run.documents:,} | "
        f"{run.documents / (run.seconds - run.start_up):.2f} | {run.core_seconds:.3f} | "
        f"{run.worker_private / _MB:.0f} | {run.worker / _MB:.0f} | {run.parent / _MB:.0f} | "
        f"{run.output / run.documents / 1e3:.1f} |"
        for run in runs
    ]
    one, two, long = (run for run in runs if run.command == "prepare")
    speed_up = (one.seconds - one.start_up) / (two.seconds - two.start_up)
    lines += [
        "",
        f"Two jobs are {speed_up:.2f} times as fast as one. Over {long.documents:,} documents the "
        f"largest worker had {long.worker_early / _MB:.0f} MB in the second tenth of the run and "
        f"{long.worker_late / _MB:.0f} MB in the last.",
        "",
        "| | 1 M documents | 100 M documents |",
        "| --- | --- | --- |",
        *_extrapolated(long, next(run for run in runs if run.command == "batch")),
    ]
    return "\n".join(lines)


def _extrapolated(prepare: Measured, batch: Measured) -> list[str]:
    rows = []
    for run in (prepare, batch):
        hours = [run.core_seconds * n / 3600 for n in (1e6, 1e8)]
        size = [run.output / run.documents * n / 1e9 for n in (1e6, 1e8)]
        rows += [
            f"| `{run.command}`, core-hours | {hours[0]:,.0f} | {hours[1]:,.0f} |",
            f"| `{run.command}`, days on 64 cores | {hours[0] / 64 / 24:,.1f} | "
            f"{hours[1] / 64 / 24:,.1f} |",
            f"| `{run.command}`, GB written | {size[0]:,.0f} | {size[1]:,.0f} |",
        ]
    memory = 64 * max(prepare.worker_private, batch.worker_private) / 1e9
    rows.append(f"| memory of 64 workers, GB | {memory:.1f} | {memory:.1f} |")
    plan = [(prepare.parent + 40 * n) / 1e9 for n in (1e6, 1e8)]
    rows.append(
        f"| memory of the parent, GB (40 bytes a document) | {plan[0]:.1f} | {plan[1]:.1f} |"
    )
    return rows


def write_page(results: dict[str, object]) -> None:
    """Replace the figures of the page."""
    page = PAGE.read_text(encoding="utf-8")
    before, rest = page.split(START)
    after = rest.split(END)[1]
    PAGE.write_text(f"{before}{START}\n{render(results)}\n{END}{after}", encoding="utf-8")


def main() -> None:
    """Measure, or only write the page again."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", type=Path, nargs="?")
    parser.add_argument("--work", type=Path)
    parser.add_argument("--documents", type=int, default=10_000)
    parser.add_argument("--compare", type=int, default=1_000)
    parser.add_argument("--render", action="store_true")
    given = parser.parse_args()
    if not given.render:
        if given.data is None or given.work is None:
            parser.error("name the data and a folder to work in (--work), or --render")
        given.work.mkdir(parents=True, exist_ok=True)
        RESULTS.write_text(json.dumps(_measure_all(given), indent=2) + "\n", encoding="utf-8")
    write_page(json.loads(RESULTS.read_text(encoding="utf-8")))


def _measure_all(given: argparse.Namespace) -> dict[str, object]:
    from discobert import __version__
    from discobert.batch.tasks.models import model_identity

    plan = [
        ("prepare", 1, given.compare),
        ("prepare", 2, given.compare),
        ("prepare", 2, given.documents),
        ("batch", 2, given.compare),
    ]
    runs = [
        measure(name, given.data, given.work, jobs=jobs, documents=documents)
        for name, jobs, documents in plan
    ]
    model = model_identity(None)
    return {
        "machine": f"{os.cpu_count()} cores, {platform.machine()}, "
        f"Python {platform.python_version()}",
        "version": __version__,
        "model": f"{model['name']} {model['version']}",
        "data": given.data.name,
        "runs": [asdict(run) for run in runs],
    }


if __name__ == "__main__":
    main()
