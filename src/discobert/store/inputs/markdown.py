"""The prose of a Markdown document, with the place of every character in the file.

Blocks are found by markdown-it. Code, tables, images, comments and front matter are no prose and
left out; of tables and of front matter without a title, a note says so.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.token import Token

from discobert.data.document import SourceText
from discobert.data.markup import SegmentKind
from discobert.store.inputs.builder import Role, TextBuilder
from discobert.store.inputs.markdown_inline import (
    DEEPEST,
    InlineKind,
    InlineText,
    html_texts,
    inline_texts,
    parser,
)

_KIND = "markdown"
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n|\Z)")
_TASK = re.compile(r"\[[ xX]\]\s+")
_BOLD_LINE = re.compile(r"(\*\*|__)(?=\S)[^*_\n]{1,80}(?<![\s.,;:!?…])\1[ \t]*(?:\n|\Z)")
"""A line in bold without a stop, which is a heading by another mark."""
_LONGEST_FRONT = 300
"""Lines of front matter that are looked for its end."""
_FIELD = re.compile(r"[\w\"'.-]+\s*[:=]")
_FRONT_LINE = re.compile(r"\s*(?:#|-\s|[\w\"'.-]+\s*[:=]|[\[\]{}\"'])|\s+\S|\s*\Z")
_TITLE = re.compile(r"title\s*[:=]\s*([\"']?)(?P<title>\S.*?)\1\s*\Z", re.IGNORECASE)
_BEFORE_STOP = ".,;:!?)"
_ROLES = {"blockquote_open": SegmentKind.QUOTE, "list_item_open": SegmentKind.LIST_ITEM}
_CLOSE = {"blockquote_close", "list_item_close"}
_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})


def read_markdown(text: str, name: str = "text") -> SourceText:
    """Return the prose of a document, blocks parted by blank lines."""
    reader = _Reader([match.span() for match in _LINE.finditer(text)], text)
    reader.read()
    return reader.builder.build(name, _KIND)


@dataclass(slots=True)
class _Reader:
    """Reads one document; places are offsets into ``text``."""

    lines: Sequence[tuple[int, int]]
    text: str
    builder: TextBuilder = field(default_factory=TextBuilder)
    md: MarkdownIt = field(default_factory=parser)
    env: dict[str, Any] = field(default_factory=dict)
    roles: list[SegmentKind] = field(default_factory=list)
    n_tables: int = 0
    n_indented: int = 0
    table_depth: int = 0
    """Open tables of HTML."""

    def line(self, number: int) -> str:
        start, end = self.lines[number]
        return self.text[start:end].rstrip("\r\n")

    def read(self) -> None:
        first = self._front_matter()
        source = "\n".join(["", *(self.line(at) for at in range(first, len(self.lines)))])
        tokens = self.md.parse(source, self.env)
        offset = first - 1  # an empty line stands for the front matter
        self._read_blocks(tokens, offset)
        self._add_notes(too_deep=any(token.level + 1 >= DEEPEST for token in tokens))

    def _read_blocks(self, tokens: Sequence[Token], offset: int) -> None:
        skipping = False
        previous = ""
        for token in tokens:
            if token.type == "table_open":
                self.n_tables += 1
                skipping = True
            elif token.type == "table_close":
                skipping = False
            elif skipping:
                continue
            elif token.type == "inline":
                self._paragraph(token, offset, is_heading=previous == "heading_open")
            elif token.type == "html_block":
                self._html(token, offset)
            elif token.type == "code_block":
                self.n_indented += 1
            else:
                self._nest(token.type)
            previous = token.type

    def _nest(self, kind: str) -> None:
        if kind in _ROLES:
            self.roles.append(_ROLES[kind])
        elif kind in _CLOSE:
            self.roles.pop()

    def _role(self, *, is_heading: bool = False) -> Role | None:
        if is_heading:
            return Role(SegmentKind.HEADING)
        return Role(self.roles[-1]) if self.roles else None

    def _paragraph(self, token: Token, offset: int, *, is_heading: bool) -> None:
        places, content = self._places(token, offset), token.content
        task = _TASK.match(content) if self.roles[-1:] == [SegmentKind.LIST_ITEM] else None
        after_mark = task.end() if task else 0
        bold = _BOLD_LINE.match(content)
        found = list(inline_texts(self.md, content, self.env, after_mark))
        if bold and not is_heading:
            self._write((p for p in found if p.start < bold.end()), places)
            self.builder.end_block(Role(SegmentKind.HEADING))
            found = [p for p in found if p.start >= bold.end()]
        self._write(iter(found), places)
        self.builder.end_block(self._role(is_heading=is_heading))

    def _write(self, found: Iterator[InlineText], places: "_Places") -> None:
        after_omitted = False
        for inline in found:
            source, length = places.of(inline.start), inline.end - inline.start
            if after_omitted and inline.text[:1] in _BEFORE_STOP:
                self.builder.drop_space()
            after_omitted = inline.kind is InlineKind.OMITTED
            if inline.kind is InlineKind.LINE_END:
                self.builder.add_line_end(source, length)
            elif not after_omitted:
                self.builder.add(inline.text, source, length)

    def _html(self, token: Token, offset: int) -> None:
        """Write the text of HTML, a block for each of its blocks; tables are skipped."""
        places = self._places(token, offset)
        is_heading = False
        for found in html_texts(token.content):
            if isinstance(found, InlineText):
                if not self.table_depth:
                    self._write(iter((found,)), places)
                continue
            self.builder.end_block(self._role(is_heading=is_heading))
            is_heading = found.name in _HEADINGS and not found.closes
            if found.name == "table":
                self.n_tables += not found.closes and not self.table_depth
                self.table_depth = max(0, self.table_depth + (-1 if found.closes else 1))
        self.builder.end_block(self._role(is_heading=is_heading))

    def _places(self, token: Token, offset: int) -> "_Places":
        """Find the lines of a token's content in the file: each ends there as it does here."""
        first, after = (at + offset for at in token.map or (0, 0))
        parts = token.content.split("\n")
        # Lines of odd white space before the text are part of the block, but not of its content.
        while after - first > len(parts) and self._base(parts[0], first) < 0:
            first += 1
        starts, bases, at = list[int](), list[int](), 0
        for number, part in enumerate(parts, start=first):
            starts.append(at)
            bases.append(self._base(part, number))
            at += len(part) + 1
        return _Places(starts, bases)

    def _base(self, part: str, number: int) -> int:
        """Return where column 0 of a line of content is in the file, or -1 if unknown."""
        shown = part.strip()
        if not shown or number >= len(self.lines):
            return -1
        line = self.line(number).rstrip()
        if not line.endswith(shown):  # a heading that is closed by the same marks
            line = line.rstrip("#").rstrip()
        if not line.endswith(shown):
            return -1
        indent = len(part) - len(part.lstrip())
        return self.lines[number][0] + len(line) - len(shown) - indent

    def _front_matter(self) -> int:
        """Write the title of front matter; return the number of the first line after it."""
        mark = self.line(0).rstrip()
        if mark not in {"---", "+++"}:
            return 0
        inner = [self.line(at) for at in range(1, min(len(self.lines), _LONGEST_FRONT))]
        ends = (at for at, line in enumerate(inner) if line.rstrip() in {mark, "..."})
        end = next(ends, None)
        if end is None or not _is_front_matter(inner[:end]):
            return 0
        for at, line in enumerate(inner[:end], start=1):
            title = _TITLE.match(line)
            if title:
                self.builder.add(title["title"], self.lines[at][0] + title.start("title"))
                self.builder.end_block(Role(SegmentKind.HEADING))
                return end + 2
        self.builder.note("front-matter", "front matter without a title was left out")
        return end + 2

    def _add_notes(self, *, too_deep: bool) -> None:
        if self.n_tables:
            tables = "1 table was" if self.n_tables == 1 else f"{self.n_tables} tables were"
            self.builder.note("tables-skipped", f"{tables} left out")
        if self.n_indented:
            blocks = "1 block" if self.n_indented == 1 else f"{self.n_indented} blocks"
            self.builder.note(
                "code-skipped", f"indented text, code in Markdown, left out: {blocks}"
            )
        if too_deep:
            message = f"what is nested in {DEEPEST} lists or quotations was left out"
            self.builder.note("nested-too-deep", message)


def _is_front_matter(lines: Sequence[str]) -> bool:
    """Separate fields from a text that stands between two rules."""
    return any(map(_FIELD.match, lines)) and all(map(_FRONT_LINE.match, lines))


@dataclass(slots=True)
class _Places:
    """Where the lines of a block's content start, and where their first columns are in the file."""

    starts: Sequence[int]
    bases: Sequence[int]
    _line: int = 0

    def of(self, position: int) -> int:
        """Return the place of a position in the file; positions are asked for in rising order."""
        while self._line + 1 < len(self.starts) and self.starts[self._line + 1] <= position:
            self._line += 1
        base = self.bases[self._line]
        return base + position - self.starts[self._line] if base >= 0 else -1
