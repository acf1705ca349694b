"""Export of a cut head: a bundle with everything of another and the weights of a run."""

import json
from pathlib import Path
from typing import Any

from discobert.analyser.cuts.head import SECTION, WEIGHTS
from discobert.data.codecs.json_text import JsonObject
from discobert.data.summary import ModelId
from discobert.errors import InputError
from discobert.store.bundle import CARD, CONFIG, Bundle, write_bundle
from discobert.train.cuts.train import RUN_CONFIG

HEADING = "## Cuts inside sentences"
PARAGRAPH = f"""{HEADING}

`cuts.safetensors` estimates how surely clauses of a sentence can be left out without harm: the rest
is grammatical, faithful to the text and complete. The cuts that it learned from were judged by
language models under a fixed brief, not by people; its probabilities are those of such judgements.
Its dependency parser learned from GUM (without documents of NC licences) and UD English EWT.
"""


def export_cuts(
    run: Path, path: Path, *, base: Bundle, model: ModelId | None = None, card: str | None = None
) -> Bundle:
    """Write a bundle that is ``base`` with the cut head of a run."""
    kept = {name: base.read(name) for name in base.checksums if name not in (CONFIG, CARD)}
    settings: JsonObject = {**base.settings, SECTION: _section(run)}
    text = card if card is not None else base.read(CARD).decode()
    if HEADING not in text:
        text = f"{text.rstrip()}\n\n{PARAGRAPH}"
    files = {**kept, WEIGHTS: (run / WEIGHTS).read_bytes(), CARD: text.encode()}
    return write_bundle(path, model=model or base.model, settings=settings, files=files)


def _section(run: Path) -> JsonObject:
    path = run / RUN_CONFIG
    try:
        section: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))[SECTION]
    except (OSError, ValueError, KeyError) as error:
        raise InputError(f"{path}: no settings of a cut head's run: {error!r}") from error
    return section
