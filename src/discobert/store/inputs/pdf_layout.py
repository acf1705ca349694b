"""Paragraphs, headings and captions from the places of text on the pages of a PDF.

A PDF holds drawn text and nothing about paragraphs. Size, gaps and indents tell what belongs
together; a paragraph may go on in the next column or on the next page.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from statistics import median
from typing import NamedTuple

from discobert.data.markup import SegmentKind
from discobert.store.inputs.pdf_letters import Letters, without_controls

_CAPTION = re.compile(r"(?:Figure|Fig\.|Table|Chart|Exhibit|Box)\s+\d+[A-Za-z]?\s*[.:|–—]")
_ITEM = re.compile(r"(?:[•◦▪‣·∙●○■□–—]|\(?\d{1,2}[.)]|\[\d{1,3}\])\s")
_NUMBER = re.compile(
    r"[\W\d]*|[-–—\s]*(?:page\s*)?\d+(?:\s*(?:of|/)\s*\d+)?[-–—\s]*", re.IGNORECASE
)
_FINISHED = re.compile(r"[.!?:;…][\"'”’)\]]*\Z")
_CUT_WORD = re.compile(r"([^\W\d_]+)[-\u00ad\u2010]\Z")
_STARTS_WORD = re.compile(r"([a-zß-öø-ÿ]+)")
_HYPHENATED = frozenset(
    "all anti arch book co cost cross data decision deep double early ex far fast first full good "
    "half hard high higher ill large late left less life long low lower mid multi near new non "
    "old one open part post pre pro quasi right second self semi short single small so state "
    "sub third three time two under user vice well wide work world".split()
)
"""First parts of words that keep their hyphen at a line end."""
_KEPT_HYPHEN = re.compile(r"\w-\Z")
_MARK = re.compile(r"\s*\d{1,2}\s*")
_BEFORE_MARK = re.compile(r"(?:[^\W\d_]{3}|[.,;:!?)\]”’\"'])\s*\Z")
"""What a footnote's number may stand after; after a number or a symbol it is an exponent."""
_LONGEST_WORD = 60
_CONJUNCTIONS = frozenset({"and", "or", "to"})

_COLUMN_LINES = 5
"""Lines that start at one place, from which on it is the edge of a column."""
_ALIGNED, _NARROWEST = 3.0, 100.0
"""How exactly lines of a column start at one place, and how wide a column is at least."""
_MOST_COLUMNS = 4
_LARGER, _SMALLER, _SAME = 1.12, 0.95, 0.08
_REPEATED = 3
"""Pages that share a line at their edge, from which on it is a running head."""
_SHOWN_HEADING = 200
_FILLED = 0.7
"""Share of the usual length from which on a line may be one that is not the last."""


class Chunk(NamedTuple):
    """Text drawn at one place of a page; a line end in it ends its line."""

    x: float
    y: float
    size: float
    text: str


class Line(NamedTuple):
    """A line of one column."""

    page: int
    column: int
    x: float
    y: float
    size: float
    text: str


class _Usual(NamedTuple):
    """Medians of a document: distance of two lines of a paragraph, characters of a line."""

    leading: float
    length: float


@dataclass(slots=True)
class Block:
    """Lines that belong together."""

    kind: SegmentKind | None
    size: float
    lines: list[Line] = field(default_factory=list)

    @property
    def is_finished(self) -> bool:
        """Whether its last line ends a sentence."""
        return bool(_FINISHED.search(self.lines[-1].text[-_LONGEST_WORD:]))


def blocks_of(pages: Sequence[Sequence[Chunk]]) -> Iterator[tuple[SegmentKind | None, str]]:
    """Yield the blocks of a document in reading order, words cut at line ends mended."""
    shown = [
        [chunk._replace(text=without_controls(chunk.text)) for chunk in page] for page in pages
    ]
    lines = _without_running_heads([_page_lines(at, page) for at, page in enumerate(shown)])
    letters = Letters.of(line.text for line in lines)
    lines = [line._replace(text=letters.mended(line.text)) for line in lines]
    words = Counter(word.lower() for line in lines for word in re.findall(r"[\w-]+", line.text))
    for block in _grouped(lines):
        yield block.kind, _joined([line.text for line in block.lines], words)


