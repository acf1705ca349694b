"""Features of documents on disk: halves, memory-mapped, one file a part of the corpus.

A folder belongs to one key, which names all that the features depend on: the encoder's checksum,
what is cached, and how documents were cut. A part is there once its list of items is, so that an
interrupted run goes on where it stopped.
"""

import hashlib
import json
import logging
import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from itertools import accumulate, pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discobert.errors import InputError
from discobert.runtime.pieces import IntArray
from discobert.store.prepared.documents import Prepared
from discobert.train.summarizer.items import Item
from discobert.train.summarizer.packing import read_items, write_items

logger = logging.getLogger(__name__)

FORMAT = 1
KEY_FILE = "cache.json"
WORKERS = min(4, os.cpu_count() or 1)

Halves = NDArray[np.float16]
Featurise = Callable[[Prepared], tuple[Item, Halves]]


@dataclass(frozen=True, slots=True)
class Learnable:
    """A document with what the network reads of it."""

    item: Item
    inputs: NDArray[np.floating] | NDArray[np.integer]


@dataclass(frozen=True, slots=True)
class CorpusPart:
    """Some documents under a name that changes with their content."""

    name: str
    n_documents: int
    documents: Callable[[], Iterable[Prepared]]


def cache_folder(root: Path, facts: Mapping[str, Any]) -> Path:
    """Return the folder of all features that depend on these facts and nothing else."""
    text = json.dumps({"format": FORMAT, **facts}, sort_keys=True)
    folder = root / hashlib.sha256(text.encode()).hexdigest()[:16]
    folder.mkdir(parents=True, exist_ok=True)
    (folder / KEY_FILE).write_text(text + "\n", encoding="utf-8")
    return folder


def cached(
    folder: Path,
    parts: Sequence[CorpusPart],
    featurise: Featurise,
    *,
    limit: int | None = None,
    on_document: Callable[[], None] = lambda: None,
) -> list[Learnable]:
    """Read the features of a corpus, making those that are not there yet."""
    found: list[Learnable] = []
    for part in parts:
        if limit is not None and len(found) >= limit:
            break
        if not _items_file(folder, part.name).is_file():
            logger.info("caching features of %s", part.name)
            _write_part(folder, part, featurise, on_document)
        found += _read_part(folder, part.name)
    return found[:limit]


def _items_file(folder: Path, name: str) -> Path:
    return folder / f"{name}.items.safetensors"


def _vectors_file(folder: Path, name: str) -> Path:
    return folder / f"{name}.vectors.f16"


def _write_part(
    folder: Path, part: CorpusPart, featurise: Featurise, on_document: Callable[[], None]
) -> None:
    items: list[Item] = []
    fresh = _vectors_file(folder, part.name).with_suffix(".new")
    shapes: list[tuple[int, ...]] = []
    with fresh.open("wb") as file:
        for item, vectors in _featurised(part, featurise):
            vectors.astype(np.float16).tofile(file)
            items.append(item)
            shapes.append(vectors.shape)
            on_document()
    if not items:
        fresh.unlink()
        raise InputError(f"{part.name}: no document in it to learn from")
    width = shapes[0][1]
    header = {"rows": [shape[0] for shape in shapes], "width": width}
    fresh.replace(_vectors_file(folder, part.name))
    _vectors_file(folder, part.name).with_suffix(".json").write_text(json.dumps(header))
    write_items(_items_file(folder, part.name), items)


def _featurised(part: CorpusPart, featurise: Featurise) -> Iterator[tuple[Item, Halves]]:
    # ONNX Runtime lets go of the lock, so documents are encoded side by side, in their order.
    with ThreadPoolExecutor(WORKERS) as pool:
        waiting: deque[Future[tuple[Item, Halves]]] = deque()
        for document in part.documents():
            waiting.append(pool.submit(featurise, document))
            if len(waiting) > 2 * WORKERS:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()


def _read_part(folder: Path, name: str) -> list[Learnable]:
    items = read_items(_items_file(folder, name))
    path = _vectors_file(folder, name)
    try:
        header = json.loads(path.with_suffix(".json").read_text())
        rows, width = header["rows"], header["width"]
        if width == 0:
            return [Learnable(item, _ids(item)) for item in items]
        vectors = np.memmap(path, dtype=np.float16, mode="r", shape=(sum(rows), width))
    except (OSError, ValueError, KeyError) as error:
        raise InputError(f"{path}: damaged cache ({error}); remove it to build it anew") from error
    return [
        Learnable(item, vectors[low:high])
        for item, (low, high) in zip(items, pairwise(accumulate(rows, initial=0)), strict=True)
    ]


def _ids(item: Item) -> IntArray:
    """Return what an encoder without a frozen part reads."""
    return np.zeros(0, dtype=np.int32) if item.layout is None else item.layout.ids
