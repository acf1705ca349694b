"""The HTTP surface: routes, and how errors become answers."""

import asyncio
from collections.abc import AsyncIterator, Coroutine
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from fastapi import FastAPI, Query, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import FileResponse, HTMLResponse, JSONResponse, Response
from fastapi.staticfiles import StaticFiles
from starlette.exceptions import HTTPException

from discobert import __version__
from discobert.errors import DiscobertError
from discobert.render.page import template
from discobert.serve.engine import MAX_NAME, Engine, refusal_of
from discobert.serve.http import schemas
from discobert.serve.http.docs_page import docs_page
from discobert.serve.http.guard import LIVE, Access, BodyLimit, Gate, ServiceState
from discobert.serve.metrics import CONTENT_TYPE, Metrics
from discobert.serve.refusals import Refusal
from discobert.serve.settings import ServiceSettings
from discobert.serve.tracing import Tracer, make_tracer

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

STATIC = Path(__file__).parents[1] / "static"
_ABOUT = "Summaries made of verbatim clauses, with the evidence for each."
_CLIENT_LEFT = 499
_JSON = "application/json"
_ERRORS: dict[int | str, dict[str, Any]] = {
    400: {"model": schemas.ErrorBody, "description": "The text is empty or cannot be read."},
    401: {"model": schemas.ErrorBody, "description": "The token is missing or wrong."},
    403: {"model": schemas.ErrorBody, "description": "The request comes from another origin."},
    408: {"model": schemas.ErrorBody, "description": "The body came too slowly."},
    413: {"model": schemas.ErrorBody, "description": "Too large; states limit and size."},
    415: {"model": schemas.ErrorBody, "description": "No reader for this kind is installed."},
    421: {"model": schemas.ErrorBody, "description": "The service has another name."},
    422: {"model": schemas.ErrorBody, "description": "The request is invalid."},
    429: {"model": schemas.ErrorBody, "description": "Busy; Retry-After says how long."},
    500: {"model": schemas.ErrorBody, "description": "A fault of ours."},
    503: {"model": schemas.ErrorBody, "description": "Not ready yet, or shutting down."},
    504: {"model": schemas.ErrorBody, "description": "Not done before the deadline."},
}


class Service:
    """A service: its settings, its state, its workers and its routes."""

    def __init__(self, settings: ServiceSettings) -> None:
        self.settings = settings
        self.state = ServiceState()
        self.metrics = Metrics()
        self.tracer: Tracer = make_tracer()
        self.engine = Engine(settings, self.metrics)
        self.routes = make_routes(self)
        self.app: ASGIApp = self._guarded(self.routes)

    def _guarded(self, app: "ASGIApp") -> "ASGIApp":
        texts = dict.fromkeys(("/v1/summarize", "/v1/analyze"), self.engine.refuse_if_busy)
        bounded = BodyLimit(app, self.settings, uploads=frozenset({"/v1/extract"}), before=texts)
        gate = Gate(bounded, self.settings, self.state)
        return Access(gate, self.state, self.metrics, self.tracer)

    async def __call__(self, scope: "Scope", receive: "Receive", send: "Send") -> None:
        """Be an ASGI application."""
        await self.app(scope, receive, send)

    @asynccontextmanager
    async def lifespan(self, app: FastAPI) -> AsyncIterator[None]:
        """Start the workers with the service and end them with it."""
        async with AsyncExitStack() as stack:
            for part in mounted_lifespans(app):
                await stack.enter_async_context(part)
            self.engine.open()
            try:
                yield
            finally:
                await self.engine.close()
                self.tracer.close()


def mounted_lifespans(app: FastAPI) -> list[Any]:
    """Return the lifespans of parts that need one of their own."""
    return [make() for make in getattr(app.state, "lifespans", ())]


def make_routes(service: Service) -> FastAPI:
    """Build the application without its guards."""
    app = FastAPI(
        title="discobert",
        version=__version__,
        description=_ABOUT,
        docs_url=None,
        redoc_url=None,
        lifespan=service.lifespan,
        responses=_ERRORS,
    )
    app.state.lifespans = []
    _handle_errors(app)
    _add_work(app, service)
    _add_facts(app, service)
    _add_pages(app)
    _add_mcp(app, service)
    return app


def _handle_errors(app: FastAPI) -> None:
    @app.exception_handler(DiscobertError)
    async def refused(request: Request, error: DiscobertError) -> Response:
        return answer_refusal(refusal_of(error))

    @app.exception_handler(RequestValidationError)
    async def invalid(request: Request, error: RequestValidationError) -> Response:
        return answer_refusal(Refusal(422, "invalid", _explained(error)))

    @app.exception_handler(HTTPException)
    async def http_error(request: Request, error: HTTPException) -> Response:
        code = {404: "not-found", 405: "method"}.get(error.status_code, "http")
        refusal = Refusal(error.status_code, code, str(error.detail))
        return answer_refusal(refusal, dict(error.headers or {}))

    @app.exception_handler(Exception)
    async def fault(request: Request, error: Exception) -> Response:
        return answer_refusal(refusal_of(error))


def answer_refusal(refusal: Refusal, headers: dict[str, str] | None = None) -> Response:
    """Return the answer for an error."""
    return Response(
        refusal.body, refusal.status, {**(headers or {}), **refusal.headers}, media_type=_JSON
    )


def _explained(error: RequestValidationError) -> str:
    """Name the members that are wrong; what they hold is not repeated, as it may be the text."""
    found = error.errors()
    shown = [f"{_place(each['loc'])}{each['msg']}" for each in found[:3]]
    if len(found) > len(shown):
        shown.append(f"and {len(found) - len(shown)} more")
    return "; ".join(shown)


