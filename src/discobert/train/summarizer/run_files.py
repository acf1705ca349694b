"""The files of a summariser's run folder: settings, and how lengths were tuned."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from discobert.errors import InputError
from discobert.nn.scorer import SummarizerNet
from discobert.scorer.decoding import TunedDecoding
from discobert.store.config import config_from
from discobert.store.files import write_whole
from discobert.train.summarizer.encoders import EncoderSetup
from discobert.train.summarizer.settings import SummarizerTraining
from discobert.train.summarizer.validate import Tuned

CONFIG, DECODING, TUNING = "config.json", "decoding.json", "tuning.csv"


def write_training(
    run: Path, training: SummarizerTraining, setup: EncoderSetup, net: SummarizerNet
) -> None:
    """Write the resolved settings and the size of the network."""
    content = {
        "training": asdict(training),
        "encoder": {"kind": setup.kind, "hidden": setup.hidden},
        "parameters": sum(p.numel() for p in net.parameters()),
    }
    write_whole(run / CONFIG, (json.dumps(content, indent=2) + "\n").encode())


def read_training(run: Path) -> SummarizerTraining:
    """Read the settings of a run."""
    path = run / CONFIG
    try:
        found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))["training"]
    except (OSError, ValueError, KeyError) as error:
        raise InputError(f"{path}: no settings of a summariser's run: {error!r}") from error
    return config_from(found, SummarizerTraining, where=str(path))


def write_tuning(run: Path, tuned: Tuned) -> None:
    """Write the ROUGE of every length rule that was tried as a table."""
    rows = ["rule,value,blocking,share,power,sentence_weight,bias,rouge1,rouge2,rougeL"]
    for rule, scores in tuned.trials:
        figures = ",".join(f"{score:.3f}" for score in scores)
        normalisation = f"{rule.economy.share},{rule.economy.power}"
        normalisation += f",{rule.sentence_weight},{rule.bias}"
        rows.append(f"{rule.rule.value},{rule.value},{rule.blocking},{normalisation},{figures}")
    write_whole(run / TUNING, ("\n".join(rows) + "\n").encode())


def write_decoding(run: Path, decoding: TunedDecoding) -> None:
    """Write the length rule that export puts into a bundle."""
    text = json.dumps(decoding.settings(), indent=2)
    write_whole(run / DECODING, f"{text}\n".encode())


def read_decoding(run: Path) -> TunedDecoding:
    """Read the length rule of a run."""
    return TunedDecoding.of(json.loads((run / DECODING).read_text(encoding="utf-8")))
