"""What docs/serving.md says about load, throughput, memory and SIGTERM, on a service of its own.

    python -m benchmarks.service below|above|throughput|memory|sigterm [--seconds N] [--words N]

below       50 clients; the default queue has room for all of them
above       requests at four times the rate that the service manages, then four times as many
            clients as it has places, none of which ever pauses
throughput  the same documents through the service and through ``discobert batch``, in turns
memory      resident memory after 500 and after 5,000 requests of all kinds
sigterm     SIGTERM while 50 clients send, several times
"""

import argparse
import asyncio
import itertools
import json
import os
import random
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection
from pathlib import Path

from benchmarks.load import (
    HOST,
    SUMMARY_WORDS,
    Call,
    Connection,
    Load,
    Outcome,
    children_of,
    make_calls,
    make_texts,
    memory_of,
    run_load,
)

from discobert.benchmark.costs import Cost
from discobert.benchmark.texts import generated
from discobert.data.codecs.json_text import Json, JsonObject

_OK = 200
_PATIENCE = 120.0
_CLIENTS = 50
_TIMES = 4
_ENOUGH_CLIENTS = 8
_DOCUMENTS = 160
_ROUNDS = 3
_FIRST, _LAST = 500, 5000
_LENGTHS = (30, 60, 60, 120, 120, 200, 200, 400, 700)
_TERMINATIONS = 5


@dataclass(frozen=True, slots=True)
class Service:
    """A service that runs."""

    process: subprocess.Popen[bytes]
    port: int

    def get(self, path: str) -> tuple[int, bytes]:
        """Return status and body."""
        connection = HTTPConnection(HOST, self.port, timeout=_PATIENCE)
        try:
            connection.request("GET", path)
            response = connection.getresponse()
            return response.status, response.read()
        finally:
            connection.close()

    def places(self) -> int:
        """Return how many requests it takes at a time."""
        limits = json.loads(self.get("/info")[1])["limits"]
        return int(limits["queue"]) + int(limits["workers"])


@contextmanager
def running(*options: str) -> Iterator[Service]:
    """Start a service as a user would, wait until it is ready, and end it."""
    with socket.create_server((HOST, 0)) as listener:
        port = int(listener.getsockname()[1])
    with tempfile.TemporaryFile() as log:
        command = [sys.executable, "-m", "discobert", "serve", "--port", str(port), *options]
        process = subprocess.Popen(command, stderr=log)  # noqa: S603 - ours
        service = Service(process, port)
        try:
            _wait_ready(service)
            yield service
        finally:
            process.terminate()
            process.wait(_PATIENCE)


def _wait_ready(service: Service) -> None:
    end = time.monotonic() + _PATIENCE
    while time.monotonic() < end and service.process.poll() is None:
        try:
            if service.get("/health/ready")[0] == _OK:
                return
        except OSError:
            pass
        time.sleep(0.1)
    raise RuntimeError("the service did not start")


def below(seconds: float, words: int) -> JsonObject:
    """Let fewer clients than there are places ask without a pause."""
    with running() as service:
        calls = make_calls(int(40 * seconds), words)
        load = Load(port=service.port, calls=calls, clients=_CLIENTS, seconds=seconds)
        return {"clients": _CLIENTS, **_run(load)}


def above(seconds: float, words: int) -> JsonObject:
    """Ask for four times as much as the service can do, in both senses of the word."""
    with running() as service:
        places = service.places()
        load = Load(
            port=service.port,
            calls=make_calls(int(40 * seconds), words, prefix="a"),
            clients=_ENOUGH_CLIENTS,
            seconds=seconds / 2,
        )
        capacity = asyncio.run(run_load(load))
        rate = capacity.statuses.get(_OK, 0) / capacity.seconds
        arrivals = Load(
            port=service.port,
            calls=make_calls(int(_TIMES * rate * seconds) + 1, words, prefix="b"),
            per_second=_TIMES * rate,
            seconds=seconds,
        )
        flood = Load(
            port=service.port,
            calls=make_calls(5000, words, prefix="c"),
            clients=_TIMES * places,
            seconds=seconds / 2,
        )
        return {
            "capacity_per_second": round(rate, 2),
            "places": places,
            "longest_wait_by_queue_s": round(places / rate, 1),
            f"{_TIMES} times the rate": _run(arrivals),
            f"{_TIMES} times the places, no pauses": _run(flood),
        }


