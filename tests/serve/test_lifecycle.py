"""Start, end, load beyond the queue, and the loss of workers, of a real service."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.serve.running import LONG, Running, in_threads, ready, stopped

pytest.importorskip("fastapi")

from discobert.serve.http.server import listening
from discobert.serve.settings import ServiceSettings

RULES = ("--workers", "1", "--model", "rules")
BUSY = 'discobert_workers_busy{pool="texts"}'
WAITING = 'discobert_queue_waiting{pool="texts"}'


@pytest.fixture(scope="module")
def service() -> Iterator[Running]:
    with ready(*RULES, "--queue", "2") as service:
        yield service


def wait_for(service: Running, metric: str, value: float) -> None:
    """Wait until a metric has a value; the test's own time limit ends a wait in vain."""
    while service.metric(metric) != value:
        time.sleep(0.01)


def sent(service: Running) -> socket.socket:
    """Send a request whose answer is not waited for."""
    body = b'{"text": "It rains."}'
    head = f"POST /v1/summarize HTTP/1.1\r\nHost: localhost\r\nContent-Length: {len(body)}\r\n"
    client = service.socket()
    client.sendall(head.encode() + b"Content-Type: application/json\r\n\r\n" + body)
    return client


def test_full_queue_refuses_and_the_rest_is_answered(service: Running) -> None:
    with stopped(service.workers()[-1:]):
        accepted = in_threads(3, service.summarize)  # one at work, two in the queue
        wait_for(service, WAITING, 2)
        refused = [service.summarize() for _ in range(5)]
        assert service.get("/health/live").status == 200
    assert [result.get().status for result in accepted] == [200] * 3
    assert {answer.status for answer in refused} == {429}
    assert all(int(answer.headers["retry-after"]) >= 1 for answer in refused)
    assert refused[0].json["error"]["code"] == "busy"


def test_client_that_leaves_takes_its_work_along(service: Running) -> None:
    *_, worker = service.workers()
    n_lines = len(service.log)
    with stopped([worker]):
        with sent(service):
            wait_for(service, BUSY, 1)
            with sent(service):
                wait_for(service, WAITING, 1)
            wait_for(service, WAITING, 0)
        service.event("worker ended", after=n_lines, pool="texts")
    assert service.summarize().status == 200
    assert service.event("worker ready", after=n_lines, pool="texts")["pid"] != worker


def test_killed_worker_is_replaced_and_its_request_answered(service: Running) -> None:
    *_, worker = service.workers()
    n_lines = len(service.log)
    with stopped([worker]):
        (waiting,) = in_threads(1, service.summarize)
        wait_for(service, BUSY, 1)
        os.kill(worker, signal.SIGKILL)
        assert waiting.get().status == 200
    assert service.event("worker ready", after=n_lines, pool="texts")["pid"] != worker
    assert service.get("/health/ready").status == 200


def test_deadline_ends_a_request() -> None:
    with ready(*RULES, "--deadline", "0.2") as service:
        with stopped(service.workers()):
            answer = service.summarize()
        assert (answer.status, answer.json["error"]["code"]) == (504, "deadline")
        service.event("worker ended", pool="texts")


def test_accepted_requests_are_finished_after_sigterm() -> None:
    with ready(*RULES) as service:
        with stopped(service.workers()):
            accepted = in_threads(8, service.summarize)
            wait_for(service, WAITING, 7)
            service.signal(signal.SIGTERM)
            service.event("draining")
            late = service.summarize()
            not_ready = service.get("/health/ready")
            assert service.get("/health/live").status == 200
        assert [result.get().status for result in accepted] == [200] * 8
        assert (late.status, late.json["error"]["code"]) == (503, "draining")
        assert late.headers["connection"] == "close"
        assert (not_ready.status, not_ready.json["draining"]) == (503, True)
        assert service.wait() == 0
        assert service.event("drained")["left"] == 0


def test_drain_has_an_end() -> None:
    with ready(*RULES, "--drain-seconds", "0.1") as service:
        with stopped(service.workers()):
            (waiting,) = in_threads(1, service.summarize)
            wait_for(service, BUSY, 1)
            service.signal(signal.SIGTERM)
            assert service.wait() == 0
        assert service.event("drained")["left"] == 1
        with pytest.raises((AssertionError, ConnectionError, OSError)):
            assert waiting.get().status == 200


def test_second_signal_ends_at_once() -> None:
    with ready(*RULES) as service:
        with stopped(service.workers()):
            in_threads(1, service.summarize)
            wait_for(service, BUSY, 1)
            service.signal(signal.SIGINT)
            service.event("draining")
            service.signal(signal.SIGINT)
            service.wait()
        assert not [line for line in service.log if line["message"] == "drained"]


def test_workers_end_with_a_front_that_is_killed() -> None:
    with ready(*RULES) as service:
        workers = service.workers() + service.workers("files")
        service.process.kill()
        service.wait()
        for worker in workers:
            while Path(f"/proc/{worker}/status").exists() and not _is_zombie(worker):
                time.sleep(0.01)


def _is_zombie(pid: int) -> bool:
    try:
        return "State:\tZ" in Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return True


def run_serve(*options: str) -> tuple[int, str]:
    command = [sys.executable, "-m", "discobert", "serve", *options]
    done = subprocess.run(command, capture_output=True, text=True, timeout=LONG, check=False)
    return done.returncode, done.stderr.splitlines()[-1]


def test_missing_model_is_told_before_anything_starts(tmp_path: Path) -> None:
    code, line = run_serve("--port", "0", "--model", str(tmp_path / "none"))
    assert code == 4
    assert line.startswith("error: ")
    assert "no such model" in line


def test_port_in_use_is_told(service: Running) -> None:
    code, line = run_serve("--port", str(service.port), *RULES)
    assert code == 2
    assert f"cannot listen to 127.0.0.1 port {service.port}: " in line


def test_connections_send_at_once() -> None:
    with (
        listening(ServiceSettings(port=0)) as listener,
        socket.create_connection(listener.getsockname()),
        listener.accept()[0] as accepted,
    ):
        assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


def test_request_after_the_death_of_an_idle_worker_is_answered(service: Running) -> None:
    n_lines = len(service.log)
    os.kill(service.workers()[-1], signal.SIGKILL)
    answers = [result.get() for result in in_threads(2, service.summarize)]
    assert [answer.json["id"] for answer in answers] == ["text"] * 2
    service.event("worker ended", after=n_lines, pool="texts")
    service.event("worker ready", after=n_lines, pool="texts")
