"""Summaries as JSON documents and JSON Lines."""

import json
from collections.abc import Sequence

from discobert.data.json_text import dumps
from discobert.data.summary import Summary
from discobert.data.summary_codec import encode_summary


def render_json(summaries: Sequence[Summary]) -> str:
    """Write one summary as an object, several as an array, indented."""
    values = [encode_summary(summary) for summary in summaries]
    shown = values[0] if len(values) == 1 else values
    return json.dumps(shown, ensure_ascii=False, allow_nan=False, indent=2) + "\n"


def render_jsonl(summaries: Sequence[Summary]) -> str:
    """Write one summary a line."""
    return "".join(f"{dumps(encode_summary(summary))}\n" for summary in summaries)
