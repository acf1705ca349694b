"""What a summary shows and what it leaves out, in the source or its tree, for the terminal.

Without colours, chosen words are in brackets and chosen EDUs have an asterisk.
"""

from collections.abc import Iterator
from itertools import groupby, pairwise

from rich.cells import cell_len

from discobert.data.analysis import Analysis
from discobert.data.summary import Summary
from discobert.render.screen import Screen
from discobert.render.summaries.html import chosen_edus
from discobert.render.summaries.text import length_facts
from discobert.render.trees.text import draw_lines, plain, wrap

Word = tuple[str, bool]
"""A word and whether it was chosen."""


def render_chosen_source(summary: Summary, screen: Screen) -> str:
    """Show the source, paragraph by paragraph, with the chosen units painted."""
    parts = [
        "".join(f"{line}\n" for line in _wrapped(_words(summary, units, screen), screen))
        for units in _paragraphs(summary)
    ]
    return f"{_heading(summary, screen)}\n\n" + "\n".join(parts)


def render_chosen_tree(analysis: Analysis, summary: Summary, screen: Screen) -> str:
    """Draw the tree with the chosen EDUs painted."""
    chosen = chosen_edus(analysis, summary)
    lines = draw_lines(
        analysis.document, analysis.rst, width=screen.width, chosen=chosen, screen=screen
    )
    return f"{_heading(summary, screen)}\n\n" + "".join(f"{line.rstrip()}\n" for line in lines)


def _heading(summary: Summary, screen: Screen) -> str:
    return "\n".join(wrap(f"{plain(summary.document.id)}: {length_facts(summary)}", screen.width))


def _paragraphs(summary: Summary) -> Iterator[range]:
    """Yield the units of each paragraph."""
    by_sentence = summary.document.edus_by_sentence()
    for first, after in pairwise([*summary.document.paragraphs, len(by_sentence)]):
        yield range(by_sentence[first].start, by_sentence[after - 1].stop)


def _words(summary: Summary, units: range, screen: Screen) -> Iterator[Word]:
    """Yield the words of some units; brackets are around runs of chosen ones."""
    chosen = frozenset(summary.selection.edus)
    for is_chosen, group in groupby(units, key=chosen.__contains__):
        words = [
            word for unit in group for word in plain(summary.document.edu_text(unit)).split(" ")
        ]
        if is_chosen and not screen.colour:
            words[0] = f"[{words[0]}"
            words[-1] += "]"
        yield from ((word, is_chosen) for word in words)


def _wrapped(words: Iterator[Word], screen: Screen) -> Iterator[str]:
    """Break words into lines of the screen's width, and paint runs of them."""
    line: list[Word] = []
    filled = 0
    for word in words:
        size = cell_len(word[0])
        if line and filled + 1 + size > screen.width:
            yield _painted(line, screen)
            line, filled = [], 0
        line.append(word)
        filled += size + (1 if len(line) > 1 else 0)
    if line:
        yield _painted(line, screen)


def _painted(line: list[Word], screen: Screen) -> str:
    runs = (
        (is_chosen, " ".join(word for word, _ in run))
        for is_chosen, run in groupby(line, key=lambda word: word[1])
    )
    return " ".join(
        screen.chosen(text) if is_chosen else screen.left_out(text) for is_chosen, text in runs
    )
