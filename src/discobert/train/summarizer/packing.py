"""Items as a few long arrays, so that tens of thousands load at once without parsing."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save

from discobert.errors import InputError
from discobert.runtime.pieces import PieceLayout
from discobert.scorer.features import N_FEATURES, Units
from discobert.store.files import write_whole
from discobert.train.summarizer.items import Item, RankData

Arrays = dict[str, NDArray[Any]]

_WIDTHS = {"pieces": 2, "places": 2, "features": N_FEATURES, "rst": 2, "coref": 2} | {
    "needs": 2,
    "grams": 2,
}
"""Columns of the arrays that have several; ``counts`` has as many as ``wanted`` has rows."""


def write_items(path: Path, items: Sequence[Item]) -> None:
    """Write items without their vectors, whole or not at all."""
    rows = [_arrays(item) for item in items]
    packed: Arrays = {}
    for name in rows[0] if rows else ():
        parts = [row[name] for row in rows]
        packed[name] = np.ascontiguousarray(np.concatenate([part.reshape(-1) for part in parts]))
        packed[f"{name}.sizes"] = np.array([part.size for part in parts], dtype=np.int64)
    ids = json.dumps([item.id for item in items])
    write_whole(path, save(packed, metadata={"ids": ids}))


def read_items(path: Path) -> list[Item]:
    """Read items back; their arrays are views of a few long ones."""
    try:
        with safe_open(path, framework="numpy") as file:
            ids = json.loads(file.metadata()["ids"])
            packed = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118 - no dict
    except (SafetensorError, OSError, KeyError, TypeError, ValueError) as error:
        raise InputError(f"{path}: damaged cache ({error}); remove it to build it anew") from error
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
    return Item(
        id=name,
        layout=_layout(arrays) if "ids" in arrays else None,
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


def _layout(arrays: Arrays) -> PieceLayout:
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
