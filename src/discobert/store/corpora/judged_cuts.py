"""Reader of judged cuts: EDUs of a sentence, and whether what is left is as good without them.

A line of the file names its document by id; the texts are CNN/DailyMail articles and GUM.
The labels are by language models under a fixed brief, one row of three answers each.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from discobert.data.codecs.fields import Field, refused
from discobert.data.document import SentenceLayout, SourceText, Span
from discobert.errors import InputError
from discobert.language.boilerplate import Boilerplate
from discobert.store.corpora.articles import Article
from discobert.store.corpora.sources import CorpusKind, Source, read_entries
from discobert.store.jsonl import read_rows
from discobert.store.text import printable
from discobert.store.treebanks.gum import read_gum

NEWS, GUM = "cnndm", "gum"


@dataclass(frozen=True, slots=True)
class JudgedCut:
    """A cut of one sentence, EDUs counted from the sentence's first one."""

    id: int
    source: str
    document: str
    split: str
    sentence: int
    sentence_span: Span
    edus: tuple[Span, ...]
    """All EDUs of the sentence, on characters of the text."""
    cut: tuple[int, ...]
    answers: tuple[float, float, float]
    """Share of judges who found the rest grammatical, faithful and complete."""
    harmless: bool


@dataclass(frozen=True, slots=True)
class CutDocument:
    """A text with judged cuts; where its corpus has gold sentences and EDUs, they are given."""

    source: SourceText
    cuts: tuple[JudgedCut, ...]
    sentences: SentenceLayout | None = None
    edus: tuple[Span, ...] | None = None


def read_cuts(path: Path) -> Iterator[JudgedCut]:
    """Stream the judged cuts of a JSONL file (plain, gzip or xz)."""
    for row in read_rows(path):
        with refused(row.field):
            cut = _cut(row.field)
        yield cut


def _cut(record: Field) -> JudgedCut:
    edus = record.member("edus").items(_span)
    cut = record.member("cut").items(Field.integer)
    if not cut or list(cut) != sorted(set(cut)) or not 0 <= cut[0] <= cut[-1] < len(edus):
        raise record.member("cut").error(f"some of {len(edus)} EDUs in reading order")
    if len(cut) == len(edus):
        raise record.member("cut").error("a part of the sentence, not all of it")
    return JudgedCut(
        id=record.member("id").integer(),
        source=record.member("source").text(),
        document=record.member("doc").text(),
        split=record.member("split").text(),
        sentence=record.member("sentence").integer(),
        sentence_span=_span(record.member("sentence_span")),
        edus=edus,
        cut=cut,
        answers=_answers(record.member("labels")),
        harmless=record.member("harmless").integer() == 1,
    )


def _span(field: Field) -> Span:
    return Span(*field.pair())


def _answers(field: Field) -> tuple[float, float, float]:
    rows = field.items(lambda row: row.items(Field.integer))
    if not rows or any(len(row) != 3 or not set(row) <= {0, 1} for row in rows):
        raise field.error("rows of three answers, each 0 or 1")
    first, second, third = (sum(column) / len(rows) for column in zip(*rows, strict=True))
    return first, second, third


def read_cut_documents(
    cuts: Path, *, articles: Path, gum: Path, split: str | None = None
) -> Iterator[CutDocument]:
    """Yield the texts of the judged cuts of a split: news first, then GUM, as their files go."""
    wanted: dict[str, list[JudgedCut]] = {}
    for cut in read_cuts(cuts):
        if split in (None, cut.split):
            wanted.setdefault(cut.document, []).append(cut)
    if not wanted:
        raise InputError(f"{printable(cuts)}: no cut of the split {split!r}")
    found = 0
    for document in (*_news(articles, wanted), *_gold(gum, wanted)):
        found += 1
        yield document
    if found < len(wanted):
        raise InputError(
            f"{len(wanted) - found} of {len(wanted)} documents of {printable(cuts)} are neither in "
            f"{printable(articles)} nor in {printable(gum)}"
        )


def _news(path: Path, wanted: Mapping[str, list[JudgedCut]]) -> Iterator[CutDocument]:
    left = {name for name, cuts in wanted.items() if cuts[0].source == NEWS}
    source = Source(kind=CorpusKind.CNNDM_JSONL, path=path, boilerplate=Boilerplate.DROP)
    entries = read_entries(source) if left else iter(())
    for located in entries:
        entry = located.entry
        if isinstance(entry, Article) and entry.id in left:
            yield CutDocument(SourceText(entry.id, entry.text), tuple(wanted[entry.id]))
            left.remove(entry.id)
            if not left:
                return


def _gold(path: Path, wanted: Mapping[str, list[JudgedCut]]) -> Iterator[CutDocument]:
    if all(cuts[0].source == NEWS for cuts in wanted.values()):
        return
    for gold in read_gum(path):
        if gold.id in wanted:
            yield CutDocument(
                SourceText(gold.id, gold.text),
                tuple(wanted[gold.id]),
                SentenceLayout(gold.sentences, gold.paragraphs),
                gold.edus,
            )
