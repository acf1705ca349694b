"""Documents that a larger analyser has annotated: lines of JSON that a smaller one learns from."""

from collections.abc import Iterator
from pathlib import Path

from discobert.data.codec import decode_analysis, encode_analysis
from discobert.data.json_text import JsonObject
from discobert.data.rst import nodes
from discobert.data.summary import Analysis
from discobert.store.jsonl import read_rows
from discobert.store.treebanks.gum import GoldDocument


def encode_taught(gold: GoldDocument, analysis: Analysis) -> JsonObject:
    """Write an analysis beside what must be known of its text."""
    return {
        **encode_analysis(analysis),
        "genre": gold.genre,
        "non_commercial": gold.non_commercial,
    }


def read_taught(path: Path) -> Iterator[GoldDocument]:
    """Read such lines as if they were gold; which words are subjects they do not tell."""
    for row in read_rows(path):
        analysis = decode_analysis(row.field.value)
        document = analysis.document
        yield GoldDocument(
            id=f"taught:{document.id}",
            split="train",
            genre=row.field.member("genre").text(),
            non_commercial=row.field.member("non_commercial").flag(),
            text=document.text,
            tokens=(),
            sentences=document.sentences,
            paragraphs=document.paragraphs,
            edus=tuple(edu.span for edu in document.edus),
            subjects=None,
            nodes=tuple(nodes(analysis.rst)),
            has_relations=True,
            clusters=tuple(
                tuple(mention.span for mention in cluster.mentions) for cluster in analysis.coref
            ),
        )
