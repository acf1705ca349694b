"""Export of a sentence network: all files of a bundle, and its weights in half precision."""

import json
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import save

from discobert.data.codecs.json_text import JsonObject
from discobert.data.summary import ModelId
from discobert.errors import InputError
from discobert.scorer.load import SENTENCE_SECTION, SENTENCE_WEIGHTS
from discobert.store.bundle import CARD, CONFIG, Bundle, write_bundle
from discobert.train.core.weights_file import read_weights_file
from discobert.train.sentences.train import RECORD, WEIGHTS

HEADING = "## Sentence network"


def export_sentences(
    run: Path, path: Path, *, base: Bundle, model: ModelId, card: str | None = None
) -> Bundle:
    """Write a bundle with all of ``base`` and the sentence network of a run."""
    record = read_record(run)
    weights = read_weights_file(run / WEIGHTS)
    halves = {name: value.to(torch.float16).contiguous() for name, value in weights.items()}
    files = {name: base.read(name) for name in base.checksums if name != CONFIG}
    written = files[CARD].decode() if card is None else card
    files[CARD] = f"{written.split(HEADING)[0].rstrip()}\n\n{card_section(record)}\n".encode()
    files[SENTENCE_WEIGHTS] = save(halves)
    settings: JsonObject = {**base.settings, SENTENCE_SECTION: sentence_settings(record)}
    return write_bundle(path, model=model, settings=settings, files=files)


def read_record(run: Path) -> dict[str, Any]:
    """Read the figures that a finished run recorded."""
    try:
        record: dict[str, Any] = json.loads((run / RECORD).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise InputError(f"{run / RECORD}: no record of a finished run: {error!r}") from error
    return record


def sentence_settings(record: dict[str, Any]) -> JsonObject:
    """Return the network's section of the bundle's settings."""
    training = record["settings"]
    sizes = {name: training[name] for name in ("width", "feed_forward", "layers")}
    return {**sizes, "steps": training["steps"], "base": record["base"]}


def card_section(record: dict[str, Any]) -> str:
    """Return the part of the model card about the sentence network."""
    best, training = record["best"], record["settings"]
    scores = " / ".join(f"{best[name]:.2f}" for name in ("rouge1", "rouge2", "rougeL"))
    return (
        f"{HEADING}\n\n"
        f"Trained on {record['documents']:,} articles ({', '.join(record['data'])}), "
        f"{training['steps']:,} steps of {training['documents_per_step']} articles, "
        f"{record['seconds'] / 60:.0f} minutes; started from the context layers of "
        f"{record['base']}. ROUGE-1/2/L of its three best sentences on "
        f"{training['validation_documents']:,} held-out articles: {scores} "
        f"(step {best['step']:.0f}). The heads for an editor's choice and for furniture were "
        "trained on extracts whose labels are by a language model under a fixed brief, not by "
        "people."
    )