@dataclass(frozen=True, slots=True)
class Rate:
    """Documents a second, and what one costs all processes together; client not counted."""

    per_second: float
    cpu_ms: float

    def describe(self) -> JsonObject:
        """Return the figures for JSON."""
        return {"per_second": round(self.per_second, 2), "cpu_ms": round(self.cpu_ms, 1)}


def throughput(seconds: float, words: int) -> JsonObject:
    """Send the same documents through the service and through ``batch``, in turns.

    On a machine with other work, CPU times say more than the clock.
    """
    del seconds  # the documents decide
    texts = make_texts(_DOCUMENTS, words)
    cores = len(os.sched_getaffinity(0))
    rounds = [
        (_batch_rate(texts, jobs=cores), _service_rate(texts, workers=cores))
        for _ in range(_ROUNDS)
    ]
    by_clock = [service.per_second / batch.per_second for batch, service in rounds]
    by_cpu = [batch.cpu_ms / service.cpu_ms for batch, service in rounds]
    return {
        "documents": _DOCUMENTS,
        "cores": cores,
        "rounds": [
            {"batch": batch.describe(), "service": service.describe()} for batch, service in rounds
        ],
        "ratio_by_clock": round(sum(by_clock) / len(rounds), 3),
        "ratio_by_cpu": round(sum(by_cpu) / len(rounds), 3),
    }


def _batch_rate(texts: Sequence[str], *, jobs: int) -> Rate:
    """Measure without the start, which a run over few documents tells."""
    few = texts[:jobs]
    long, short = (_batch_cost(part, jobs=jobs) for part in (texts, few))
    more = len(texts) - len(few)
    return Rate(more / (long.wall - short.wall), 1000 * (long.cpu - short.cpu) / more)


