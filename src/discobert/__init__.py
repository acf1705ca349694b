"""Discourse-aware extractive summarisation: verbatim pieces of sentences, with evidence."""

import sys

if sys.argv[:1] == ["-m"] and "discobert" in sys.orig_argv and not sys.flags.safe_path:
    # python -m discobert: files in the working directory, such as json.py, are no modules of ours.
    del sys.path[0]

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable
    from os import PathLike
    from typing import Unpack

    from discobert.api import Summarizer
    from discobert.data.document import Document, Edu, Span
    from discobert.data.summary import Analysis, Summary, SummaryWarning, Unit
    from discobert.errors import BundleError, DiscobertError, InputError, UsageError
    from discobert.selection.request import SummaryOptions
    from discobert.sources import Source

__version__ = "0.1.0"

__all__ = [
    "Analysis",
    "BundleError",
    "DiscobertError",
    "Document",
    "Edu",
    "InputError",
    "Span",
    "Summarizer",
    "Summary",
    "SummaryWarning",
    "Unit",
    "UsageError",
    "__version__",
    "analyze",
    "analyze_all",
    "summarize",
    "summarize_all",
]

_PLACES = {
    "Summarizer": "api",
    **dict.fromkeys(("Document", "Edu", "Span"), "data.document"),
    **dict.fromkeys(("Analysis", "Summary", "SummaryWarning", "Unit"), "data.summary"),
    **dict.fromkeys(("BundleError", "DiscobertError", "InputError", "UsageError"), "errors"),
}


def summarize(
    text: "Source", *, model: str | None = None, **options: "Unpack[SummaryOptions]"
) -> "Summary":
    """Summarise one text, file or analysis with a model that is loaded for it alone.

    Options are those of ``Summarizer.summarize``; keep a ``Summarizer`` for several texts.
    """
    from discobert.api import Summarizer

    return Summarizer.load(model).summarize(text, **options)


def summarize_all(
    texts: "Iterable[Source]", *, model: str | None = None, **options: "Unpack[SummaryOptions]"
) -> "list[Summary]":
    """Summarise several texts, files or analyses with a model that is loaded for them once."""
    from discobert.api import Summarizer

    return Summarizer.load(model).summarize_all(texts, **options)


def analyze(text: "str | PathLike[str]", *, model: str | None = None) -> "Analysis":
    """Analyse one text or file with a model that is loaded for it alone."""
    from discobert.api import Summarizer

    return Summarizer.load(model).analyze(text)


def analyze_all(
    texts: "Iterable[str | PathLike[str]]", *, model: str | None = None
) -> "list[Analysis]":
    """Analyse several texts or files with a model that is loaded for them once."""
    from discobert.api import Summarizer

    return Summarizer.load(model).analyze_all(texts)


def __getattr__(name: str) -> type:
    """Load a class when it is first asked for.

    The facade brings numpy and the weights' runtime; and the command is up, and can be interrupted
    without a traceback, before much is imported.
    """
    if name not in _PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found: type = getattr(import_module(f"discobert.{_PLACES[name]}"), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
