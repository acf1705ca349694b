"""What every request passes before its route: headers, host, origin, token, and a bounded body.

These are plain ASGI applications around the next one. The body is counted as it comes in, so that
neither a chunked body nor a false Content-Length can pass the limit.
"""

import asyncio
import base64
import binascii
import hmac
import re
import secrets
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from discobert.serve.logs import log
from discobert.serve.refusals import Refusal, busy, draining, too_large
from discobert.serve.settings import MEGABYTE, ServiceSettings
from discobert.serve.tracing import Tracer

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from discobert.serve.metrics import Metrics

LIVE = "/health/live"
_WHILE_DRAINING = frozenset({LIVE, "/health/ready", "/metrics", "/info"})
_READING = frozenset({"GET", "HEAD", "OPTIONS"})
_REQUEST_ID = re.compile(rb"[\w.:-]{1,64}", re.ASCII)
_DIGITS = re.compile(rb"\d{1,19}", re.ASCII)
CSP = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)
_HEADERS: tuple[tuple[bytes, bytes], ...] = (
    (b"content-security-policy", CSP.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), geolocation=(), microphone=()"),
)
_DISCARDED = 32 * MEGABYTE
_DISCARD_SECONDS = 2.0


@dataclass(slots=True)
class ServiceState:
    """What changes while a service runs."""

    draining: bool = False
    n_open: int = 0
    """Requests whose answer is not complete."""


def header(scope: "Scope", name: bytes) -> bytes:
    """Return a header's value, empty if there is none."""
    return next((bytes(value) for key, value in scope["headers"] if key == name), b"")


class Access:
    """Gives every answer its security headers and a request id, logs it, and counts it."""

    def __init__(
        self, app: "ASGIApp", state: ServiceState, metrics: "Metrics", tracer: Tracer
    ) -> None:
        self._app = app
        self._state = state
        self._metrics = metrics
        self._tracer = tracer

    async def __call__(self, scope: "Scope", receive: "Receive", send: "Send") -> None:
        """Pass a request on."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        given = header(scope, b"x-request-id")
        request_id = given if _REQUEST_ID.fullmatch(given) else secrets.token_hex(8).encode()
        status = 500
        n_bytes = 0

        async def send_with_headers(message: "Message") -> None:
            nonlocal status, n_bytes
            if message["type"] == "http.response.start":
                status = message["status"]
                message = {**message, "headers": self._headers(message, request_id)}
            elif message["type"] == "http.response.body":
                n_bytes += len(message.get("body", b""))
            await send(message)

        start = time.perf_counter()
        self._state.n_open += 1
        try:
            with self._tracer.request(scope["method"], scope["path"]) as span:
                await self._app(scope, receive, send_with_headers)
                span.finish(_route(scope), status)
        finally:
            self._state.n_open -= 1
            seconds = time.perf_counter() - start
            self._metrics.answered(_route(scope), status, seconds)
            log(
                "request",
                id=request_id.decode(),
                method=scope["method"][:16],
                route=_route(scope),
                status=status,
                ms=round(1000 * seconds, 1),
                bytes=n_bytes,
            )

    def _headers(self, message: "Message", request_id: bytes) -> list[tuple[bytes, bytes]]:
        headers = list(message.get("headers", ()))
        names = {name.lower() for name, _ in headers}
        headers += [pair for pair in _HEADERS if pair[0] not in names]
        if b"cache-control" not in names:
            headers.append((b"cache-control", b"no-store"))
        if self._state.draining and b"connection" not in names:
            headers.append((b"connection", b"close"))
        return [*headers, (b"x-request-id", request_id)]


def _route(scope: "Scope") -> str:
    """Return the route of a request, not its path, of which there are endlessly many."""
    route = scope.get("route")
    path = getattr(route, "path", None)
    return path if isinstance(path, str) else scope.get("refused_route", "other")


class Gate:
    """Refuses requests by a foreign name, from another origin, without the token, or too late."""

    def __init__(self, app: "ASGIApp", settings: ServiceSettings, state: ServiceState) -> None:
        self._app = app
        self._names = settings.names
        self._token = None if settings.token is None else settings.token.encode()
        self._state = state

    async def __call__(self, scope: "Scope", receive: "Receive", send: "Send") -> None:
        """Pass a request on, or refuse it before its body is read."""
        if scope["type"] == "http":
            refusal = self._refusal(scope)
            if refusal is not None:
                headers = (
                    {"WWW-Authenticate": _CHALLENGE} if refusal.status == _UNAUTHORIZED else {}
                )
                complete = await discard(receive)
                await refuse(send, refusal, headers=headers, close=not complete)
                return
        await self._app(scope, receive, send)

    def _refusal(self, scope: "Scope") -> Refusal | None:
        path = scope["path"]
        if path == LIVE:
            return None
        host = header(scope, b"host").decode("latin-1").lower()
        if self._names is not None and _name(host) not in self._names:
            return Refusal(421, "host", "this service is not known by that name; see --allow-host")
        if scope["method"] not in _READING and not _same_origin(scope, host):
            return Refusal(403, "origin", "requests from other origins are not taken")
        if self._token is not None and not _presents(scope, self._token):
            return Refusal(401, "unauthorized", "send the header Authorization: Bearer TOKEN")
        if self._state.draining and path not in _WHILE_DRAINING:
            return draining()
        return None


_UNAUTHORIZED = 401
_CHALLENGE = 'Bearer realm="discobert", Basic realm="discobert"'


def _name(host: str) -> str:
    """Return a host without its port."""
    if host.startswith("["):
        return host.partition("]")[0] + "]"
    return host.partition(":")[0]


def _same_origin(scope: "Scope", host: str) -> bool:
    """Return whether a request comes from our own page or from a program, which has no origin."""
    site = header(scope, b"sec-fetch-site")
    if site not in {b"", b"same-origin", b"none"}:
        return False
    origin = header(scope, b"origin").decode("latin-1").lower()
    if not origin:
        return True
    try:
        return urlsplit(origin).netloc == host
    except ValueError:
        return False


def _presents(scope: "Scope", token: bytes) -> bool:
    """Return whether a request has the token: as a bearer, or as the password a browser asks for.

    The comparison takes the same time whatever is wrong.
    """
    kind, _, given = header(scope, b"authorization").partition(b" ")
    if kind.lower() == b"basic":
        try:
            given = base64.b64decode(given.strip(), validate=True).partition(b":")[2]
        except binascii.Error:
            given = b""
    elif kind.lower() != b"bearer":
        given = b""
    return hmac.compare_digest(given.strip(), token)


class BodyLimit:
    """Reads bodies, each within a limit and a time, all of them within a common limit."""

    def __init__(
        self,
        app: "ASGIApp",
        settings: ServiceSettings,
        *,
        uploads: frozenset[str],
        before: Mapping[str, Callable[[], None]],
    ) -> None:
        self._app = app
        self._settings = settings
        self._uploads = uploads
        self._before = before
        """What may refuse a request, by path, when its body has come but was not parsed yet."""
        self._in_memory = 0
        self._most_in_memory = max(4 * settings.max_upload, 64 * settings.max_body)

    async def __call__(self, scope: "Scope", receive: "Receive", send: "Send") -> None:
        """Pass a request on with its body, or refuse it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        body = Body(self._limit(scope["path"]))
        try:
            try:
                await self._read(scope, receive, body)
                self._before.get(scope["path"], _nothing)()
            except Refusal as refusal:
                scope["refused_route"] = scope["path"] if scope["path"] in self._before else "other"
                complete = body.complete or await discard(receive)
                await refuse(send, refusal, close=not complete)
                return
            if body.client_left:
                return
            await self._app(scope, _replay(body, receive), send)
        finally:
            self._in_memory -= body.size

    def _limit(self, path: str) -> int:
        settings = self._settings
        return settings.max_upload if path in self._uploads else settings.max_body

    async def _read(self, scope: "Scope", receive: "Receive", body: "Body") -> None:
        declared = header(scope, b"content-length")
        if _DIGITS.fullmatch(declared) and int(declared) > body.limit:
            raise too_large(int(declared), body.limit, "bytes", "body")
        seconds = self._settings.receive_seconds
        try:
            async with asyncio.timeout(seconds):
                while not body.complete:
                    self._in_memory += body.take(await receive())
                    if self._in_memory > self._most_in_memory:
                        raise busy()
        except TimeoutError as error:
            raise Refusal(408, "slow", f"the body did not come within {seconds:g} s") from error