def _place(location: tuple[int | str, ...]) -> str:
    names = [str(part)[:80] for part in location if part not in {"body", "query"}]
    return f"{'.'.join(names)}: " if names else ""


async def unless_client_leaves(request: Request, work: Coroutine[Any, Any, bytes]) -> Response:
    """Return the answer as JSON, or cancel the work when the client is gone."""
    task = asyncio.ensure_future(work)
    gone = asyncio.ensure_future(_gone(request))
    try:
        await asyncio.wait({task, gone}, return_when=asyncio.FIRST_COMPLETED)
        if not task.done():
            return Response(status_code=_CLIENT_LEFT)
        return Response(task.result(), media_type=_JSON)
    finally:
        task.cancel()
        gone.cancel()
        await asyncio.gather(task, gone, return_exceptions=True)


async def _gone(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass


def _add_work(app: FastAPI, service: Service) -> None:
    engine = service.engine

    @app.post(
        "/v1/summarize",
        response_class=Response,
        responses={200: {"model": schemas.SummaryAnswer}},
        tags=["texts"],
    )
    async def summarize(request: Request, body: schemas.SummarizeBody) -> Response:
        """Summarise a text: at most as long as asked for, verbatim, with the evidence."""
        return await unless_client_leaves(request, engine.answer(body.task))

    @app.post(
        "/v1/analyze",
        response_class=Response,
        responses={200: {"model": schemas.AnalysisAnswer}},
        tags=["texts"],
    )
    async def analyze(request: Request, body: schemas.TextBody) -> Response:
        """Return sentences, clauses, RST tree, coreference and graphs of a text."""
        return await unless_client_leaves(request, engine.answer(body.task))

    @app.post(
        "/v1/extract",
        response_class=Response,
        responses={200: {"model": schemas.ExtractAnswer}},
        openapi_extra={
            "requestBody": {
                "required": True,
                "content": {
                    "application/octet-stream": {"schema": {"type": "string", "format": "binary"}}
                },
            }
        },
        tags=["texts"],
    )
    async def extract(
        request: Request,
        name: Annotated[
            str, Query(max_length=MAX_NAME, description="Name of the file; its suffix counts.")
        ] = "file",
    ) -> Response:
        """Return the text of a file, sent as the raw body: Markdown, HTML, PDF and others."""
        return await unless_client_leaves(request, engine.extract(await request.body(), name=name))


def _add_facts(app: FastAPI, service: Service) -> None:
    engine, settings = service.engine, service.settings
    facts = engine.facts
    loaded = schemas.LoadedModel(
        id=facts.id,
        name=facts.model.name,
        version=facts.model.version,
        language=facts.language,
        default=True,
    )

    @app.get("/v1/models", tags=["service"])
    async def models() -> schemas.ModelsAnswer:
        """List the models."""
        return schemas.ModelsAnswer(data=[loaded])

    @app.get("/info", tags=["service"])
    async def info() -> schemas.InfoAnswer:
        """Return version, model and limits."""
        limits = schemas.Limits(
            body_bytes=settings.max_body,
            upload_bytes=settings.max_upload,
            chars=settings.max_chars,
            seconds=settings.deadline,
            queue=settings.queue,
            workers=settings.n_workers,
        )
        return schemas.InfoAnswer(version=__version__, model=loaded, limits=limits)

    @app.get(LIVE, tags=["service"])
    async def live() -> schemas.LiveAnswer:
        """Return that the process answers; needs no token."""
        return schemas.LiveAnswer()

    @app.get(
        "/health/ready",
        responses={200: {"model": schemas.ReadyAnswer}, 503: {"model": schemas.ReadyAnswer}},
        tags=["service"],
    )
    async def ready() -> Response:
        """Return whether every worker is ready and requests are taken."""
        is_ready = engine.is_ready and not service.state.draining
        answer = schemas.ReadyAnswer(
            ready=is_ready,
            draining=service.state.draining,
            workers_ready=engine.texts.n_ready,
            workers=engine.texts.n_workers,
        )
        return JSONResponse(answer.model_dump(), 200 if is_ready else 503)

    @app.get("/metrics", response_class=Response, tags=["service"])
    async def metrics() -> Response:
        """Return counters and histograms for Prometheus."""
        return Response(service.metrics.exposition(engine), media_type=CONTENT_TYPE)


def _add_pages(app: FastAPI) -> None:
    @app.get("/", include_in_schema=False)
    async def index() -> Response:
        return FileResponse(STATIC / "index.html", headers={"Cache-Control": "no-cache"})

    @app.get("/docs", include_in_schema=False)
    async def docs() -> Response:
        return HTMLResponse(docs_page(app.openapi()))

    @app.get("/static/design.css", include_in_schema=False)
    async def design() -> Response:
        """Dress texts, trees and graphs as standalone pages do."""
        styles = template("page.css") + template("summary.css")
        return Response(styles, media_type="text/css", headers={"Cache-Control": "no-cache"})

    app.mount("/static", _Static(directory=STATIC), name="static")


class _Static(StaticFiles):
    """Files that browsers may keep, but must ask for again."""

    def file_response(self, *args: Any, **kwargs: Any) -> Response:  # noqa: ANN401 - as inherited
        response = super().file_response(*args, **kwargs)
        response.headers["Cache-Control"] = "no-cache"
        return response


def _add_mcp(app: FastAPI, service: Service) -> None:
    """Offer the tools under ``/mcp`` if the extra is installed."""
    try:
        from discobert.serve.mcp.http import mount
    except ImportError:
        return
    mount(app, service)
