"""What commands that tune a bundle have in common: its version, its card, and how it is written."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from discobert.cli.declare import Argument, Option

if TYPE_CHECKING:
    from discobert.data.codecs.json_text import JsonObject
    from discobert.store.bundle import Bundle

TunedBundle = Annotated[
    Path, Argument(metavar="BUNDLE", help="Folder to write the tuned bundle to.")
]
Version = Annotated[
    str | None, Option(help="Version of the tuned model.", show_default="that of --model")
]
Card = Annotated[
    Path | None, Option(metavar="FILE.md", help="Model card.", show_default="that of --model")
]


def read_card(card: Path | None) -> bytes | None:
    """Read a model card before the work begins, so that a wrong path costs no time."""
    from discobert.store.text import read_text

    return None if card is None else read_text(card).encode()


def write_tuned(
    folder: Path,
    found: "Bundle",
    settings: "JsonObject",
    *,
    version: str | None,
    card: bytes | None,
) -> None:
    """Write a bundle with new settings; all other files but the model card stay as they are."""
    from discobert.data.summary import ModelId
    from discobert.store.bundle import CARD, CONFIG, write_bundle

    files = {name: found.read(name) for name in found.checksums if name != CONFIG}
    if card is not None:
        files[CARD] = card
    tuned = found.model if version is None else ModelId(found.model.name, version)
    write_bundle(folder, model=tuned, settings=settings, files=files)
