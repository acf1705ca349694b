"""Training corpora of the summariser: prepared shards, or documents in memory."""

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from discobert.data.summary import Example
from discobert.discourse.units import UnitKind
from discobert.errors import InputError
from discobert.store.corpora.articles import Article
from discobert.store.prepared.documents import Counts, Prepared
from discobert.store.prepared.manifest import MANIFEST, PreparedCorpus, ShardFile, open_prepared
from discobert.store.prepared.shards import read_rows_of, read_shard
from discobert.store.text import printable
from discobert.train.summarizer.features.cache import CorpusPart
from discobert.train.summarizer.objective.targets import labels_of

_NO_COUNTS = Counts(tokens=0, reference_tokens=0, rst_edges=0, coref_edges=0)


@dataclass(frozen=True, slots=True)
class Corpus:
    """Documents in parts, which are read when needed."""

    parts: tuple[CorpusPart, ...]

    @property
    def n_documents(self) -> int:
        """How many documents there are."""
        return sum(part.n_documents for part in self.parts)

    def first(self, limit: int) -> list[Prepared]:
        """Read some documents from the start."""
        return list(islice((doc for part in self.parts for doc in part.documents()), limit))

    def last(self, limit: int) -> list[Prepared]:
        """Read some documents from the end, in their order."""
        found: list[Prepared] = []
        for part in reversed(self.parts):
            found = [*part.documents(), *found]
            if len(found) >= limit:
                break
        return found[-limit:]


def open_training_corpus(path: Path) -> Corpus:
    """Open a folder that ``discobert prepare`` has written or is writing, or a folder of such."""
    parts = tuple(_parts(path)) or tuple(
        part for inner in sorted(path.glob("*/")) for part in _parts(inner)
    )
    if not parts:
        raise InputError(
            f"{printable(path)}: no prepared documents there; name a folder that discobert prepare "
            "has written"
        )
    return Corpus(parts)


def _parts(path: Path) -> Iterable[CorpusPart]:
    if (path / MANIFEST).is_file():
        return prepared_corpus(open_prepared(path)).parts
    # Shards of a run that has not finished are one level below.
    found = sorted(path.glob("*.parquet")) or sorted(path.glob("shards/*.parquet"))
    return map(_shard_part, found)


def _shard_part(path: Path) -> CorpusPart:
    with path.open("rb") as file:
        checksum = hashlib.file_digest(file, "sha256").hexdigest()
    n_documents = sum(1 for _ in read_rows_of(path, ["id"]))
    return CorpusPart(f"{path.stem}-{checksum[:12]}", n_documents, lambda: read_shard(path))


def prepared_corpus(corpus: PreparedCorpus) -> Corpus:
    """Read a prepared corpus shard by shard; a shard's name holds its checksum."""

    def part(shard: ShardFile) -> CorpusPart:
        path = corpus.path / shard.name
        name = f"{path.stem}-{shard.sha256[:12]}"
        return CorpusPart(name, shard.documents, lambda: read_shard(path))

    return Corpus(tuple(map(part, corpus.shards)))


def example_corpus(examples: Iterable[Example]) -> Corpus:
    """Label examples and use them as a corpus of one part."""
    return memory_corpus([prepared_example(example) for example in examples])


def memory_corpus(documents: Sequence[Prepared]) -> Corpus:
    """Use documents in memory as a corpus of one part."""
    name = f"memory-{_checksum(documents)}"
    return Corpus((CorpusPart(name, len(documents), lambda: documents),))


def prepared_example(example: Example) -> Prepared:
    """Label an example; it has no word pieces yet."""
    document = example.analysis.document
    return Prepared(
        article=Article(document.id, "", document.text, example.reference),
        analysis=example.analysis,
        edus=labels_of(example, UnitKind.EDU),
        sentences=labels_of(example, UnitKind.SENTENCE),
        counts=_NO_COUNTS,
        layout=None,
    )


def _checksum(documents: Sequence[Prepared]) -> str:
    digest = hashlib.sha256()
    for document in documents:
        for text in (document.article.id, document.article.text, *document.article.reference):
            digest.update(text.encode("utf-8", "surrogatepass") + b"\0")
        edges = [edu.span.start for edu in document.analysis.document.edus]
        digest.update(repr((edges, document.edus.oracle)).encode())
    return digest.hexdigest()[:12]
