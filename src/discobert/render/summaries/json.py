"""Summaries as JSON documents and JSON Lines."""

import json
from collections.abc import Sequence

from discobert.data.codecs.json_text import JsonObject, dumps
from discobert.data.codecs.summary import encode_summary
from discobert.data.summary import Summary


def render_json(summaries: Sequence[Summary], *, source: bool = False, array: bool = False) -> str:
    """Write one summary as an object, several as an array, indented; ``array`` forces one."""
    values = [_encode(summary, source=source) for summary in summaries]
    shown = values[0] if len(values) == 1 and not array else values
    return json.dumps(shown, ensure_ascii=False, allow_nan=False, indent=2) + "\n"


def render_jsonl(summaries: Sequence[Summary], *, source: bool = False) -> str:
    """Write one summary a line."""
    return "".join(f"{dumps(_encode(summary, source=source))}\n" for summary in summaries)


def _encode(summary: Summary, *, source: bool) -> JsonObject:
    """Write a summary, on demand with the text that its offsets refer to."""
    value = encode_summary(summary)
    return {**value, "source": summary.document.text} if source else value
