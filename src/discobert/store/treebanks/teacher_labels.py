"""Documents annotated by a larger analyser, as JSON lines, on which a smaller one is trained."""

from collections.abc import Iterator
from pathlib import Path

from discobert.data.codecs.analysis import decode_analysis, encode_analysis
from discobert.data.codecs.json_text import JsonObject
from discobert.data.rst import nodes
from discobert.data.summary import Analysis
from discobert.store.jsonl import read_rows
from discobert.store.treebanks.gum import GoldDocument


def encode_teacher_labels(gold: GoldDocument, analysis: Analysis) -> JsonObject:
    """Return an analysis with the genre and licence of its text."""
    return {
        **encode_analysis(analysis),
        "genre": gold.genre,
        "non_commercial": gold.non_commercial,
    }


def read_teacher_labels(path: Path) -> Iterator[GoldDocument]:
    """Yield the documents as if they were gold; subjects are not among the annotations."""
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
