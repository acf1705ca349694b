"""The identity of the model that a run uses."""

import hashlib

from discobert import __version__
from discobert.api import RULES, locate_bundle
from discobert.data.json_text import JsonObject
from discobert.store.bundle import CHECKSUMS, open_bundle


def model_identity(model: str | None) -> JsonObject:
    """Return name and version of a model, and a digest of the checksums of its files."""
    folder = locate_bundle(model)
    if folder is None:
        return {"name": RULES, "version": __version__, "digest": None}
    bundle = open_bundle(folder)
    digest = hashlib.sha256((folder / CHECKSUMS).read_bytes()).hexdigest()
    return {"name": bundle.model.name, "version": bundle.model.version, "digest": digest}
