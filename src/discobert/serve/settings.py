"""Settings of the service, with the limits that protect it."""

import ipaddress
import os
from dataclasses import dataclass

from discobert.errors import UsageError

MEGABYTE = 1_000_000
_MOST_WORKERS = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class ServiceSettings:
    """How a service listens, computes and protects itself."""

    host: str = "127.0.0.1"
    port: int = 8000
    """0 takes a free port."""
    model: str | None = None
    """Name of a shipped model or the folder of a bundle; ``None`` for the shipped English one."""
    workers: int = 0
    """Processes that compute, one thread each; 0 for one a core, four at most."""
    queue: int = 64
    """Requests that may wait for a worker; further ones are refused with 429."""
    deadline: float = 60.0
    """Seconds that a request may wait and compute."""
    max_body: int = 2 * MEGABYTE
    """Bytes of the body of a request."""
    max_upload: int = 20 * MEGABYTE
    """Bytes of a file whose text is to be extracted."""
    max_chars: int = MEGABYTE
    """Characters of a text."""
    max_connections: int = 900
    """Open connections; beyond them, the one that has been idle longest is closed."""
    receive_seconds: float = 30.0
    """Seconds that a client may take to send its headers, and again to send its body."""
    cache_bytes: int = 64 * MEGABYTE
    """Bytes of analyses and scores that are kept."""
    drain_seconds: float = 30.0
    """Seconds in which accepted requests are finished after SIGTERM."""
    token: str | None = None
    """What clients must present, if anything."""
    allowed_hosts: tuple[str, ...] = ()
    """Further names under which the service may be called; none given and not bound to this
    machine alone: any."""

    def __post_init__(self) -> None:
        for name in ("max_body", "max_upload", "max_chars", "max_connections"):
            _check(name, getattr(self, name), least=1)
        for name in ("port", "workers", "queue", "cache_bytes", "drain_seconds"):
            _check(name, getattr(self, name), least=0)
        for name in ("deadline", "receive_seconds"):
            _check(name, getattr(self, name), least=0.001)
        if self.token is not None and (not self.token or not self.token.isascii()):
            raise UsageError("the token must be ASCII characters, at least one")

    @property
    def n_workers(self) -> int:
        """How many worker processes there are."""
        return self.workers or min(available_cores(), _MOST_WORKERS)

    @property
    def names(self) -> frozenset[str] | None:
        """The names by which clients may call the service, in lower case; ``None`` for any.

        A service for this machine alone refuses all other names, so that no page of the web can
        reach it through a name of its own that leads here.
        """
        if not self.allowed_hosts and not is_loopback(self.host):
            return None
        own = {"localhost", "127.0.0.1", "[::1]", self.host.lower()}
        return frozenset(own | {name.lower() for name in self.allowed_hosts})


def is_loopback(host: str) -> bool:
    """Return whether an address can be reached from this machine alone."""
    if host.lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def available_cores() -> int:
    """Return how many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _check(name: str, value: float, *, least: float) -> None:
    if not value >= least:
        raise UsageError(f"{name} must be at least {least}, got {value}")
