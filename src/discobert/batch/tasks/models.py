"""The identity of the model that a run uses, and its limits."""

from discobert import __version__
from discobert.api import RULES, locate_bundle
from discobert.data.codecs.json_text import JsonObject
from discobert.data.limits import DEFAULT_LIMITS, TextLimits
from discobert.store.bundle import CARD, SHIPPED, checksum_of, open_bundle


def model_identity(model: str | None) -> JsonObject:
    """Return name and version of a model, and a digest of the checksums of its files.

    The model card is left out: it names results, and results name the model.
    """
    folder = locate_bundle(model)
    if folder is None:
        return {"name": RULES, "version": __version__, "digest": None}
    bundle = open_bundle(folder)
    digest = checksum_of({name: sha for name, sha in bundle.checksums.items() if name != CARD})
    return {"name": bundle.model.name, "version": bundle.model.version, "digest": digest}


def portable_model(model: str | None) -> str | None:
    """Name a model so that workers with other working directories find it, too."""
    folder = locate_bundle(model)
    if folder is None or folder.is_relative_to(SHIPPED):
        return model
    return str(folder.absolute())


def limit_of_edus(limits: TextLimits) -> JsonObject:
    """Describe a limit of EDUs that is not the usual one, as members of a manifest."""
    is_usual = limits.max_edus == DEFAULT_LIMITS.max_edus
    return {} if is_usual else {"max_edus": limits.max_edus}