def _page_lines(page: int, chunks: Sequence[Chunk]) -> list[Line]:
    edges = _column_edges(chunks)
    lines: list[Line] = []
    first: Chunk | None = None
    parts: list[str] = []

    def end_line() -> None:
        if first is not None:
            column = sum(first.x >= edge - _ALIGNED for edge in edges)
            text = " ".join("".join(parts).split())
            lines.append(Line(page, column, first.x, first.y, first.size, text))
        parts.clear()

    for chunk in _without_note_marks(chunks):
        for text, ended in _split(chunk.text):
            if first is not None and _opens_column(chunk, first, edges):
                end_line()
                first = None
            if first is None and text.strip():
                first = chunk
            parts.append(text)
            if ended:
                end_line()
                first = None
    end_line()
    return _by_columns(lines) if edges else lines


def _without_note_marks(chunks: Sequence[Chunk]) -> Iterator[Chunk]:
    """Drop the small raised numbers of footnotes after words, and the gap before a stop."""
    last: Chunk | None = None
    is_dropped = False
    for chunk in chunks:
        if last is not None and _is_note_mark(chunk, last):
            is_dropped = True
            continue
        bare = chunk.text.lstrip(" ")
        is_stop = is_dropped and bare.startswith((".", ",", ";", ":", ")"))
        is_dropped = is_dropped and not bare
        last = chunk._replace(text=bare) if is_stop else chunk
        yield last


def _is_note_mark(chunk: Chunk, last: Chunk) -> bool:
    is_small = chunk.size <= _SMALLER * last.size
    is_raised = 0.1 * last.size < chunk.y - last.y < last.size
    after_word = _BEFORE_MARK.search(last.text[-_LONGEST_WORD:])
    return is_small and is_raised and bool(_MARK.fullmatch(chunk.text)) and bool(after_word)


def _split(text: str) -> Iterator[tuple[str, bool]]:
    *ended, rest = text.split("\n")
    yield from ((part, True) for part in ended)
    if rest:
        yield rest, False


def _column_edges(chunks: Sequence[Chunk]) -> list[float]:
    """Return where columns after the first one start: right of the lines that start at the left."""
    shown = [chunk for chunk in chunks if chunk.text.strip()]
    if not shown:
        return []
    left, right = min(chunk.x for chunk in shown), max(chunk.x for chunk in shown)
    starts = Counter(round(chunk.x) for chunk in shown if len(chunk.text.split()) > 2)
    far = [x for x, n in starts.items() if n >= _COLUMN_LINES and x > left + 0.4 * (right - left)]
    at_left = sum(n for x, n in starts.items() if x < left + 0.2 * (right - left))
    edges: list[float] = []
    for x in sorted(far) if at_left >= _COLUMN_LINES else ():
        if x > (edges[-1] if edges else left) + _NARROWEST:
            edges.append(x)
    return edges[: _MOST_COLUMNS - 1]


def _opens_column(chunk: Chunk, first: Chunk, edges: Sequence[float]) -> bool:
    return any(abs(chunk.x - edge) < _ALIGNED and first.x < edge - _NARROWEST for edge in edges)


def _by_columns(lines: list[Line]) -> list[Line]:
    """Put lines that alternate between columns in order, column by column."""
    switches = sum(one.column != other.column for one, other in pairwise(lines))
    if switches <= 2 * max(line.column for line in lines) + 2:
        return lines
    return sorted(lines, key=lambda line: (line.column, -line.y))


def _without_running_heads(pages: Sequence[Sequence[Line]]) -> list[Line]:
    """Drop page numbers and lines that many pages have at their top or bottom."""
    edges = [_edge_lines(page) for page in pages]
    count = Counter(text for page in edges for text in {_pattern(line) for line in page})
    repeated = {text for text, n in count.items() if n >= _REPEATED}
    return [
        line
        for page, edge in zip(pages, edges, strict=True)
        for line in page
        if not (line in edge and (_pattern(line) in repeated or _NUMBER.fullmatch(line.text)))
    ]


def _edge_lines(page: Sequence[Line]) -> frozenset[Line]:
    by_height = sorted(page, key=lambda line: line.y)
    return frozenset((*by_height[:2], *by_height[-2:]))


