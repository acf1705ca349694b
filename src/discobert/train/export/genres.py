"""Export of heads for other genres: a bundle with everything of another and the heads of a run."""

import json
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import save

from discobert.data.summary import ModelId
from discobert.errors import InputError
from discobert.scorer.load import GENRE_SECTION, GENRE_WEIGHTS, SENTENCE_SECTION
from discobert.store.bundle import CARD, CONFIG, Bundle, write_bundle
from discobert.train.core.weights_file import read_weights_file
from discobert.train.genres.train import RECORD, WEIGHTS

HEADING = "## Texts that are no news"


def export_genres(
    run: Path, path: Path, *, base: Bundle, model: ModelId, card: str | None = None
) -> Bundle:
    """Write a bundle with all of ``base`` and the heads of a run, in half precision."""
    if SENTENCE_SECTION not in base.settings:
        raise InputError(f"{base.path}: has no sentence network for the heads to stand on")
    record = _record(run)
    halves = {
        name: value.to(torch.float16).contiguous()
        for name, value in read_weights_file(run / WEIGHTS).items()
    }
    files = {name: base.read(name) for name in base.checksums if name != CONFIG}
    text = files[CARD].decode() if card is None else card
    files[CARD] = f"{text.split(HEADING)[0].rstrip()}\n\n{_card_section(record)}\n".encode()
    files[GENRE_WEIGHTS] = save(halves)
    settings = {**base.settings, GENRE_SECTION: {"base": record["base"]}}
    return write_bundle(path, model=model, settings=settings, files=files)


def _record(run: Path) -> dict[str, Any]:
    try:
        record: dict[str, Any] = json.loads((run / RECORD).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise InputError(f"{run / RECORD}: no record of a finished run: {error!r}") from error
    return record


def _card_section(record: dict[str, Any]) -> str:
    dev = record["dev"]["all"]
    return (
        f"{HEADING}\n\n"
        f"`genres.safetensors` tells news from other texts (right for "
        f"{record['news_accuracy']:.1%} of texts kept apart) and scores the sentences of the "
        f"others. Trained on {record['extracts']:,} editors' extracts, whose labels are by "
        f"language models under a fixed brief, not by people, and on the human summaries of "
        f"{record['summarised']:,} documents of GUM. Area under the curve of the editor's choice "
        f"on {dev['documents']:,} texts kept apart: {dev['best']:.3f}."
    )
