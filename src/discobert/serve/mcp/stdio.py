"""The tools of ``discobert mcp`` over standard input and output."""

import asyncio

from discobert.serve.engine import Engine
from discobert.serve.logs import set_up_logs
from discobert.serve.mcp.tools import make_mcp_server
from discobert.serve.settings import ServiceSettings


def run_stdio(settings: ServiceSettings, *, quiet: bool = False) -> None:
    """Answer until standard input ends; logs go to standard error."""
    set_up_logs(quiet=quiet)
    asyncio.run(_run(settings))


async def _run(settings: ServiceSettings) -> None:
    engine = Engine(settings)
    engine.open(files=False)
    try:
        await make_mcp_server(engine).run_stdio_async()
    finally:
        await engine.close()
