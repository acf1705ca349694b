"""Counters and histograms of a service, in the text form that Prometheus reads."""

from typing import TYPE_CHECKING

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_LATEST

if TYPE_CHECKING:
    from discobert.serve.engine import Engine

CONTENT_TYPE = CONTENT_TYPE_LATEST
_BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0)


class Metrics:
    """What a service has counted; each has its own registry, so that tests share nothing."""

    def __init__(self) -> None:
        registry = self._registry = CollectorRegistry()
        self._requests = Counter(
            "discobert_requests", "Requests answered.", ["route", "status"], registry=registry
        )
        self._latency = Histogram(
            "discobert_request_seconds",
            "Seconds from the first byte to the answer.",
            ["route"],
            buckets=_BUCKETS,
            registry=registry,
        )
        self._stages = Histogram(
            "discobert_stage_seconds",
            "Seconds of a stage: queue, recall, analyse, score, select, render, extract.",
            ["stage"],
            buckets=_BUCKETS,
            registry=registry,
        )
        self._lookups = Counter(
            "discobert_cache_lookups", "Texts looked up.", ["result"], registry=registry
        )
        self._ended = Counter(
            "discobert_workers_ended",
            "Workers that died or were killed.",
            ["pool"],
            registry=registry,
        )
        self._waiting = Gauge(
            "discobert_queue_waiting",
            "Requests that wait for a worker.",
            ["pool"],
            registry=registry,
        )
        self._running = Gauge(
            "discobert_workers_busy", "Workers at work.", ["pool"], registry=registry
        )
        self._ready = Gauge(
            "discobert_workers_ready", "Workers ready.", ["pool"], registry=registry
        )
        self._cache = Gauge("discobert_cache_bytes", "Bytes of kept analyses.", registry=registry)

    def answered(self, route: str, status: int, seconds: float) -> None:
        """Count an answer."""
        self._requests.labels(route, str(status)).inc()
        self._latency.labels(route).observe(seconds)

    def worker_ended(self, pool: str) -> None:
        """Count a worker that ended."""
        self._ended.labels(pool).inc()

    def stage_done(self, stage: str, seconds: float) -> None:
        """Count a stage."""
        self._stages.labels(stage).observe(seconds)

    def looked_up(self, *, found: bool) -> None:
        """Count a look into the cache."""
        self._lookups.labels("hit" if found else "miss").inc()

    def exposition(self, engine: "Engine") -> bytes:
        """Write all values, with the state of the queues as it is now."""
        for pool in (engine.texts, engine.files):
            self._waiting.labels(pool.name).set(pool.n_waiting)
            self._running.labels(pool.name).set(pool.n_running)
            self._ready.labels(pool.name).set(pool.n_ready)
        self._cache.set(engine.cache.n_bytes)
        return generate_latest(self._registry)
