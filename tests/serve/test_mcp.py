"""The tools for agents, through the SDK's own client: over stdio, and as a part of the service."""

import asyncio
import sys
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from tests.serve.running import TEXT, ready

pytest.importorskip("mcp")

from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client

RULES = ("--model", "rules")


def over_stdio(use: Callable[[Client], Awaitable[None]], *options: str) -> None:
    command = StdioServerParameters(
        command=sys.executable, args=["-m", "discobert", "mcp", "--quiet", *options]
    )

    async def run() -> None:
        async with Client(stdio_client(command)) as client:
            await use(client)

    asyncio.run(asyncio.wait_for(run(), 120))


def text_of(result: Any) -> str:  # noqa: ANN401 - what the SDK returns
    return str(result.content[0].text)


async def summarise_and_analyse(client: Client) -> None:
    tools = {tool.name: tool for tool in (await client.list_tools()).tools}
    assert set(tools) == {"summarize", "analyze"}
    for tool in tools.values():
        assert tool.annotations is not None
        assert tool.annotations.read_only_hint
        assert tool.annotations.open_world_hint is False
        assert tool.output_schema is not None
    assert {"text", "words", "style", "focus"} <= set(tools["summarize"].input_schema["properties"])

    result = await client.call_tool("summarize", {"text": TEXT, "sentences": 2})
    summary = result.structured_content
    assert summary is not None
    assert text_of(result).startswith(summary["summary"])
    for piece in summary["pieces"]:
        assert TEXT[piece["start"] : piece["end"]] == piece["text"]
        assert f"[{piece['start']}–{piece['end']}] {piece['text']}" in text_of(result)

    result = await client.call_tool("analyze", {"text": TEXT})
    analysis = result.structured_content
    assert analysis is not None
    assert analysis["n_sentences"] == 5
    clauses = analysis["clauses"]
    assert " ".join(clause["text"] for clause in clauses) == TEXT
    assert f"0 [{clauses[0]['start']}–{clauses[0]['end']}] The river rose" in text_of(result)


def test_tools_over_stdio() -> None:
    over_stdio(summarise_and_analyse)


def test_errors_are_words_that_a_model_can_use() -> None:
    async def use(client: Client) -> None:
        for arguments, part in (
            ({"text": "A river. " * 9}, "the text has 81 characters; at most 60 are taken"),
            ({"text": " "}, "nothing but white space"),
            ({"text": "A.", "words": 3, "chars": 3}, "give only one of words and chars"),
            ({"text": "A.", "words": 0}, "greater than or equal to 1"),
        ):
            result = await client.call_tool("summarize", arguments)
            assert result.is_error
            assert part in text_of(result)

    over_stdio(use, *RULES, "--max-chars", "60")


def test_tools_of_the_service() -> None:
    with ready("--workers", "1") as service:

        async def run() -> None:
            async with Client(f"http://127.0.0.1:{service.port}/mcp") as client:
                await summarise_and_analyse(client)

        asyncio.run(asyncio.wait_for(run(), 120))
        assert service.metric('discobert_stage_seconds_count{stage="select"}') == 1
