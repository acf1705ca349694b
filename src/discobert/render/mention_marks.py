"""Coreference chains as they are shown, and texts with their mentions marked."""

from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape

from discobert.data.coref import Cluster
from discobert.data.document import Document, Span

_LONGEST_NAME = 36


@dataclass(frozen=True, slots=True)
class Chain:
    """A cluster of several mentions, numbered by its first one; EDUs in reading order."""

    number: int
    name: str
    spans: tuple[Span, ...]
    edus: tuple[int, ...]
    """The EDU in which each mention starts, none twice."""


def chains(document: Document, clusters: Sequence[Cluster]) -> tuple[Chain, ...]:
    """Give clusters with several mentions their numbers, in the order of the text."""
    shared = [tuple(m.span for m in cluster.mentions) for cluster in clusters]
    starts = [edu.span.start for edu in document.edus]
    found: list[Chain] = []
    for spans in sorted(spans for spans in shared if len(spans) > 1):
        edus = dict.fromkeys(max(0, bisect_right(starts, span.start) - 1) for span in spans)
        found.append(Chain(len(found) + 1, _name(document.text, spans), spans, tuple(edus)))
    return tuple(found)


def _name(text: str, spans: Sequence[Span]) -> str:
    """Return the most telling mention that is short enough: the longest."""
    mentions = [" ".join(span.of(text).split()) for span in spans]
    short = [mention for mention in mentions if len(mention) < _LONGEST_NAME]
    return max(short, key=len) if short else f"{mentions[0][: _LONGEST_NAME - 1]}…"


@dataclass(frozen=True, slots=True)
class Mark:
    """A mention of a chain inside one EDU."""

    start: int
    end: int
    chain: Chain


def marks_by_edu(document: Document, found: Sequence[Chain]) -> list[list[Mark]]:
    """Cut every mention at the borders of the EDUs that it touches."""
    starts = [edu.span.start for edu in document.edus]
    marks: list[list[Mark]] = [[] for _ in starts]
    for chain in found:
        for span in chain.spans:
            edu = max(0, bisect_right(starts, span.start) - 1)
            while edu < len(starts) and starts[edu] < span.end:
                borders = document.edus[edu].span
                start, end = max(span.start, borders.start), min(span.end, borders.end)
                if start < end:
                    marks[edu].append(Mark(start, end, chain))
                edu += 1
    return marks


def mark_up(
    text: str, span: Span, marks: Sequence[Mark], *, opening: Callable[[Chain], str]
) -> str:
    """Escape a stretch of text and put its mentions into ``<span>`` elements.

    Longer mentions hold shorter ones; where two cross, the inner one is cut in two.
    """
    waiting = sorted(marks, key=lambda mark: (-mark.start, mark.end, -mark.chain.number))
    opened: list[Mark] = []
    pieces: list[str] = []
    position = span.start
    while waiting or opened:
        starts = waiting[-1].start if waiting else span.end
        ends = min((mark.end for mark in opened), default=span.end)
        pieces.append(escape(text[position : min(starts, ends)]))
        position = min(starts, ends)
        while opened and any(mark.end <= position for mark in opened):
            mark = opened.pop()
            pieces.append("</span>")
            if mark.end > position:
                waiting.append(Mark(position, mark.end, mark.chain))
        while waiting and waiting[-1].start <= position:
            mark = waiting.pop()
            pieces.append(opening(mark.chain))
            opened.append(mark)
    return "".join([*pieces, escape(text[position : span.end])])
