"""A real service in a process of its own, and what tests ask of it."""

import json
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

LONG = 120.0
"""Seconds after which a test gives up, on any machine."""
TEXT = (
    "The river rose after days of rain. It flooded the old mill and cut the road to the harbour. "
    "Nobody was hurt, the mayor said, because the school had been closed. The mill had closed in "
    "May. Its owner wants to sell it to the town, which has no money for it."
)


@dataclass
class Answer:
    """A status, headers in lower case, and a body."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def json(self) -> Any:  # noqa: ANN401 - JSON
        return json.loads(self.body)


@dataclass
class Running:
    """A service that runs; its log is read as it comes."""

    process: subprocess.Popen[str]
    log: list[dict[str, Any]] = field(default_factory=list)
    _grown: threading.Condition = field(default_factory=threading.Condition)

    def read_log(self) -> None:
        """Collect the log until the service ends."""
        assert self.process.stderr is not None
        for line in self.process.stderr:
            with self._grown:
                self.log.append(json.loads(line) if line.startswith("{") else {"message": line})
                self._grown.notify_all()
        with self._grown:
            self.log.append({"message": "end of log"})
            self._grown.notify_all()

    def event(self, message: str, *, after: int = 0, **fields: object) -> dict[str, Any]:
        """Wait for a line of the log, and return it."""

        def found() -> dict[str, Any] | None:
            wanted = {"message": message, **fields}
            lines = (line for line in self.log[after:] if wanted.items() <= line.items())
            return next(lines, None)

        with self._grown:
            self._grown.wait_for(lambda: found() or self.has_ended, LONG)
            line = found()
        assert line is not None, self.log
        return line

    @property
    def has_ended(self) -> bool:
        return bool(self.log) and self.log[-1]["message"] == "end of log"

    @property
    def port(self) -> int:
        return int(self.event("listening")["port"])

    def workers(self, pool: str = "texts") -> list[int]:
        """Return the processes of workers that were started, oldest first."""
        lines = [line for line in self.log if line["message"] == "worker ready"]
        return [line["pid"] for line in lines if line["pool"] == pool]

    def request(
        self,
        method: str,
        path: str,
        body: bytes | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Answer:
        """Send a request and return the answer."""
        connection = HTTPConnection("127.0.0.1", self.port, timeout=LONG)
        try:
            connection.request(method, path, body, dict(headers or {}))
            response = connection.getresponse()
            content = response.read()
            return Answer(
                response.status,
                {name.lower(): value for name, value in response.getheaders()},
                content,
            )
        finally:
            connection.close()

    def get(self, path: str, **headers: str) -> Answer:
        return self.request("GET", path, headers=headers)

    def post(self, path: str, value: object, **headers: str) -> Answer:
        return self.request(
            "POST", path, json.dumps(value).encode(), {"Content-Type": "application/json"} | headers
        )

    def summarize(self, text: str = TEXT, **options: object) -> Answer:
        return self.post("/v1/summarize", {"text": text, **options})

    def socket(self) -> socket.socket:
        """Open a connection for bytes of one's own."""
        return socket.create_connection(("127.0.0.1", self.port), timeout=LONG)

    def signal(self, number: signal.Signals) -> None:
        self.process.send_signal(number)

    def wait(self) -> int:
        """Wait for the end and return the exit code."""
        return self.process.wait(LONG)

    def metric(self, name: str) -> float:
        """Return a value by its name with labels, zero if it was never counted."""
        lines = self.get("/metrics").body.decode().splitlines()
        return next((float(line.split()[-1]) for line in lines if line.startswith(name)), 0.0)


@contextmanager
def running(*options: str, env: Mapping[str, str] | None = None) -> Iterator[Running]:
    """Start a service on a free port and end it; options are those of the command."""
    command = [sys.executable, "-m", "discobert", "serve", "--port", "0", *options]
    process = subprocess.Popen(
        command, stderr=subprocess.PIPE, text=True, env={**os.environ, **(env or {})}
    )
    service = Running(process)
    reader = threading.Thread(target=service.read_log, daemon=True)
    reader.start()
    try:
        yield service
    finally:
        for pid in service.workers():
            _continue(pid)
        process.terminate()
        try:
            process.wait(LONG)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        reader.join(LONG)
        assert process.stderr is not None
        process.stderr.close()


@contextmanager
def ready(*options: str, env: Mapping[str, str] | None = None) -> Iterator[Running]:
    """Start one and wait until all workers are ready."""
    with running(*options, env=env) as service:
        service.event("ready")
        yield service


@contextmanager
def stopped(pids: Sequence[int]) -> Iterator[None]:
    """Stop worker processes for a while: requests pile up, whatever the speed of the machine."""
    for pid in pids:
        os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        for pid in pids:
            _continue(pid)


def _continue(pid: int) -> None:
    with suppress(ProcessLookupError):
        os.kill(pid, signal.SIGCONT)


def in_threads(number: int, function: Any, *args: object) -> list["Result"]:  # noqa: ANN401
    """Call a function in so many threads at once; its results are waited for later."""
    results = [Result() for _ in range(number)]
    for result in results:
        threading.Thread(target=result.compute, args=(function, *args), daemon=True).start()
    return results


class Result:
    """What a thread returns or raises."""

    def __init__(self) -> None:
        self._done = threading.Event()
        self._value: Any = None
        self._error: BaseException | None = None

    def compute(self, function: Any, *args: object) -> None:  # noqa: ANN401
        try:
            self._value = function(*args)
        except BaseException as error:  # told to the test
            self._error = error
        self._done.set()

    def get(self) -> Any:  # noqa: ANN401
        assert self._done.wait(LONG), "no answer"
        if self._error is not None:
            raise self._error
        return self._value


def memory(pid: int) -> int:
    """Return the resident bytes of a process."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return 1024 * int(line.split()[1])
    raise ValueError(pid)