def _pattern(line: Line) -> str:
    return re.sub(r"\d+", "#", line.text)


def _grouped(lines: Sequence[Line]) -> list[Block]:
    weights = Counter[float]()
    for line in lines:
        weights[round(line.size, 1)] += len(line.text)
    body = weights.most_common(1)[0][0] if weights else 0.0
    long = [len(line.text) for line in lines if abs(line.size - body) <= _SAME * body]
    usual = _Usual(_leading(lines, body), median(long) if long else 0)
    blocks: list[Block] = []
    block: Block | None = None
    last_body: Block | None = None
    for line in lines:
        is_body = abs(line.size - body) <= _SAME * body and not _CAPTION.match(line.text)
        block = _continued(block, last_body if is_body else None, line, usual)
        if block is None:
            block = Block(_kind(line, body), line.size)
            blocks.append(block)
        block.lines.append(line)
        if is_body and block.kind is not SegmentKind.CAPTION:
            last_body = block
    return [_without_long_heading(block) for block in blocks]


def _leading(lines: Sequence[Line], body: float) -> float:
    """Return the usual distance between two lines of a paragraph."""
    gaps = [
        one.y - other.y
        for one, other in pairwise(lines)
        if (one.page, one.column) == (other.page, other.column) and 0 < one.y - other.y < 4 * body
    ]
    return median(gaps) if gaps else 1.2 * body


def _continued(
    block: Block | None, last_body: Block | None, line: Line, usual: _Usual
) -> Block | None:
    """Return the block that a line goes on with, if any."""
    if block is None or _CAPTION.match(line.text) or _ITEM.match(line.text):
        return None
    last = block.lines[-1]
    if (last.page, last.column) != (line.page, line.column) or line.y > last.y + 1:
        return last_body if last_body is not None and _goes_on(last_body, line, usual) else None
    if abs(line.size - block.size) > _SAME * block.size or last.y - line.y > 1.4 * usual.leading:
        return None
    left = min(each.x for each in block.lines[-3:])
    is_indented = line.x > left + 0.7 * line.size and not _ITEM.match(block.lines[0].text)
    return None if is_indented and block.is_finished else block


def _goes_on(block: Block, line: Line, usual: _Usual) -> bool:
    """Return whether a paragraph goes on in the next column or on the next page."""
    is_filled = len(block.lines[-1].text) >= _FILLED * usual.length
    return not block.is_finished and (line.text[0].islower() or is_filled)


def _kind(line: Line, body: float) -> SegmentKind | None:
    if _CAPTION.match(line.text):
        return SegmentKind.CAPTION
    if _ITEM.match(line.text):
        return SegmentKind.LIST_ITEM
    return SegmentKind.HEADING if line.size >= _LARGER * body > 0 else None


def _without_long_heading(block: Block) -> Block:
    """Make a heading that is too long for one a paragraph."""
    length = sum(len(line.text) for line in block.lines)
    if block.kind is SegmentKind.HEADING and length > _SHOWN_HEADING:
        block.kind = None
    return block


def _joined(lines: Sequence[str], words: Counter[str]) -> str:
    """Join the lines of a block; a hyphen before a small letter may be that of a cut word."""
    parts = []
    for line, following in pairwise((*lines, "")):
        cut, start = _CUT_WORD.search(line[-_LONGEST_WORD:]), _STARTS_WORD.match(following)
        if cut and start:
            parts.append(_mended(line, cut[1], start[1], words))
        elif _KEPT_HYPHEN.search(line[-2:]) and (
            following[:1].isupper() or following[:1].isdigit()
        ):
            parts.append(line)
        else:
            parts.append(f"{line} ")
    return "".join(parts)


def _mended(text: str, first: str, second: str, words: Counter[str]) -> str:
    """Return the text without its hyphen, unless the word is written with one."""
    joined, hyphenated = f"{first}{second}".lower(), f"{first}-{second}".lower()
    if second in _CONJUNCTIONS:
        return f"{text} "
    if (
        text.endswith("\u00ad")
        or words[joined]
        or not (words[hyphenated] or first.lower() in _HYPHENATED)
    ):
        return text[:-1]
    return text
