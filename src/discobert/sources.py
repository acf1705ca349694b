"""What callers hand over as texts: strings, paths of files, or analyses."""

import os
import re
import warnings
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from discobert.data.analysis import Analysis
from discobert.data.codecs.json_text import split_character
from discobert.data.document import SourceText
from discobert.data.limits import DEFAULT_LIMITS, TextLimits
from discobert.errors import InputError, UsageError, WrongType

Source = str | os.PathLike[str] | Analysis
"""A text, the path of a file, or a text that is analysed already."""

_LONGEST_PATH = 1000
_ADDRESS = re.compile(r"(?:https?|ftp|file)://\S+|www\.\S+", re.IGNORECASE)
_FILE_NAME = re.compile(
    r"(?:[\w.~:-]*[/\\])*[\w.~-]+\."
    r"(?:txt|md|markdown|html?|xhtml|pdf|docx?|eml|srt|vtt|rtf|odt|json|jsonl|rs[34d]|dis|story)",
    re.IGNORECASE,
)
_STRING = "text"
"""The name of a text that is given as a string; those of a list are numbered."""
_TAKEN = "a text (str), a Path or an Analysis"


def one_source(
    text: object,
    name: str | None = None,
    *,
    taker: str = "summarize",
    limits: TextLimits = DEFAULT_LIMITS,
) -> SourceText | Analysis:
    """Return what a caller gave as one text with its name, or as the analysis that it is."""
    found = _sources(text, taker, limits)
    if len(found) != 1:
        raise UsageError(f"{text}: holds {len(found)} texts; {taker}_all takes them all")
    (source,) = found
    _refuse_letterless(source if name is None else (source := _renamed(source, name)))
    return source


def all_sources(
    texts: Iterable[object],
    names: Sequence[str] | None,
    *,
    taker: str,
    limits: TextLimits = DEFAULT_LIMITS,
) -> list[SourceText | Analysis]:
    """Return all texts with their names, and refuse all of them if one cannot be analysed."""
    if isinstance(texts, str | bytes | os.PathLike | Analysis) or not isinstance(texts, Iterable):
        hint = f"one text belongs to {taker}" if isinstance(texts, str) else ""
        raise WrongType("texts", f"a list, each {_TAKEN}", texts, hint)
    given = list(texts)
    found = list[SourceText | Analysis]()
    for number, text in enumerate(given, start=1):
        name = f"{_STRING} {number}" if len(given) > 1 else _STRING
        found += _sources(text, taker, limits, name)
    if names is not None:
        if len(names) != len(found):
            raise UsageError(f"{len(found)} texts need as many names, got {len(names)}")
        found = [_renamed(*pair) for pair in zip(found, names, strict=True)]
    for source in found:
        _refuse_letterless(source)
        if isinstance(source, SourceText):
            limits.check_chars(source.id, len(source.text))
    return found


def _sources(
    text: object, taker: str, limits: TextLimits, name: str = _STRING
) -> Sequence[SourceText | Analysis]:
    if isinstance(text, str):
        _warn_of_path(text)
        return [SourceText(name, text)]
    if isinstance(text, os.PathLike):
        # Readers of files are loaded for files alone.
        from discobert.store.inputs import read_documents
        from discobert.store.treebanks import FORMATS
        from discobert.store.treebanks.analyses import read_analysis

        path = Path(text)
        if path.suffix.lower().removeprefix(".") in FORMATS:
            return [read_analysis(path)]
        return read_documents(path, limits=limits)
    if isinstance(text, Analysis) and taker == "summarize":
        return [text]
    taken = _TAKEN if taker == "summarize" else "a text (str) or a Path"
    raise WrongType("text", taken, text, _hint(text, taker))


def _warn_of_path(text: str) -> None:
    """Warn of a string that is an address, or the name of a file rather than a text."""
    if len(text) > _LONGEST_PATH or "\n" in text.strip():
        return
    if _ADDRESS.fullmatch(text.strip()):
        advice = "nothing is fetched; save the page and give its Path"
    elif _FILE_NAME.fullmatch(text.strip()) or _is_file(text):
        advice = f"to read the file, give Path({text!r})"
    else:
        return
    message = f"{text!r} is taken as the text itself: {advice}"
    warnings.warn(message, UserWarning, stacklevel=5)


def _is_file(text: str) -> bool:
    try:
        return Path(text).is_file()
    except (OSError, ValueError):  # no name that the system takes
        return False


def _hint(text: object, taker: str) -> str:
    if isinstance(text, bytes):
        return "decode the bytes, or give the Path of a file"
    if isinstance(text, list | tuple | set | dict):
        return f"several texts belong to {taker}_all"
    return ""


def _renamed(source: SourceText | Analysis, name: str) -> SourceText | Analysis:
    if not isinstance(name, str):
        raise WrongType("name", "a string", name)
    if isinstance(source, Analysis):
        return replace(source, document=replace(source.document, id=name))
    return replace(source, id=name)


def _refuse_letterless(source: SourceText | Analysis) -> None:
    if isinstance(source, SourceText):
        require_letters(source.id, source.text)


def require_letters(name: str, text: str) -> None:
    """Refuse a text without any letter."""
    if not text:
        raise InputError(f"{name}: the text is empty")
    if text.isspace():
        raise InputError(f"{name}: the text holds nothing but white space")
    if not any(map(str.isalpha, text)):
        raise InputError(f"{name}: the text has no letters, so there is nothing to summarise")
    place = split_character(text)
    if place is not None:
        raise InputError(
            f"{name}: characters {place} and {place + 1} are the halves of one; join them with "
            "text.encode('utf-16', 'surrogatepass').decode('utf-16')"
        )
