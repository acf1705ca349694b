"""A made-up corpus, and the calls that every test of a run needs."""

import json
import random
from collections.abc import Mapping, Sequence
from pathlib import Path

from discobert.batch.engine.plan import Shard
from discobert.batch.engine.stage import Job
from discobert.batch.engine.work_folder import WorkFolder
from discobert.batch.tasks.summaries import SummariseTask
from discobert.selection.request import SummaryRequest
from discobert.store.corpora.entries import Demands
from discobert.store.corpora.sources import CorpusKind, Source

WHO = ("The ferry", "A senator", "The company", "An old man", "The river")
LINK = ("said that", "crossed because", "closed after", "won although", "left when")
WHAT = ("the storm passed", "the vote failed", "prices rose", "he was tired", "nobody came")


def rows(number: int, *, paragraphs: int = 3) -> list[dict[str, object]]:
    """Make up articles; the same number gives the same articles."""
    rng = random.Random(number)
    made: list[dict[str, object]] = []
    for index in range(number):
        text = [
            " ".join(f"{rng.choice(WHO)} {rng.choice(LINK)} {rng.choice(WHAT)}." for _ in range(4))
            for _ in range(paragraphs)
        ]
        highlight = rng.choice(text).split(".")[0]
        made.append({"id": f"doc-{index}", "article": text, "highlights": [highlight]})
    return made


def write_rows(path: Path, lines: Sequence[str | dict[str, object]]) -> Path:
    """Write a JSONL file; a string is written as it is."""
    texts = [line if isinstance(line, str) else json.dumps(line) for line in lines]
    path.write_text("".join(f"{text}\n" for text in texts), encoding="utf-8")
    return path


def source_of(path: Path, *, reference: bool = False, max_chars: int = 1_000_000) -> Source:
    """Describe a JSONL file."""
    demands = Demands(reference=reference, max_chars=max_chars)
    return Source(kind=CorpusKind.JSONL, path=path, demands=demands)


TASK = SummariseTask(model="rules", request=SummaryRequest.of(words=12))


def job_of(path: Path, work: WorkFolder) -> Job:
    """Describe a small run of summaries."""
    return Job(source_of(path), work, TASK)


def read_json_lines(path: Path) -> list[Mapping[str, object]]:
    """Read a file of results."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def snapshot(path: Path) -> dict[str, bytes]:
    """Return every file below a path with its bytes."""
    if path.is_file():
        return {"": path.read_bytes()}
    files = (file for file in path.rglob("*") if file.is_file())
    return {file.relative_to(path).as_posix(): file.read_bytes() for file in files}


def ranges(shards: tuple[Shard, ...]) -> list[tuple[int, int]]:
    """Return first document and number of documents of each shard."""
    return [(shard.first, shard.count) for shard in shards]
