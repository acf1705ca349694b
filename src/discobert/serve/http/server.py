"""Running a service: connections with time limits, and an orderly end.

On SIGTERM or SIGINT, requests that were accepted are finished and new ones get 503, for as long as
the settings allow; a second signal ends at once.
"""

import asyncio
import logging
import socket
from collections import OrderedDict
from contextlib import suppress
from dataclasses import replace
from types import FrameType

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle

from discobert.errors import DiscobertError, UsageError
from discobert.serve.http.app import Service
from discobert.serve.logs import log, set_up_logs
from discobert.serve.settings import ServiceSettings

_KEEP_ALIVE = 5
_BACKLOG = 512
_MAX_HEADERS = 64 * 1024
_TICK = 0.05
_SPARE_FILES = 100
_SECONDS_AFTER_DRAIN = 2


class Connections:
    """The connections that wait for a request, the one that has waited longest first."""

    def __init__(self, most: int, seconds: float) -> None:
        self.most = most
        self.seconds = seconds
        self.idle: OrderedDict[BoundedProtocol, None] = OrderedDict()

    def make_room(self, n_open: int) -> bool:
        """Close the connection that has been idle longest if there are too many."""
        if n_open <= self.most:
            return True
        if not self.idle:
            return False
        oldest, _ = self.idle.popitem(last=False)
        oldest.transport.abort()
        return True


class BoundedProtocol(H11Protocol):
    """HTTP/1.1 where the headers of a request must come within a time."""

    connections_known: Connections
    _headers_due: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Accept a connection if there is room."""
        super().connection_made(transport)
        if self.connections_known.make_room(len(self.connections)):
            self._await_headers()
        else:
            transport.abort()

    def data_received(self, data: bytes) -> None:
        """Take what has come in."""
        super().data_received(data)
        if self._is_idle():
            self._await_headers()
        else:
            self._stop_waiting()

    def _is_idle(self) -> bool:
        cycle: RequestResponseCycle | None = self.cycle  # None before the first request
        return cycle is None or cycle.response_complete

    def on_response_complete(self) -> None:
        """Wait for the next request."""
        super().on_response_complete()
        if not self.transport.is_closing() and self._is_idle():
            self.connections_known.idle[self] = None

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        self._stop_waiting()
        super().connection_lost(exc)

    def _await_headers(self) -> None:
        if self._headers_due is None and not self.transport.is_closing():
            self.connections_known.idle[self] = None
            self._headers_due = self.loop.call_later(
                self.connections_known.seconds, self._close_if_idle
            )

    def _stop_waiting(self) -> None:
        self.connections_known.idle.pop(self, None)
        if self._headers_due is not None:
            self._headers_due.cancel()
            self._headers_due = None

    def _close_if_idle(self) -> None:
        self._headers_due = None
        if self._is_idle():
            self.transport.abort()


class Server(uvicorn.Server):
    """A server that finishes what it has accepted before it ends."""

    def __init__(self, service: Service) -> None:
        settings = service.settings
        connections = Connections(settings.max_connections, settings.receive_seconds)
        protocol = type("Protocol", (BoundedProtocol,), {"connections_known": connections})
        super().__init__(
            uvicorn.Config(
                service,
                host=settings.host,
                port=settings.port,
                http=protocol,
                ws="none",
                loop="asyncio",
                log_config=None,
                access_log=False,
                server_header=False,
                proxy_headers=False,
                timeout_keep_alive=_KEEP_ALIVE,
                timeout_graceful_shutdown=_SECONDS_AFTER_DRAIN,
                h11_max_incomplete_event_size=_MAX_HEADERS,
            )
        )
        self._service = service
        self._loop: asyncio.AbstractEventLoop | None = None
        self._watch: asyncio.Task[None] | None = None
        self._drain: asyncio.Task[None] | None = None
        self.failure: DiscobertError | None = None
        """Why the workers could not be started, if they could not."""

    @property
    def port(self) -> int:
        """The port that the server listens to."""
        return int(self.servers[0].sockets[0].getsockname()[1])

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start to listen, and say where."""
        await super().startup(sockets)
        if self.should_exit:
            return
        self._loop = asyncio.get_running_loop()
        self._watch = asyncio.create_task(self._watch_workers())
        settings, engine = self._service.settings, self._service.engine
        log(
            "listening",
            url=f"http://{settings.host}:{self.port}/",
            port=self.port,
            workers=settings.n_workers,
            model=f"{engine.facts.model.name} {engine.facts.model.version}",
        )

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End."""
        if self._watch is not None:
            self._watch.cancel()
        await super().shutdown(sockets)
        log("ended")

    async def _watch_workers(self) -> None:
        """Say when all workers are ready; end if they cannot be started."""
        pools = (self._service.engine.texts, self._service.engine.files)
        for pool in pools:
            await pool.decided.wait()
        if all(pool.failure is None for pool in pools):
            log("ready")
        waits = [asyncio.create_task(pool.failed.wait()) for pool in pools]
        try:
            await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for wait in waits:
                wait.cancel()
        self.failure = next(pool.failure for pool in pools if pool.failure is not None)
        self.should_exit = True

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Begin to drain with the first signal, end with the second."""
        if self._service.state.draining or self._loop is None:
            self.should_exit = True
            self.force_exit = True
            return
        self._service.state.draining = True
        self._loop.call_soon_threadsafe(self._begin_drain)

    def _begin_drain(self) -> None:
        log("draining", requests=self._service.state.n_open)
        self._drain = asyncio.create_task(self._end_when_drained())

    async def _end_when_drained(self) -> None:
        state, settings = self._service.state, self._service.settings
        with suppress(TimeoutError):
            async with asyncio.timeout(settings.drain_seconds):
                while state.n_open:
                    await asyncio.sleep(_TICK)
        log("drained", level=logging.WARNING if state.n_open else logging.INFO, left=state.n_open)
        self.should_exit = True


def run_service(settings: ServiceSettings, *, quiet: bool = False) -> None:
    """Serve until a signal comes."""
    set_up_logs(quiet=quiet)
    server = Server(Service(_with_files(settings)))
    with listening(settings) as listener:
        server.run([listener])
    if server.failure is not None:
        raise server.failure


def listening(settings: ServiceSettings) -> socket.socket:
    """Return a socket that listens where the settings say.

    Its connections send what they have at once. asyncio asks for that only if a socket names its
    protocol, which these do not; without it, each answer on a kept connection waits 40 ms for the
    client to acknowledge the headers.
    """
    host, port = settings.host, settings.port
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        listener = socket.create_server((host, port), family=family, backlog=_BACKLOG)
    except OverflowError as error:
        raise UsageError(f"--port takes a number from 0 to 65535, got {port}") from error
    except OSError as error:
        raise UsageError(
            f"cannot listen to {host} port {port}: {error}; choose another --host or --port"
        ) from error
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listener


def _with_files(settings: ServiceSettings) -> ServiceSettings:
    """Take as many file descriptors as the system allows, and no more connections than that."""
    try:
        import resource
    except ImportError:  # Windows
        return settings
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = settings.max_connections + _SPARE_FILES
    if soft < wanted:
        soft = min(wanted, hard) if hard != resource.RLIM_INFINITY else wanted
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    most = min(settings.max_connections, max(1, soft - _SPARE_FILES))
    return replace(settings, max_connections=most)
