"""``discobert info``: versions, and the installed model with its card and checksums."""

import json
from enum import Enum
from typing import TYPE_CHECKING, Annotated, NamedTuple

from discobert import __version__
from discobert.cli.declare import Option
from discobert.cli.options import Debug, Model, Output, Quiet, Threads
from discobert.cli.outputs import emit

if TYPE_CHECKING:
    from discobert.data.codecs.json_text import JsonObject
    from discobert.data.summary import ModelId
    from discobert.store.bundle import Bundle

_PACKAGES = ("numpy", "onnxruntime", "rich", "tokenizers")
_EXTRAS = {
    "train": "torch",
    "serve": "fastapi",
    "mcp": "mcp",
    "batch": "ray",
    "inputs": "trafilatura",
}


class InfoFormat(Enum):
    """How facts are written."""

    TEXT = "text"
    JSON = "json"


class CheckedModel(NamedTuple):
    """A model and its bundle; the rules have none."""

    model: "ModelId"
    bundle: "Bundle | None"
    card: str


def info_command(
    *,
    model: Model = None,
    card: Annotated[bool, Option("--card", help="Show the model card, too.")] = False,
    form: Annotated[InfoFormat, Option("--format", help="Form of the output.")] = (InfoFormat.TEXT),
    output: Output = None,
    quiet: Quiet = False,
    threads: Threads = None,
    debug: Debug = False,
) -> None:
    """Show versions and the model, after checking every file of its bundle."""
    facts = check_model(model)
    if form is InfoFormat.JSON:
        shown = json.dumps(as_json(facts), ensure_ascii=False, indent=2)
    else:
        shown = "\n".join(as_lines(facts, card=card))
    emit(f"{shown}\n", output)


def check_model(model: str | None) -> CheckedModel:
    """Open the bundle of a model and verify all files; damage is an error."""
    from discobert.api import RULES_MODEL, locate_bundle
    from discobert.store.bundle import CARD, open_bundle

    folder = locate_bundle(model)
    if folder is None:
        return CheckedModel(RULES_MODEL, None, "")
    bundle = open_bundle(folder)
    bundle.verify()
    return CheckedModel(bundle.model, bundle, bundle.read(CARD).decode("utf-8", "replace"))


def as_json(facts: CheckedModel) -> "JsonObject":
    """Return the facts as JSON."""
    return {
        "format": 1,
        "discobert": __version__,
        "python": _system(),
        "packages": {name: _version(name) for name in _PACKAGES},
        "extras": {extra: _version(package) is not None for extra, package in _EXTRAS.items()},
        "model": {"name": facts.model.name, "version": facts.model.version},
        "bundle": None if facts.bundle is None else _bundle_as_json(facts.bundle, facts.card),
    }


def _bundle_as_json(bundle: "Bundle", card: str) -> "JsonObject":
    return {
        "path": str(bundle.path),
        "settings": bundle.settings,
        "checksums": dict(bundle.checksums),
        "card": card,
    }


def as_lines(facts: CheckedModel, *, card: bool) -> list[str]:
    """Return the facts as lines of text, on demand with the model card."""
    installed = [extra for extra, package in _EXTRAS.items() if _version(package)]
    lines = [
        f"discobert  {__version__}",
        f"python     {_system()}",
        f"packages   {', '.join(f'{name} {_version(name)}' for name in _PACKAGES)}",
        f"extras     {', '.join(installed) or 'none'}",
        f"model      {facts.model.name} {facts.model.version}",
    ]
    if facts.bundle is None:
        return [*lines, "bundle     none: rules need no weights"]
    lines.append(f"bundle     {facts.bundle.path}, every checksum holds")
    lines += [f"           {sha[:16]}…  {name}" for name, sha in facts.bundle.checksums.items()]
    if not card:
        return [*lines, "card       MODEL_CARD.md in that folder; --card shows it"]
    return [*lines, "", facts.card.rstrip()]


def _system() -> str:
    import platform

    return f"{platform.python_version()} on {platform.system()} {platform.machine()}"


def _version(package: str) -> str | None:
    from importlib import metadata

    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None