def _nothing() -> None:
    """Refuse nothing."""


class Body:
    """The part of a body that has come in."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.size = 0
        self.complete = False
        self.client_left = False
        self._parts: list[bytes] = []

    def take(self, message: "Message") -> int:
        """Add what has come in and return its size."""
        if message["type"] == "http.disconnect":
            self.complete = self.client_left = True
            return 0
        part = message.get("body", b"")
        if self.size + len(part) > self.limit:
            size = f"more than {self.limit:,}"
            raise too_large(size, self.limit, "bytes", "body")
        self._parts.append(part)
        self.size += len(part)
        self.complete = not message.get("more_body", False)
        return len(part)

    def content(self) -> bytes:
        """Return all of it and forget the parts."""
        content = b"".join(self._parts)
        self._parts.clear()
        return content


def _replay(body: Body, receive: "Receive") -> "Receive":
    """Return a channel with the body as one message, then what the client does."""
    given = False

    async def replayed() -> "Message":
        nonlocal given
        if given:
            return await receive()
        given = True
        return {"type": "http.request", "body": body.content(), "more_body": False}

    return replayed


async def discard(receive: "Receive") -> bool:
    """Read on for a moment, as a client that is still sending would not see the answer.

    Returns whether the whole body has come.
    """
    size = 0
    try:
        async with asyncio.timeout(_DISCARD_SECONDS):
            while size < _DISCARDED:
                message = await receive()
                size += len(message.get("body", b""))
                if not message.get("more_body", False):
                    return True
    except TimeoutError:
        pass
    return False


async def refuse(
    send: "Send",
    refusal: Refusal,
    *,
    headers: Mapping[str, str] | None = None,
    close: bool = False,
) -> None:
    """Send an error."""
    body = refusal.body
    pairs = {"Content-Type": "application/json", "Content-Length": str(len(body))}
    pairs |= refusal.headers | dict(headers or {}) | ({"Connection": "close"} if close else {})
    encoded = [(name.lower().encode(), value.encode()) for name, value in pairs.items()]
    await send({"type": "http.response.start", "status": refusal.status, "headers": encoded})
    await send({"type": "http.response.body", "body": body})
