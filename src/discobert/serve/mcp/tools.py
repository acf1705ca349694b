"""Tools for agents by the Model Context Protocol: ``summarize`` and ``analyze``, both read-only.

A model reads the text of an answer only, so that text names the offsets of every piece; programs
find the same in the structured part.
"""

import inspect
import json
from collections.abc import Awaitable, Callable, Iterator
from typing import Annotated, Any

from mcp.server import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.types import CallToolResult, TextContent, ToolAnnotations
from pydantic import BaseModel, Field
from pydantic_core import PydanticUndefined

from discobert import __version__
from discobert.errors import DiscobertError
from discobert.serve.engine import Engine, refusal_of
from discobert.serve.http.schemas import SummarizeBody, TextBody

_INSTRUCTIONS = (
    "Shortens English texts by leaving clauses out; every word of a result stands in the text, and "
    "offsets (start–end, code points, end not included) say where. Nothing is stored or fetched."
)
_READ_ONLY = ToolAnnotations(
    read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False
)


class Piece(BaseModel):
    """A verbatim part of the text: ``text[start:end]``, in code points."""

    start: int
    end: int
    text: str


class SummarizeResult(BaseModel):
    """A summary and the parts of the text that it is made of."""

    summary: str
    words: int
    pieces: list[Piece]
    warnings: list[str]


class Clause(Piece):
    """A clause (elementary discourse unit) and the number of its sentence."""

    sentence: int


class AnalyzeResult(BaseModel):
    """Clauses in reading order, which of them need which, and mentions of the same entity."""

    n_sentences: int
    clauses: list[Clause]
    needs: list[tuple[int, int]] = Field(description="Pairs: a clause and one that it needs.")
    entities: list[list[Piece]]


def make_mcp_server(engine: Engine) -> "MCPServer[Any]":
    """Return a server with both tools; the engine must be open when they are called."""
    server: MCPServer[Any] = MCPServer(
        "discobert", instructions=_INSTRUCTIONS, version=__version__, log_level="WARNING"
    )
    server.tool(annotations=_READ_ONLY, title="Summarise a text")(_summarize(engine))
    server.tool(annotations=_READ_ONLY, title="Analyse a text")(_analyze(engine))
    return server


Tool = Callable[..., Awaitable[CallToolResult]]


def _summarize(engine: Engine) -> Tool:
    async def summarize(**given: Any) -> CallToolResult:  # noqa: ANN401 - checked by the signature
        """Shorten a text to its most important clauses, verbatim, with their offsets in it.

        Give at most one upper bound: words, sentences, edus, chars or ratio.
        """
        result = summarize_result(await _answer(engine, SummarizeBody(**given)))
        return _call_result("\n".join(_summary_lines(result)), result)

    return _typed(summarize, SummarizeBody, SummarizeResult, without={"include", "markup"})


def _analyze(engine: Engine) -> Tool:
    async def analyze(**given: Any) -> CallToolResult:  # noqa: ANN401 - checked by the signature
        """Split a text into clauses; say which need which, and which words mean the same entity."""
        result = analyze_result(await _answer(engine, TextBody(**given)))
        return _call_result("\n".join(_analysis_lines(result)), result)

    return _typed(analyze, TextBody, AnalyzeResult, without={"markup"})


def _typed(function: Tool, body: type[BaseModel], result: Any, *, without: set[str]) -> Tool:  # noqa: ANN401
    """Give a tool the members of a request as arguments, from which the SDK takes its schema."""
    parameters = [
        inspect.Parameter(
            name,
            inspect.Parameter.KEYWORD_ONLY,
            annotation=Annotated[field.annotation, Field(description=field.description)],
            default=inspect.Parameter.empty
            if field.default is PydanticUndefined
            else field.default,
        )
        for name, field in body.model_fields.items()
        if name not in without
    ]
    function.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
        parameters, return_annotation=Annotated[CallToolResult, result]
    )
    return function


async def _answer(engine: Engine, body: TextBody) -> dict[str, Any]:
    """Do the work when the model is loaded; an error becomes a message that a model can use."""
    try:
        await engine.wait_started()
        answer: dict[str, Any] = json.loads(await engine.answer(body.task))
    except DiscobertError as error:
        raise ToolError(str(refusal_of(error))) from error
    return answer


def _call_result(text: str, result: BaseModel) -> CallToolResult:
    return CallToolResult(
        content=[TextContent(type="text", text=text)], structured_content=result.model_dump()
    )


def summarize_result(answer: dict[str, Any]) -> SummarizeResult:
    """Take the summary and its pieces out of the JSON of a summary."""
    units = [unit for unit in answer["units"] if unit["selected"]]
    pieces = [Piece(start=each["start"], end=each["end"], text=each["text"]) for each in units]
    warnings = [warning["message"] for warning in answer["warnings"]]
    return SummarizeResult(
        summary=answer["text"], words=answer["words"], pieces=pieces, warnings=warnings
    )


def analyze_result(answer: dict[str, Any]) -> AnalyzeResult:
    """Take clauses, needs and entities out of the JSON of an analysis."""
    text = answer["text"]
    clauses = [
        Clause(
            start=edu["start"],
            end=edu["end"],
            text=text[edu["start"] : edu["end"]],
            sentence=edu["sentence"],
        )
        for edu in answer["edus"]
    ]
    needs = [(edge["dependent"], edge["head"]) for edge in answer["dependencies"]]
    entities = [
        [Piece(start=start, end=end, text=text[start:end]) for start, end in cluster]
        for cluster in answer["clusters"]
    ]
    n_sentences = len(answer["sentences"])
    return AnalyzeResult(n_sentences=n_sentences, clauses=clauses, needs=needs, entities=entities)


def _summary_lines(result: SummarizeResult) -> Iterator[str]:
    yield result.summary
    yield ""
    yield "Pieces of the text, by their offsets:"
    yield from (f"[{piece.start}–{piece.end}] {_line(piece.text)}" for piece in result.pieces)
    yield from (f"Warning: {message}" for message in result.warnings)


def _analysis_lines(result: AnalyzeResult) -> Iterator[str]:
    yield f"{result.n_sentences} sentences, {len(result.clauses)} clauses, by their offsets:"
    heads: dict[int, list[str]] = {}
    for dependent, head in result.needs:
        heads.setdefault(dependent, []).append(str(head))
    for index, clause in enumerate(result.clauses):
        needs = f" (needs {', '.join(heads[index])})" if index in heads else ""
        yield f"{index} [{clause.start}–{clause.end}] {_line(clause.text)}{needs}"
    if result.entities:
        yield "Mentions of the same entity:"
    for entity in result.entities:
        yield "; ".join(f"[{piece.start}–{piece.end}] {_line(piece.text)}" for piece in entity)


def _line(text: str) -> str:
    return " ".join(text.split())
