"""Cached features of documents: half precision, memory-mapped, one file for each corpus part.

A folder belongs to one key: all that the features depend on. A part is complete once its file of
items exists, so that an interrupted run computes only what is missing.
"""

import hashlib
import json
import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save

from discobert.errors import InputError
from discobert.runtime.pieces import IntArray, PieceLayout
from discobert.scorer.features import Units
from discobert.store.files import write_whole
from discobert.store.prepared.documents import Prepared
from discobert.train.core.workers import map_in_order
from discobert.train.summarizer.features.items import Item, RankData

logger = logging.getLogger(__name__)

FORMAT = 1
KEY_FILE = "cache.json"

HalfArray = NDArray[np.float16]
Featurise = Callable[[Prepared], tuple[Item, HalfArray]]


@dataclass(frozen=True, slots=True)
class CachedDocument:
    """A document and the cached input of the network."""

    item: Item
    inputs: NDArray[np.floating] | NDArray[np.integer]


@dataclass(frozen=True, slots=True)
class CorpusPart:
    """Some documents under a name that changes with their content."""

    name: str
    n_documents: int
    documents: Callable[[], Iterable[Prepared]]


def cache_folder(root: Path, key: Mapping[str, Any]) -> Path:
    """Return the folder of the features that depend on this key and nothing else."""
    text = json.dumps({"format": FORMAT, **key}, sort_keys=True)
    folder = root / hashlib.sha256(text.encode()).hexdigest()[:16]
    folder.mkdir(parents=True, exist_ok=True)
    (folder / KEY_FILE).write_text(text + "\n", encoding="utf-8")
    return folder


def cached_documents(
    folder: Path,
    parts: Sequence[CorpusPart],
    featurise: Featurise,
    *,
    limit: int | None = None,
    on_document: Callable[[], None] = lambda: None,
) -> list[CachedDocument]:
    """Read the features of a corpus, after computing those that are missing."""
    found: list[CachedDocument] = []
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
        for item, vectors in map_in_order(featurise, part.documents()):
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


def _read_part(folder: Path, name: str) -> list[CachedDocument]:
    items = read_items(_items_file(folder, name))
    path = _vectors_file(folder, name)
    try:
        header = json.loads(path.with_suffix(".json").read_text())
        rows, width = header["rows"], header["width"]
        if width == 0:
            return [CachedDocument(item, _ids(item)) for item in items]
        vectors = np.memmap(path, dtype=np.float16, mode="r", shape=(sum(rows), width))
    except (OSError, ValueError, KeyError) as error:
        raise _damaged(path, error) from error
    return [
        CachedDocument(item, vectors[low:high])
        for item, (low, high) in zip(items, pairwise(accumulate(rows, initial=0)), strict=True)
    ]


def _damaged(path: Path, error: Exception) -> InputError:
    return InputError(f"{path}: damaged cache ({error}); remove it to compute it again")


def _ids(item: Item) -> IntArray:
    """Return the input of an encoder without a frozen part."""
    return np.zeros(0, dtype=np.int32) if item.layout is None else item.layout.ids


Arrays = dict[str, NDArray[Any]]

_WIDTHS = {"pieces": 2, "places": 2, "rst": 2, "coref": 2, "needs": 2, "grams": 2}
"""Columns of the arrays that have two; ``features`` and ``counts`` have a row for each unit."""


def write_items(path: Path, items: Sequence[Item]) -> None:
    """Write items as a few long arrays, so that many load at once without parsing."""
    rows = [_arrays(item) for item in items]
    packed: Arrays = {}
    for name in rows[0] if rows else ():
        parts = [row[name] for row in rows]
        packed[name] = np.ascontiguousarray(np.concatenate([part.reshape(-1) for part in parts]))
        packed[f"{name}.sizes"] = np.array([part.size for part in parts], dtype=np.int64)
    ids = json.dumps([item.id for item in items])
    write_whole(path, save(packed, metadata={"ids": ids}))


def read_items(path: Path) -> list[Item]:
    """Read items; their arrays are views of a few long ones."""
    try:
        with safe_open(path, framework="numpy") as file:
            ids = json.loads(file.metadata()["ids"])
            packed = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118 - no dict
    except (SafetensorError, OSError, KeyError, TypeError, ValueError) as error:
        raise _damaged(path, error) from error
    parts = {name: _split(packed, name) for name in packed if not name.endswith(".sizes")}
    return [
        _item(name, {key: values[index] for key, values in parts.items()})
        for index, name in enumerate(ids)
    ]


def _split(packed: Mapping[str, NDArray[Any]], name: str) -> list[NDArray[Any]]:
    bounds = np.cumsum(packed[f"{name}.sizes"])[:-1]
    parts = np.split(packed[name], bounds)
    return [part.reshape(-1, _WIDTHS[name]) for part in parts] if name in _WIDTHS else parts


def _arrays(item: Item) -> Arrays:
    units, rank, layout = item.units, item.rank, item.layout
    arrays: Arrays = {
        "pieces": units.pieces,
        "sentences": units.sentences,
        "places": units.places,
        "features": units.features,
        "rst": units.rst,
        "coref": units.coref,
        "chosen": item.chosen,
        "gains": item.gains,
        "words": rank.words,
        "tokens": rank.tokens,
        "counts": rank.counts,
        "wanted": rank.wanted,
        "needs": rank.needs,
        "grams": rank.grams,
        "sizes": np.array([rank.n_unigrams, rank.reference_tokens], dtype=np.int32),
    }
    if layout is not None:
        arrays |= {
            "ids": layout.ids,
            "shapes": layout.shapes,
            "blocks": layout.blocks,
            "block_sentences": layout.block_sentences,
        }
    return arrays


def _item(name: str, arrays: Arrays) -> Item:
    n_grams = len(arrays["wanted"])
    n_unigrams, reference_tokens = arrays["sizes"].tolist()
    n_units = len(arrays["sentences"])
    arrays["features"] = arrays["features"].reshape(n_units, -1)
    return Item(
        id=name,
        layout=_read_layout(arrays) if "ids" in arrays else None,
        units=Units(*(arrays[key] for key in Units.__slots__)),
        chosen=arrays["chosen"],
        gains=arrays["gains"],
        rank=RankData(
            words=arrays["words"],
            tokens=arrays["tokens"],
            counts=arrays["counts"].reshape(n_units, n_grams),
            wanted=arrays["wanted"],
            n_unigrams=n_unigrams,
            reference_tokens=reference_tokens,
            needs=arrays["needs"],
            grams=arrays["grams"],
        ),
    )


def _read_layout(arrays: Arrays) -> PieceLayout:
    none = np.zeros(0, dtype=np.int32)
    return PieceLayout(
        ids=arrays["ids"],
        shapes=arrays["shapes"],
        blocks=arrays["blocks"],
        block_sentences=arrays["block_sentences"],
        word_pieces=none.reshape(0, 2),
        word_chars=none.reshape(0, 2),
        word_sentences=none,
        word_opens=none.astype(np.bool_),
    )
