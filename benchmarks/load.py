"""Load on a running service: latencies and statuses of many clients at once.

    discobert serve &
    python -m benchmarks.load --clients 50 --seconds 60

Each client sends a request when it has the answer to the last one; with --per-second, requests come
at that rate whether or not earlier ones were answered. All texts differ, so that none is in the
service's cache. It talks to this machine only; ``benchmarks.service`` starts the service, too.
"""

import argparse
import asyncio
import json
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from discobert.benchmark.texts import generated
from discobert.data.codecs.json_text import Json, JsonObject

HOST = "127.0.0.1"
FAILED = 0
"""Stands for the status of a request without an answer."""
SUMMARY_WORDS = 60
_OK = 200
_ALL = 100
_PERCENTILES = (50, 95, 99, _ALL)


@dataclass(slots=True)
class Outcome:
    """Statuses and seconds of requests."""

    answers: list[tuple[int, float]] = field(default_factory=list)
    seconds: float = 0.0
    failures: Counter[str] = field(default_factory=Counter)
    """Why requests had no answer."""

    @property
    def statuses(self) -> dict[int, int]:
        """How many requests had each status."""
        return dict(sorted(Counter(status for status, _ in self.answers).items()))

    def percentile(self, status: int, share: float) -> float | None:
        """Return the seconds within which a share of the answers with a status came."""
        times = sorted(seconds for each, seconds in self.answers if each == status)
        return times[min(len(times) - 1, int(share / 100 * len(times)))] if times else None

    def describe(self) -> JsonObject:
        """Return the figures for JSON."""
        latencies: JsonObject = {}
        for status in self.statuses:
            values: JsonObject = {}
            for share in _PERCENTILES:
                found = self.percentile(status, share)
                values["max_ms" if share == _ALL else f"p{share}_ms"] = (
                    None if found is None else round(1000 * found, 1)
                )
            latencies[str(status)] = values
        done = self.statuses.get(_OK, 0)
        shown: Json = {str(status): count for status, count in self.statuses.items()}
        return {
            "requests": len(self.answers),
            "seconds": round(self.seconds, 1),
            "statuses": shown,
            "per_second": round(done / self.seconds, 2) if self.seconds else None,
            "latency": latencies,
            "failures": dict(self.failures),
        }


@dataclass(frozen=True, slots=True)
class Call:
    """What one request sends."""

    body: bytes
    path: str = "/v1/summarize"


@dataclass(frozen=True, slots=True, kw_only=True)
class Load:
    """What is sent to a service, and how long."""

    port: int
    calls: Sequence[Call]
    """Sent in turn, and again from the first."""
    clients: int = 1
    per_second: float | None = None
    """Requests that come in whatever happens to earlier ones; the number of clients is not used."""
    seconds: float = float("inf")
    requests: int = sys.maxsize
    """Of all clients together."""
    timeout: float = 300.0


async def run_load(load: Load) -> Outcome:
    """Let all clients send until the time or the number is reached."""
    outcome = Outcome()
    start = time.perf_counter()
    numbers = iter(range(load.requests))

    def go_on() -> Iterator[Call]:
        while time.perf_counter() - start < load.seconds:
            number = next(numbers, None)
            if number is None:
                return
            yield load.calls[number % len(load.calls)]

    async def client() -> None:
        connection = Connection(load.port)
        for call in go_on():
            await _send(connection, call, load.timeout, outcome)
        connection.close()

    if load.per_second is None:
        await asyncio.gather(*(client() for _ in range(load.clients)))
    else:
        await _arrive(load, go_on(), outcome, 1 / load.per_second)
    outcome.seconds = time.perf_counter() - start
    return outcome


async def _arrive(load: Load, calls: Iterator[Call], outcome: Outcome, gap: float) -> None:
    """Send at a rate, each request over a connection that is free at that moment."""
    free: list[Connection] = []

    async def arrive(call: Call) -> None:
        connection = free.pop() if free else Connection(load.port)
        await _send(connection, call, load.timeout, outcome)
        free.append(connection)

    start = time.perf_counter()
    sent: list[asyncio.Task[None]] = []
    for number, call in enumerate(calls):
        await asyncio.sleep(start + number * gap - time.perf_counter())
        sent.append(asyncio.create_task(arrive(call)))
    await asyncio.gather(*sent)
    for connection in free:
        connection.close()


