"""Every form in which summaries and analyses are written, by name and by suffix of the file.

The command line and the methods of ``Summary`` and ``Analysis`` (``to_json``, ``save``, ``load``,
…) use the same functions.
"""

from collections.abc import Mapping, Sequence
from enum import Enum
from pathlib import Path
from typing import TypeVar

from discobert.data.analysis import Analysis
from discobert.data.codecs.json_text import JsonObject
from discobert.data.document import Document
from discobert.data.rst import RstTree
from discobert.data.summary import Summary
from discobert.errors import UsageError
from discobert.render.screen import PLAIN, Screen


class SummaryFormat(Enum):
    """How summaries are written."""

    TEXT = "text"
    JSON = "json"
    JSONL = "jsonl"
    HTML = "html"
    MARKDOWN = "markdown"
    SOURCE = "source"
    TREE = "tree"


class AnalysisFormat(Enum):
    """How analyses are written."""

    JSON = "json"
    TREE = "tree"
    RS3 = "rs3"
    DIS = "dis"
    HTML = "html"


SUMMARY_SUFFIXES: Mapping[str, SummaryFormat] = {
    ".txt": SummaryFormat.TEXT,
    ".md": SummaryFormat.MARKDOWN,
    ".markdown": SummaryFormat.MARKDOWN,
    ".json": SummaryFormat.JSON,
    ".jsonl": SummaryFormat.JSONL,
    ".html": SummaryFormat.HTML,
    ".htm": SummaryFormat.HTML,
}
ANALYSIS_SUFFIXES: Mapping[str, AnalysisFormat] = {
    ".txt": AnalysisFormat.TREE,
    ".json": AnalysisFormat.JSON,
    ".rs3": AnalysisFormat.RS3,
    ".dis": AnalysisFormat.DIS,
    ".html": AnalysisFormat.HTML,
    ".htm": AnalysisFormat.HTML,
}
ONE_TREE = (AnalysisFormat.RS3, AnalysisFormat.DIS)
"""Formats whose files hold one analysis."""

Form = TypeVar("Form", SummaryFormat, AnalysisFormat)


def form_of(path: Path, suffixes: Mapping[str, Form], default: Form) -> Form:
    """Return the form that a path is named after; a name without a suffix gets the default."""
    suffix = path.suffix.lower()
    if suffix and suffix not in suffixes:
        raise UsageError(
            f"{path.name}: {suffix} is none of the kinds of file that can be written: "
            f"{', '.join(suffixes)}"
        )
    return suffixes.get(suffix, default)


def format_summaries(
    summaries: Sequence[Summary],
    form: SummaryFormat,
    *,
    screen: Screen | None = None,
    source: bool = False,
    several: bool = False,
) -> str:
    """Write summaries in one form, for a terminal if ``screen`` is given.

    JSON holds the text that was summarised if ``source`` is set, and is an array if there are
    ``several`` summaries or one is left of several.
    """
    if form is SummaryFormat.HTML:
        from discobert.render.summaries.html import render_summary_html

        return render_summary_html([(_analysis(summary), summary) for summary in summaries])
    if form is SummaryFormat.MARKDOWN:
        from discobert.render.summaries.markdown import render_markdown

        return render_markdown(summaries)
    if form in (SummaryFormat.TEXT, SummaryFormat.SOURCE, SummaryFormat.TREE):
        return _for_terminal(summaries, form, screen)
    from discobert.render.summaries.json import render_json, render_jsonl

    if form is SummaryFormat.JSONL:
        return render_jsonl(summaries, source=source)
    return render_json(summaries, source=source, array=several)


def _for_terminal(summaries: Sequence[Summary], form: SummaryFormat, screen: Screen | None) -> str:
    """Show summaries, or what was chosen in their sources or trees."""
    if form is SummaryFormat.TEXT:
        from discobert.render.summaries.text import render_terminal, render_text

        if screen is None:
            return render_text(summaries)
        return render_terminal(summaries, width=screen.width)
    from discobert.render.summaries.chosen import render_chosen_source, render_chosen_tree

    shown = screen or PLAIN
    if form is SummaryFormat.SOURCE:
        return "\n".join(render_chosen_source(each, shown) for each in summaries)
    return "\n".join(render_chosen_tree(_analysis(each), each, shown) for each in summaries)


def _analysis(summary: Summary) -> Analysis:
    if summary.analysis is None:
        raise UsageError(
            f"{summary.document.id}: the page of a summary shows its analysis, which this one, "
            "read from JSON, does not have; summarise the text again"
        )
    return summary.analysis


def format_analyses(
    analyses: Sequence[Analysis],
    form: AnalysisFormat,
    *,
    width: int | None = None,
    several: bool = False,
) -> str:
    """Write analyses in one form; ``width`` bounds the lines of the tree.

    JSON is an array if there are ``several`` or one is left of several.
    """
    if form in ONE_TREE:
        from discobert.store.treebanks import format_tree, from_analysis

        return format_tree(from_analysis(analyses[0]), form.value)
    if form is AnalysisFormat.HTML:
        from discobert.render.trees.html import render_html

        return render_html(analyses)
    if form is AnalysisFormat.TREE:
        from discobert.render.trees.text import WIDTH, render_tree

        return render_tree(analyses, width=width or WIDTH)
    from discobert.render.analysis_json import render_analysis_json

    return render_analysis_json(analyses, array=several)


def analysis_dict(analysis: Analysis) -> JsonObject:
    """Return the JSON of an analysis, with the dependencies and graphs that follow from it."""
    from discobert.render.analysis_json import describe_analysis

    return describe_analysis(analysis)


def summary_fragment(summary: Summary) -> str:
    """Return what a notebook shows of a summary."""
    from discobert.render.notebook import render_summary_fragment

    return render_summary_fragment(summary)


def analysis_fragment(analysis: Analysis) -> str:
    """Return what a notebook shows of an analysis."""
    from discobert.render.notebook import render_analysis_fragment

    return render_analysis_fragment(analysis)


def draw_node(document: Document, node: RstTree) -> str:
    """Draw an RST tree, or a part of it, as text."""
    from discobert.render.trees.text import draw_lines

    return "\n".join(line.rstrip() for line in draw_lines(document, node))


def save_summary(summary: Summary, path: Path) -> None:
    """Write a summary to a file, in the form that its name asks for."""
    form = form_of(path, SUMMARY_SUFFIXES, SummaryFormat.TEXT)
    _write(path, format_summaries([summary], form))


def save_analysis(analysis: Analysis, path: Path) -> None:
    """Write an analysis to a file, in the form that its name asks for."""
    form = form_of(path, ANALYSIS_SUFFIXES, AnalysisFormat.JSON)
    _write(path, format_analyses([analysis], form))


def kept_in(path: str | Path | None, text: str) -> str:
    """Return a text, after writing it to a file if one is named."""
    if path is not None:
        _write(Path(path), text)
    return text


def _write(path: Path, text: str) -> None:
    from discobert.store.files import write_whole

    write_whole(path, text.encode("utf-8", "backslashreplace"))


def load_analysis(path: Path) -> Analysis:
    """Read an analysis from our JSON or from a tree file of another tool, by its suffix."""
    from discobert.store.treebanks.analyses import read_analysis

    return read_analysis(path)