def _batch_cost(texts: Sequence[str], *, jobs: int) -> Cost:
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder) / "in.jsonl", Path(folder) / "out.jsonl"
        rows = ({"id": str(number), "text": text} for number, text in enumerate(texts))
        source.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
        options = ["--words", str(SUMMARY_WORDS), "--jobs", str(jobs), "--quiet"]
        shards = ["--shard-size", str(max(1, min(10, len(texts) // jobs)))]
        command = [sys.executable, "-m", "discobert", "batch", str(source), str(target)]
        start, before = time.perf_counter(), os.times()
        subprocess.run([*command, *options, *shards], check=True)  # noqa: S603 - ours
        wall, after = time.perf_counter() - start, os.times()
        if len(target.read_text().splitlines()) != len(texts):
            raise RuntimeError("batch has not summarised all documents")
        used = after.children_user + after.children_system
        return Cost(used - before.children_user - before.children_system, wall)


def _service_rate(texts: Sequence[str], *, workers: int) -> Rate:
    calls = [Call(json.dumps({"text": text, "words": SUMMARY_WORDS}).encode()) for text in texts]
    with running("--workers", str(workers)) as service:
        warm = make_calls(2 * workers, 100, prefix="warm")
        asyncio.run(run_load(Load(port=service.port, calls=warm, requests=len(warm))))
        before = cpu_of(service.process.pid)
        load = Load(port=service.port, calls=calls, clients=_ENOUGH_CLIENTS, requests=len(calls))
        outcome = asyncio.run(run_load(load))
        used = cpu_of(service.process.pid) - before
    if outcome.statuses != {_OK: len(texts)}:
        raise RuntimeError(f"not all documents were summarised: {outcome.statuses}")
    return Rate(len(texts) / outcome.seconds, 1000 * used / len(texts))


def cpu_of(pid: int) -> float:
    """Return the CPU seconds of a process and of all that it has started and that still run."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    own = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return own + sum(map(cpu_of, children_of(pid)))


def memory(seconds: float, words: int) -> JsonObject:
    """Measure resident memory of the front and all workers, summed."""
    del seconds, words  # numbers of requests decide; texts have all lengths
    calls = list(itertools.islice(mixed_calls(random.Random(0)), _LAST))
    found: dict[int, dict[str, float]] = {}
    statuses: Counter[int] = Counter()
    with running() as service:
        done = 0
        for goal in (_FIRST, (_FIRST + _LAST) // 2, _LAST):
            part = calls[done:goal]
            load = Load(port=service.port, calls=part, clients=_ENOUGH_CLIENTS, requests=len(part))
            statuses.update(asyncio.run(run_load(load)).statuses)
            found[goal] = _memory_mb(service)
            done = goal
    growth = found[_LAST]["rss"] / found[_FIRST]["rss"] - 1
    shown: JsonObject = {str(goal): {**sizes} for goal, sizes in found.items()}
    return {
        "memory_mb_after": shown,
        "growth_percent": round(100 * growth, 1),
        "statuses": {str(status): count for status, count in sorted(statuses.items())},
    }


def _memory_mb(service: Service) -> dict[str, float]:
    """Return the memory of all processes, of the front alone, and what the cache holds."""
    front = service.process.pid
    every = memory_of(front, "Rss")
    below = sum(memory_of(child, "Rss") for child in children_of(front))
    metrics = service.get("/metrics")[1].decode().splitlines()
    cached = next(line.split()[1] for line in metrics if line.startswith("discobert_cache_bytes"))
    sizes = {
        "rss": every,
        "pss": memory_of(front),
        "front_rss": every - below,
        "cache": int(float(cached)),
    }
    return {name: round(size / 10**6, 1) for name, size in sizes.items()}


def mixed_calls(rng: random.Random) -> Iterator[Call]:
    """Yield requests of all kinds: new and known texts, analyses, pages, files, faulty ones."""
    recent: list[str] = ["The river rose after days of rain. It flooded the old mill."]
    for number in itertools.count():
        text = f"Report {number}. {generated(rng.choice(_LENGTHS), seed=number).text}"
        known = rng.choice(recent)
        recent = [*recent[-20:], text]
        options: dict[str, object] = {
            "words": rng.randint(10, 150),
            "style": rng.choice(("readable", "paper")),
        }
        kinds = [
            _call({"text": text, **options}),
            _call({"text": known, **options}),
            _call({"text": known, "include": ["html", "analysis"]}),
            _call({"text": text}, "/v1/analyze"),
            Call(f"# Notes\n\n{text}".encode(), "/v1/extract?name=notes.md"),
            _call({"text": " "}),
            _call({"text": "It rains.", "words": "many"}),
            Call(b"{"),
        ]
        yield rng.choices(kinds, weights=(40, 20, 8, 10, 10, 4, 4, 4))[0]


def _call(value: Mapping[str, object], path: str = "/v1/summarize") -> Call:
    return Call(json.dumps(value).encode(), path)


def sigterm(seconds: float, words: int) -> JsonObject:
    """End the service while clients send; each goes on until nobody listens any more."""
    runs: list[Json] = []
    for number in range(_TERMINATIONS):
        calls = itertools.cycle(make_calls(1000, words, prefix=f"{number}-"))
        with running() as service:
            wait = min(5.0, seconds) + number / _TERMINATIONS
            runs.append(asyncio.run(_terminate(service, calls, wait)))
    return {"clients": _CLIENTS, "runs": runs}


async def _terminate(service: Service, calls: Iterator[Call], seconds: float) -> JsonObject:
    """Return the answers to the requests that were under way at the signal, and to later ones."""
    signalled = False
    under_way: Counter[str] = Counter()
    later: Counter[str] = Counter()

    async def client() -> None:
        connection = Connection(service.port)
        while True:
            is_late = signalled
            try:
                answer = str(await connection.post(next(calls)))
            except ConnectionRefusedError:
                return
            except (OSError, EOFError) as error:
                answer = f"none ({type(error).__name__})"
                connection.close()
            if signalled:
                (later if is_late else under_way)[answer] += 1

    clients = [asyncio.create_task(client()) for _ in range(_CLIENTS)]
    await asyncio.sleep(seconds)
    signalled = True
    service.process.send_signal(signal.SIGTERM)
    start = time.perf_counter()
    await asyncio.gather(*clients)
    return {
        "under_way": {**under_way},
        "later": {**later},
        "seconds_to_end": round(time.perf_counter() - start, 1),
        "exit": service.process.wait(_PATIENCE),
    }


def _run(load: Load) -> JsonObject:
    outcome: Outcome = asyncio.run(run_load(load))
    return outcome.describe()


_FIGURES: Mapping[str, Callable[[float, int], JsonObject]] = {
    "below": below,
    "above": above,
    "throughput": throughput,
    "memory": memory,
    "sigterm": sigterm,
}


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the figures of one kind as JSON."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("figures", choices=tuple(_FIGURES))
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--words", type=int, default=400, help="of each text")
    given = parser.parse_args(arguments)
    found = _FIGURES[given.figures](given.seconds, given.words)
    sys.stdout.write(f"{json.dumps(found, indent=2)}\n")


if __name__ == "__main__":
    main()