async def _send(connection: "Connection", call: Call, timeout: float, outcome: Outcome) -> None:
    begun = time.perf_counter()
    try:
        status = await asyncio.wait_for(connection.post(call), timeout)
    except (OSError, EOFError, TimeoutError, ValueError) as error:
        status = FAILED
        outcome.failures[type(error).__name__] += 1
        connection.close()
    outcome.answers.append((status, time.perf_counter() - begun))


class Connection:
    """One connection that is kept open, as clients of services do."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def post(self, call: Call) -> int:
        """Send a request and return the status of its answer, which is read to the end."""
        if self._streams is not None and self._streams[0].at_eof():
            self.close()  # the service has closed it meanwhile
        if self._streams is None:
            self._streams = await asyncio.open_connection(HOST, self._port, limit=1 << 20)
        reader, writer = self._streams
        head = (
            f"POST {call.path} HTTP/1.1\r\nHost: 127.0.0.1\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(call.body)}\r\n\r\n"
        )
        writer.write(head.encode() + call.body)
        await writer.drain()
        start, *lines = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        headers = {
            name.strip().lower(): value.strip()
            for name, _, value in (line.partition(":") for line in lines if line)
        }
        await reader.readexactly(int(headers["content-length"]))
        if headers.get("connection") == "close":
            self.close()
        return int(start.split()[1])

    def close(self) -> None:
        """Close the connection; the next request opens another."""
        if self._streams is not None:
            self._streams[1].close()
            self._streams = None


def make_texts(number: int, words: int, *, prefix: str = "") -> list[str]:
    """Return texts of about so many words, all different."""
    bases = [generated(words, seed=seed).text for seed in range(min(number, 20))]
    return [f"Report {prefix}{place}. {bases[place % len(bases)]}" for place in range(number)]


def make_calls(number: int, words: int, *, prefix: str = "") -> list[Call]:
    """Return requests for summaries of texts of about so many words, all different."""
    return [
        Call(json.dumps({"text": text, "words": SUMMARY_WORDS}).encode())
        for text in make_texts(number, words, prefix=prefix)
    ]


def memory_of(pid: int, kind: str = "Pss") -> int:
    """Return the resident bytes of a process and of all that it has started.

    ``Pss`` shares out the pages that processes have in common, ``Rss`` counts them for each.
    """
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    own = next(int(line.split()[1]) for line in lines if line.startswith(f"{kind}:"))
    return 1024 * own + sum(memory_of(child, kind) for child in children_of(pid))


def children_of(pid: int) -> list[int]:
    """Return the processes that a process has started and that still run."""
    files = Path(f"/proc/{pid}/task").glob("*/children")
    return [int(child) for file in files for child in file.read_text().split()]


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the figures of one run as JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, default=8000)
    parser.add_argument("--clients", type=int, default=50)
    parser.add_argument("--per-second", type=float)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--requests", type=int, default=sys.maxsize)
    parser.add_argument("--words", type=int, default=400)
    parser.add_argument("--texts", type=int, default=5000, help="different texts to send")
    parser.add_argument("--pid", type=int, help="process whose memory is measured as well")
    given = parser.parse_args(arguments)
    load = Load(
        port=given.port,
        calls=make_calls(given.texts, given.words),
        clients=given.clients,
        per_second=given.per_second,
        seconds=given.seconds,
        requests=given.requests,
    )
    before = None if given.pid is None else memory_of(given.pid)
    figures = asyncio.run(run_load(load)).describe()
    if given.pid is not None:
        figures["memory_mb"] = [before and before // 10**6, memory_of(given.pid) // 10**6]
    sys.stdout.write(json.dumps(figures, indent=2) + "\n")


if __name__ == "__main__":
    main()
