"""``discobert export``: trained weights to a bundle that runs without torch."""

from pathlib import Path
from typing import Annotated

import typer

from discobert.cli.options import Debug, Quiet, Threads
from discobert.errors import InputError, MissingExtra


def export_command(
    checkpoint: Annotated[
        Path, typer.Argument(metavar="CHECKPOINT", help="Folder that training wrote.")
    ],
    bundle: Annotated[
        Path, typer.Argument(metavar="BUNDLE", help="Folder to write; must not exist.")
    ],
    *,
    name: Annotated[str, typer.Option(help="Name of the model.")] = "discobert-en",
    version: Annotated[str, typer.Option(help="Version of the model.")] = "0.1.0",
    card: Annotated[
        Path | None,
        typer.Option(metavar="FILE.md", help="Model card.", show_default="the run's settings"),
    ] = None,
    encoder: Annotated[
        Path | None, typer.Option(metavar="DIR", help="BERT checkpoint that training started from.")
    ] = None,
    fp32: Annotated[
        bool, typer.Option("--fp32", help="Keep single precision in place of int8.")
    ] = False,
    boundary_threshold: Annotated[
        float, typer.Option(help="Logit above which a word starts an EDU; tune it on dev.")
    ] = 0.0,
    link_threshold: Annotated[
        float, typer.Option(help="Score above which a mention links to another; tune it on dev.")
    ] = 0.0,
    quiet: Quiet = False,
    threads: Threads = None,
    debug: Debug = False,
) -> None:
    """Write graphs, weights, tokenizer, model card and checksums."""
    from discobert.cli.train import find_encoder
    from discobert.data.summary import ModelId

    try:
        from discobert.train.export import RuntimeSettings, export_analyser
    except ImportError as error:
        raise MissingExtra("torch", "train") from error
    if not (checkpoint / "analyser.safetensors").is_file():
        raise InputError(
            f"{checkpoint}: no analyser.safetensors there; name the folder that training wrote"
        )
    text = (
        card.read_text(encoding="utf-8")
        if card
        else (checkpoint / "config.json").read_text("utf-8")
    )
    export_analyser(
        checkpoint,
        bundle,
        encoder=find_encoder(encoder),
        model=ModelId(name, version),
        card=text,
        runtime=RuntimeSettings(
            int8=not fp32, boundary_threshold=boundary_threshold, link_threshold=link_threshold
        ),
    )
