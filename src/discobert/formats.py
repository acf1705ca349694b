"""Every form in which summaries and analyses are written, by name and by suffix of the file.

The command line and the methods of ``Summary`` and ``Analysis`` (``to_json``, ``save``, ``load``,
…) use the same functions.
"""

from collections.abc import Mapping, Sequence
from enum import Enum
from pathlib import Path
from typing import TypeVar

from discobert.data.analysis import Analysis
from discobert.data.document import Document
from discobert.data.json_text import JsonObject
from discobert.data.rst import RstTree
from discobert.data.summary import Summary
from discobert.errors import UsageError


class SummaryFormat(Enum):
    """How summaries are written."""

    TEXT = "text"
    JSON = "json"
    JSONL = "jsonl"
    HTML = "html"
    MARKDOWN = "markdown"


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
    width: int | None = None,
    source: bool = False,
) -> str:
    """Write summaries in one form; ``width`` is that of the terminal that shows them, if one.

    JSON holds the text that was summarised if ``source`` is set.
    """
    if form is SummaryFormat.HTML:
        from discobert.render.summary_html import render_summary_html

        return render_summary_html([(_analysis(summary), summary) for summary in summaries])
    if form is SummaryFormat.MARKDOWN:
        from discobert.render.markdown import render_markdown

        return render_markdown(summaries)
    if form is SummaryFormat.TEXT:
        from discobert.render.text import render_terminal, render_text

        return render_text(summaries) if width is None else render_terminal(summaries, width=width)
    from discobert.render.json import render_json, render_jsonl

    render = render_json if form is SummaryFormat.JSON else render_jsonl
    return render(summaries, source=source)


def _analysis(summary: Summary) -> Analysis:
    if summary.analysis is None:
        raise UsageError(
            f"{summary.document.id}: the page of a summary shows its analysis, which this one, "
            "read from JSON, does not have; summarise the text again"
        )
    return summary.analysis


def format_analyses(
    analyses: Sequence[Analysis], form: AnalysisFormat, *, width: int | None = None
) -> str:
    """Write analyses in one form; ``width`` bounds the lines of the tree."""
    if form in ONE_TREE:
        from discobert.store.treebanks import format_tree, from_analysis

        return format_tree(from_analysis(analyses[0]), form.value)
    if form is AnalysisFormat.HTML:
        from discobert.render.tree_html import render_html

        return render_html(analyses)
    if form is AnalysisFormat.TREE:
        from discobert.render.tree_text import WIDTH, render_tree

        return render_tree(analyses, width=width or WIDTH)
    from discobert.render.analysis_json import render_analysis_json

    return render_analysis_json(analyses)


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
    from discobert.render.tree_text import draw_lines

    return "\n".join(line.rstrip() for line in draw_lines(document, node))


def save_summary(summary: Summary, path: Path) -> None:
    """Write a summary to a file, in the form that its name asks for."""
    form = form_of(path, SUMMARY_SUFFIXES, SummaryFormat.TEXT)
    _write(path, format_summaries([summary], form))


def save_analysis(analysis: Analysis, path: Path) -> None:
    """Write an analysis to a file, in the form that its name asks for."""
    form = form_of(path, ANALYSIS_SUFFIXES, AnalysisFormat.JSON)
    _write(path, format_analyses([analysis], form))


def _write(path: Path, text: str) -> None:
    from discobert.store.files import write_whole

    write_whole(path, text.encode("utf-8", "backslashreplace"))


def load_analysis(path: Path) -> Analysis:
    """Read an analysis from our JSON or from a tree file of another tool, by its suffix."""
    from discobert.store.treebanks.analyses import read_analysis

    return read_analysis(path)
