"""Bundles opened for use: those that do not come with the package are checked in all their parts.

Checksums reveal damage, but whoever changes a file can change its checksum, too.
"""

from pathlib import Path

from discobert.data.document import SourceText
from discobert.errors import BundleError
from discobert.pipeline import Pipeline
from discobert.selection.request import SummaryRequest
from discobert.store.bundle import Bundle, open_bundle, require_recorded
from discobert.store.text import printable

_TRIAL = (
    "The old bridge, which engineers had called unsafe, was closed on Monday. "
    "Mayor Ellen Marsh said that it would open again in May if the repairs were done. "
    "She had asked for a second report because the first one was incomplete."
)
"""A text that has all parts of a model work."""


def checked_bundle(folder: Path) -> Bundle:
    """Open a bundle; unless it is shipped, compare all its parts with what the code expects."""
    bundle = open_bundle(folder)
    require_recorded(bundle)
    if not bundle.is_recorded:
        from discobert.analyser.bundle_check import check_analyser  # brings numpy
        from discobert.scorer.bundle_check import check_scorer
        from discobert.scorer.load import has_scorer

        sizes = check_analyser(bundle.read, bundle.settings)
        if has_scorer(bundle.settings):
            check_scorer(bundle.read, bundle.settings, sizes)
    return bundle


def try_out(bundle: Bundle, pipeline: Pipeline) -> None:
    """Summarise a short text with a foreign bundle, and refuse it if its parts do not fit."""
    if bundle.is_recorded:
        return
    try:
        pipeline.summarise(SourceText("a trial", _TRIAL), SummaryRequest.of(words=20))
    except BundleError:
        raise
    except Exception as error:
        raise BundleError(
            f"{printable(bundle.path)}: the model fails on a short text: {type(error).__name__}: "
            f"{error}; export it again"
        ) from error
