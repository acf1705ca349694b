"""Clients that send too much, too slowly, nothing at all, or nonsense; a real service.

Everything goes to this machine, with bounds on count and time. The short form has few connections;
the long one (slow) has thousands.
"""

import json
import socket
import time
from collections.abc import Iterator

import pytest
from tests.serve.running import Running, memory, ready

pytest.importorskip("fastapi")

MAX_BODY = 20_000


@pytest.fixture(scope="module")
def service() -> Iterator[Running]:
    with ready(
        *("--workers", "1", "--model", "rules", "--max-body", str(MAX_BODY)),
        *("--max-upload", "30000", "--max-connections", "40", "--receive-seconds", "1"),
    ) as service:
        yield service


@pytest.fixture(autouse=True)
def still_works(service: Running) -> Iterator[None]:
    """Ask for a summary after each attack."""
    yield
    answer = service.summarize()
    assert answer.status == 200
    assert answer.json["text"]


def head(*lines: str, path: str = "/v1/summarize") -> bytes:
    usual = (f"POST {path} HTTP/1.1", "Host: localhost", "Content-Type: application/json")
    return "\r\n".join((*usual, *lines, "", "")).encode()


def answer_to(client: socket.socket) -> tuple[int, bytes]:
    """Read until the service closes the connection; 0 if it does so without an answer."""
    received = b""
    try:
        while part := client.recv(65536):
            received += part
    except ConnectionResetError:
        pass
    if not received:
        return 0, b""
    start, _, body = received.partition(b"\r\n\r\n")
    return int(start.split()[1]), body


def test_endless_chunked_body_is_cut_off_at_the_limit(service: Running) -> None:
    chunk = b"1000\r\n" + b"a" * 0x1000 + b"\r\n"
    before = memory(service.process.pid)
    with service.socket() as client:
        client.sendall(head("Transfer-Encoding: chunked"))
        sent = 0
        try:
            while sent < 200_000_000:
                client.sendall(chunk)
                sent += len(chunk)
        except OSError:  # closed by the service
            pass
        status, body = answer_to(client)
    assert sent < 200_000_000
    assert status in {413, 0}  # 0 if the reset overtook the answer
    if status:
        assert json.loads(body)["error"]["message"] == (
            "the body has more than 20,000 bytes; at most 20,000 are taken"
        )
    assert memory(service.process.pid) - before < 30_000_000


def test_chunked_body_over_the_limit_gets_the_reason(service: Running) -> None:
    with service.socket() as client:
        client.sendall(head("Transfer-Encoding: chunked", "Connection: close"))
        for _ in range(6):
            client.sendall(b"1000\r\n" + b"a" * 0x1000 + b"\r\n")
        client.sendall(b"0\r\n\r\n")
        status, body = answer_to(client)
    assert status == 413
    assert b"at most 20,000 are taken" in body


def test_declared_length_over_the_limit_is_refused_with_its_size(service: Running) -> None:
    with service.socket() as client:
        client.sendall(head(f"Content-Length: {MAX_BODY + 1}", "Connection: close"))
        client.sendall(b"a" * (MAX_BODY + 1))
        status, body = answer_to(client)
    assert status == 413
    assert json.loads(body)["error"]["message"] == (
        "the body has 20,001 bytes; at most 20,000 are taken"
    )


def test_uploads_have_a_limit_of_their_own(service: Running) -> None:
    assert service.request("POST", "/v1/extract?name=a.txt", b"a" * 30_000).status == 200
    answer = service.request("POST", "/v1/extract?name=a.txt", b"a" * 30_001)
    assert answer.status == 413
    assert answer.json["error"]["message"] == "the body has 30,001 bytes; at most 30,000 are taken"


@pytest.mark.parametrize(
    "lines",
    [
        ("Content-Length: 99999999999999999999999999",),
        ("Content-Length: -1",),
        ("Content-Length: many",),
        ("Content-Length: 5", "Content-Length: 6"),
        ("Content-Length: 5", "Transfer-Encoding: chunked"),
        ("Transfer-Encoding: gzip",),
    ],
)
def test_lengths_that_make_no_sense_are_refused(service: Running, lines: tuple[str, ...]) -> None:
    with service.socket() as client:
        client.sendall(head(*lines, "Connection: close") + b"{}")
        status, _ = answer_to(client)
    assert status in {0, 400, 408, 413, 422, 501}


def test_body_shorter_than_declared_is_given_up(service: Running) -> None:
    with service.socket() as client:
        client.sendall(head("Content-Length: 1000") + b'{"text": "It rai')
        status, body = answer_to(client)
    assert status == 408
    assert json.loads(body)["error"]["code"] == "slow"


def test_body_longer_than_declared_is_another_request(service: Running) -> None:
    body = b'{"text": "It rains."}'
    with service.socket() as client:
        client.sendall(head(f"Content-Length: {len(body)}") + body + b"surplus\r\n\r\n")
        status, rest = answer_to(client)
    assert status == 200
    assert b"HTTP/1.1 400" in rest


