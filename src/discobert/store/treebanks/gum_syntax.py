"""The syntax of GUM, which its reader for discourse leaves out."""

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

from discobert.data.codecs.fields import Field, refused
from discobert.data.document import SentenceLayout, SourceText
from discobert.store.jsonl import read_rows
from discobert.store.treebanks.conllu import UdDocument, UdToken
from discobert.store.treebanks.gum import gold_document


def read_gum_syntax(
    path: Path, split: str, *, non_commercial: bool = False
) -> Iterator[UdDocument]:
    """Stream the documents of a split; those of an NC licence only if asked for."""
    for row in read_rows(path):
        with refused(row.field):
            gold = gold_document(row.field)
            if gold.split != split or (gold.non_commercial and not non_commercial):
                continue
            tokens = tuple(_sentences(row.field, [span.start for span in gold.tokens]))
        layout = SentenceLayout(gold.sentences, gold.paragraphs)
        yield UdDocument(SourceText(gold.id, gold.text), layout, tokens)


def _sentences(record: Field, starts: list[int]) -> Iterator[tuple[UdToken, ...]]:
    upos = record.member("upos").items(Field.text)
    heads = record.member("head").items(Field.integer)
    relations = record.member("deprel").items(Field.text)
    firsts = record.member("sents").items(Field.integer)
    words = [UdToken(*parts) for parts in zip(starts, upos, heads, relations, strict=True)]
    for first, end in pairwise([*firsts, len(words)]):
        yield tuple(words[first:end])
