"""The tools of ``discobert mcp`` as a part of the service, under ``/mcp``."""

from contextlib import AbstractAsyncContextManager
from typing import TYPE_CHECKING

from mcp.server.transport_security import TransportSecuritySettings
from starlette.routing import Route

from discobert.serve.mcp.tools import make_mcp_server

if TYPE_CHECKING:
    from fastapi import FastAPI

    from discobert.serve.http.app import Service

PATH = "/mcp"


def mount(app: "FastAPI", service: "Service") -> None:
    """Add the route; sessions are not kept, so each request stands for itself."""
    server = make_mcp_server(service.engine)
    # Names and origins are checked before any route, and bodies are bounded.
    unchecked = TransportSecuritySettings(enable_dns_rebinding_protection=False)
    inner = server.streamable_http_app(
        streamable_http_path=PATH,
        json_response=True,
        stateless_http=True,
        max_request_body_size=service.settings.max_body,
        transport_security=unchecked,
    )
    app.router.routes += [route for route in inner.routes if isinstance(route, Route)]

    def running() -> AbstractAsyncContextManager[None]:
        return server.session_manager.run()

    app.state.lifespans.append(running)
