"""Traces by OpenTelemetry, if ``OTEL_…`` names a collector and the library is installed."""

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

_ENDPOINTS = ("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")
_SERVER_ERROR = 500


class TraceSpan:
    """A request that is not traced."""

    def finish(self, route: str, status: int) -> None:
        """Note the outcome."""


class Tracer:
    """Traces nothing."""

    @contextmanager
    def request(self, method: str, path: str) -> Iterator[TraceSpan]:
        """Trace a request."""
        yield TraceSpan()

    def close(self) -> None:
        """Send what has not been sent."""


class _OtelSpan(TraceSpan):
    def __init__(self, span: Any, method: str) -> None:  # noqa: ANN401 - no types without the library
        self._span = span
        self._method = method

    def finish(self, route: str, status: int) -> None:
        """Name the span after its route; paths and texts are not part of it."""
        self._span.update_name(f"{self._method} {route}")
        self._span.set_attribute("http.route", route)
        self._span.set_attribute("http.response.status_code", status)
        if status >= _SERVER_ERROR:
            from opentelemetry.trace import Status, StatusCode

            self._span.set_status(Status(StatusCode.ERROR))


class OtelTracer(Tracer):
    """Sends a span for each request to the collector."""

    def __init__(self, provider: Any) -> None:  # noqa: ANN401 - as above
        self._provider = provider
        self._tracer = provider.get_tracer("discobert.serve")

    @contextmanager
    def request(self, method: str, path: str) -> Iterator[TraceSpan]:
        """Trace a request."""
        from opentelemetry.trace import SpanKind

        with self._tracer.start_as_current_span(method, kind=SpanKind.SERVER) as span:
            span.set_attribute("http.request.method", method)
            yield _OtelSpan(span, method)

    def close(self) -> None:
        """Send what has not been sent."""
        self._provider.shutdown()


def make_tracer(environment: Mapping[str, str] = os.environ) -> Tracer:
    """Return a tracer for the collector that the environment names."""
    if not any(environment.get(name) for name in _ENDPOINTS):
        return Tracer()
    try:
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
        from opentelemetry.sdk.resources import Resource
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor
    except ImportError:
        return Tracer()
    name = environment.get("OTEL_SERVICE_NAME", "discobert")
    provider = TracerProvider(resource=Resource.create({"service.name": name}))
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    return OtelTracer(provider)
