"""Numbered coreference chains, and text as HTML with mentions marked."""

from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape

from discobert.data.coref import Cluster
from discobert.data.document import Document, Span

_MAX_NAME = 36


@dataclass(frozen=True, slots=True)
class Chain:
    """A cluster of several mentions, numbered in the order of first mentions."""

    number: int
    name: str
    spans: tuple[Span, ...]
    edus: tuple[int, ...]
    """The EDU in which each mention starts, none twice."""


def chains(document: Document, clusters: Sequence[Cluster]) -> tuple[Chain, ...]:
    """Return the clusters with several mentions, numbered in the order of the text."""
    shared = [tuple(m.span for m in cluster.mentions) for cluster in clusters]
    starts = [edu.span.start for edu in document.edus]
    found: list[Chain] = []
    for spans in sorted(spans for spans in shared if len(spans) > 1):
        edus = dict.fromkeys(max(0, bisect_right(starts, span.start) - 1) for span in spans)
        found.append(Chain(len(found) + 1, _name(document.text, spans), spans, tuple(edus)))
    return tuple(found)


def _name(text: str, spans: Sequence[Span]) -> str:
    """Return the longest mention that is short enough to be a label."""
    mentions = [" ".join(span.of(text).split()) for span in spans]
    short = [mention for mention in mentions if len(mention) < _MAX_NAME]
    return max(short, key=len) if short else f"{mentions[0][: _MAX_NAME - 1]}…"


@dataclass(frozen=True, slots=True)
class Mark:
    """A mention of a chain inside one EDU."""

    start: int
    end: int
    chain: Chain


def marks_by_edu(document: Document, found: Sequence[Chain]) -> list[list[Mark]]:
    """Return the mentions in each EDU; a mention across several EDUs is divided."""
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

    Longer mentions contain shorter ones; where two overlap, the inner one is divided.
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
