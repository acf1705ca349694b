"""Human summaries of GUM's documents."""

from pathlib import Path

from discobert.data.codecs.fields import Field
from discobert.store.jsonl import read_rows


def read_gum_summaries(path: Path) -> dict[str, tuple[str, ...]]:
    """Read the summaries of every document, by its name; there are one to five of each."""
    return {
        row.field.member("doc").text(): row.field.optional("summaries", []).items(_text)
        for row in read_rows(path)
    }


def _text(record: Field) -> str:
    return record.member("text").text()
