"""Teacher labels: a training corpus annotated by an analyser, for a smaller one to learn from."""

import hashlib
import logging
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from discobert.analyser.load import neural_analyser
from discobert.data.codecs.fields import Field
from discobert.data.codecs.json_text import dumps, loads
from discobert.data.document import SentenceLayout, SourceText
from discobert.errors import InputError, UsageError
from discobert.runtime.worker_pool import map_in_order
from discobert.store.bundle import open_bundle
from discobert.store.text import printable
from discobert.store.treebanks.gum import GoldDocument
from discobert.store.treebanks.teacher_labels import encode_teacher_labels

logger = logging.getLogger(__name__)

_EVERY = 20
"""Documents between two log messages."""


@dataclass(frozen=True, slots=True)
class Relabelling:
    """The bundle that annotates, the documents it annotates, and the number of processes."""

    bundle: Path
    limit: int | None = None
    seed: int = 0
    """Seed of the random choice of documents."""
    jobs: int = 1

    @property
    def model_key(self) -> str:
        """Checksum of the bundle, so that no file holds labels of two."""
        sums = repr(sorted(open_bundle(self.bundle).checksums.items()))
        return hashlib.sha256(sums.encode()).hexdigest()[:8]

    def chosen(self, documents: Sequence[GoldDocument]) -> list[GoldDocument]:
        """Choose documents at random; a larger limit begins with those of a smaller one."""
        order = list(documents)
        random.Random(self.seed).shuffle(order)
        return order[: self.limit]


def relabel(
    documents: Sequence[GoldDocument], out: Path, how: Relabelling, *, resume: bool = False
) -> int:
    """Write one line per document and return their number; ``out`` appears when all are done."""
    if out.exists():
        raise UsageError(f"{printable(out)}: exists already; remove it or name another file")
    part = out.with_name(f"{out.name}.{how.model_key}.part")
    chosen = how.chosen(documents)
    done = _finished_lines(part, chosen) if resume else 0
    out.parent.mkdir(parents=True, exist_ok=True)
    with part.open("ab" if done else "wb") as file:
        for number, line in enumerate(_lines(chosen[done:], how), start=done + 1):
            file.write(line)
            if number % _EVERY == 0:
                file.flush()
                logger.info("%d of %d documents", number, len(chosen))
    part.replace(out)
    return len(chosen)


def _finished_lines(part: Path, chosen: Sequence[GoldDocument]) -> int:
    """Count the complete lines of an interrupted run, and cut off an incomplete one."""
    if not part.exists():
        return 0
    lines = part.read_bytes().splitlines(keepends=True)
    whole = [line for line in lines if line.endswith(b"\n")]
    rows = (Field(loads(line.decode(), name=printable(part)), printable(part)) for line in whole)
    names = [row.member("id").text() for row in rows]
    if names != [gold.id for gold in chosen[: len(names)]]:
        raise InputError(f"{printable(part)}: of other documents; remove it to start again")
    with part.open("rb+") as file:
        file.truncate(sum(map(len, whole)))
    return len(whole)


class Labeller:
    """Annotates documents with a bundle's analyser, by the sentences of the corpus."""

    def __init__(self, bundle: Path) -> None:
        found = open_bundle(bundle)
        self._analyser = neural_analyser(found.read, found.settings)

    def __call__(self, gold: GoldDocument) -> bytes:
        """Return the line of a document, as JSON."""
        sentences = SentenceLayout(gold.sentences, gold.paragraphs)
        encoded = self._analyser.encode(SourceText(gold.id, gold.text), sentences)
        taught = encode_teacher_labels(gold, self._analyser.analyse_encoded(encoded))
        return f"{dumps(taught)}\n".encode()


def _lines(documents: Sequence[GoldDocument], how: Relabelling) -> Iterator[bytes]:
    """Annotate documents in their order."""
    if how.jobs == 1:
        return map(Labeller(how.bundle), documents)
    return map_in_order(partial(Labeller, how.bundle), documents, jobs=how.jobs)