def test_slow_headers_are_given_up(service: Running) -> None:
    with service.socket() as client:
        client.sendall(b"POST /v1/summarize HTTP/1.1\r\nHost: loc")
        assert answer_to(client) == (0, b"")


def test_drops_of_a_header_do_not_keep_a_connection(service: Running) -> None:
    """Each byte comes in time, all of them together do not."""
    with service.socket() as client:
        client.sendall(b"GET /info HTTP/1.1\r\n")
        try:
            for _ in range(500):
                client.sendall(b"X")
                time.sleep(0.02)
        except OSError:
            return
        assert answer_to(client) == (0, b"")


def hold_idle(service: Running, number: int) -> list[socket.socket]:
    return [service.socket() for _ in range(number)]


def test_idle_connections_make_room_for_others(service: Running) -> None:
    clients = hold_idle(service, 60)  # 40 are allowed
    try:
        assert service.get("/health/live").status == 200
        assert service.summarize().status == 200
    finally:
        for client in clients:
            client.close()


@pytest.mark.slow
def test_thousands_of_idle_connections() -> None:
    with ready("--workers", "1", "--model", "rules", "--receive-seconds", "20") as service:
        clients = []
        try:
            for _ in range(3000):
                clients.append(service.socket())
                if len(clients) % 500 == 0:
                    assert service.summarize().status == 200
                if len(clients) > 800:
                    clients.pop(0).close()
        finally:
            for client in clients:
                client.close()
        assert service.summarize().status == 200


@pytest.mark.parametrize(
    ("body", "part"),
    [
        (b"[" * 9000 + b"]" * 9000, ""),
        (b'{"text": ' + b"[" * 9000 + b"]" * 9000 + b"}", ""),
        (b'{"a":' * 3000 + b"1" + b"}" * 3000, ""),
        (b'{"text": "\xff\xfe rain"}', ""),
        (b'{"text": "It rains.", "words": 1e400}', ""),
        (b'{"text": "It rains.", "words": NaN}', ""),
        (b'{"text": "It rains.", "ratio": Infinity}', ""),
        (b'{"text": "It rains.", "words": ' + b"9" * 5000 + b"}", ""),
        (b"", "Field required"),
        (b"null", ""),
        (b"\x00" * 100, ""),
        (b'{"text": "It rains."', ""),
    ],
)
def test_nonsense_is_invalid(service: Running, body: bytes, part: str) -> None:
    answer = service.request("POST", "/v1/summarize", body, {"Content-Type": "application/json"})
    assert answer.status in {400, 422}
    assert part in answer.json["error"]["message"]


def test_half_a_surrogate_pair_stays_one(service: Running) -> None:
    body = b'{"text": "It rains. The river \\ud800 rose."}'
    answer = service.request("POST", "/v1/summarize", body, {"Content-Type": "application/json"})
    assert "\ud800" in "".join(unit["text"] for unit in answer.json["units"])


def test_null_bytes_in_a_text_are_text(service: Running) -> None:
    answer = service.summarize("It rains.\0 The river\0 rose.")
    assert answer.status == 200
    assert "".join(unit["text"] for unit in answer.json["units"]).count("\0") == 2


def test_other_content_types_are_refused(service: Running) -> None:
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data"):
        answer = service.request(
            "POST", "/v1/summarize", b'{"text": "It rains."}', {"Content-Type": kind}
        )
        assert answer.status == 422


def test_header_flood_is_refused(service: Running) -> None:
    with service.socket() as client:
        try:
            client.sendall(b"GET / HTTP/1.1\r\n")
            for number in range(20_000):
                client.sendall(b"X-%d: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\r\n" % number)
        except OSError:
            pass
        status, _ = answer_to(client)
    assert status in {0, 400, 431}


def test_long_path_and_strange_methods(service: Running) -> None:
    assert service.get("/" + "a" * 30_000).status == 404
    assert service.request("BREW", "/v1/summarize").status == 405
    with service.socket() as client:
        client.sendall(b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(200) + b"\r\n\r\n")
        status, _ = answer_to(client)
    assert status in {0, 400}


def test_names_of_files_are_names_only(service: Running) -> None:
    for name in ("../../etc/passwd", "%2e%2e/etc/passwd", "a%00.txt", "-rf", "a" * 200):
        answer = service.request("POST", f"/v1/extract?name={name}", b"It rains.")
        assert answer.json["text"] == "It rains."
    assert service.request("POST", f"/v1/extract?name={'a' * 201}", b"It rains.").status == 422


def test_no_url_is_fetched(service: Running) -> None:
    """A text that is an address is a text."""
    with socket.create_server(("127.0.0.1", 0)) as target:
        target.settimeout(0.2)
        address = f"http://127.0.0.1:{target.getsockname()[1]}/a.html"
        assert service.summarize(address).json["text"] == address
        page = f'<html><body><p>The river rose.</p><img src="{address}"></body></html>'.encode()
        service.request("POST", "/v1/extract?name=a.html", page)
        service.request("POST", f"/v1/extract?name={address}", b"It rains.")
        with pytest.raises(TimeoutError):
            target.accept()
