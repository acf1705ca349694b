"""Analyses supplied by users: our JSON, or RST trees in the formats of other tools."""

from pathlib import Path

from discobert.data.codecs.analysis import decode_analysis
from discobert.data.codecs.json_text import loads
from discobert.data.summary import Analysis
from discobert.errors import FormatError, UsageError
from discobert.language.clauses import has_subject
from discobert.language.sentences import NewsSplitter
from discobert.store.text import printable, read_text
from discobert.store.treebanks import FORMATS, read_tree, to_analysis


def read_analysis(path: Path, *, text: str | None = None) -> Analysis:
    """Read an analysis of ``text``, or of the text that the file itself holds.

    Tree files hold neither sentences nor subjects, so rules find them.
    """
    kind = path.suffix.removeprefix(".").lower()
    if kind == "json":
        return _read_json(path, text)
    if kind not in FORMATS:
        known = ", ".join(f".{kind}" for kind in ("json", *FORMATS))
        raise UsageError(f"{printable(path)}: unknown kind of analysis; use a file of {known}")
    tree = read_tree(path)
    subjects = [has_subject(edu) for edu in tree.edus]
    name = printable(path)
    return to_analysis(tree, name=name, splitter=NewsSplitter(), text=text, subjects=subjects)


def _read_json(path: Path, text: str | None) -> Analysis:
    name = printable(path)
    value = loads(read_text(path), name=name)
    try:
        analysis = decode_analysis(value)
    except FormatError as error:
        raise FormatError(f"{name}: {error}") from error
    if text is not None and analysis.document.text != text:
        raise FormatError(f"{name}: analyses another text than the one given")
    return analysis
