"""Summaries as plain text."""

from collections.abc import Sequence

from discobert.data.summary import Summary


def render_text(summaries: Sequence[Summary]) -> str:
    """Write each summary as one paragraph; several get their names above them."""
    if len(summaries) == 1:
        return f"{summaries[0].text}\n"
    return "\n".join(f"==> {summary.document.id} <==\n{summary.text}\n" for summary in summaries)
