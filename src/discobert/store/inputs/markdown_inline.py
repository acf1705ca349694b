"""Inline Markdown to texts with their places, by the rules of markdown-it.

markdown-it does not say where inline tokens come from. Every rule is wrapped so that it notes the
place of what it adds, and text is noted by place instead of being copied.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from enum import Enum, auto
from html import unescape
from typing import Any, NamedTuple

from markdown_it import MarkdownIt, rules_inline
from markdown_it.rules_block import reference
from markdown_it.rules_block.state_block import StateBlock
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

InlineRule = Callable[[StateInline, bool], bool]

DEEPEST = 40
"""Levels of lists and quotations."""
_LONGEST = 4_000
"""Characters scanned at once. Some marks cost time that is quadratic in the length; a paragraph
that is longer is cut, and marks that lie across the cut stay."""

_PLACE = "place"
_TEXT = "prose"
_CITATION = re.compile(
    r"\[\^[^\[\]\s]{1,99}\]:?|\[(?:[^\[\]@]{0,99}[\s;])?-?@\w[^\[\]]{0,300}\](?![(\[:])"
)
_UNRESOLVED = re.compile(r"(?<!\w)\[([^\[\]\n]{1,300})\]\[[^\[\]\n]{0,99}\]")
_PLAIN = re.compile(r"[^\n!#$%&*+\-:<=>@\[\\\]^_`{}~]+")
_LINE_BREAK = re.compile(r"<br\s*/?>", re.IGNORECASE)


_RULES: Mapping[str, tuple[str, InlineRule]] = {
    "newline": ("\n", rules_inline.newline),
    "escape": ("\\", rules_inline.escape),
    "backticks": ("`", rules_inline.backtick),
    "strikethrough": ("~", rules_inline.strikethrough.tokenize),
    "emphasis": ("*_", rules_inline.emphasis.tokenize),
    "link": ("[", rules_inline.link),
    "image": ("!", rules_inline.image),
    "autolink": ("<", rules_inline.autolink),
    "html_inline": ("<", rules_inline.html_inline),
    "entity": ("&", rules_inline.entity),
}
"""The rules of markdown-it and the characters that they begin with."""


class InlineKind(Enum):
    """What a text stands for."""

    TEXT = auto()
    SPACE = auto()
    LINE_END = auto()
    OMITTED = auto()
    """A citation or a mark of a note, which is left out with the space before it."""


class InlineText(NamedTuple):
    """Characters of the content by their place, and the text that stands for them."""

    kind: InlineKind
    start: int
    end: int
    text: str


def parser() -> MarkdownIt:
    """Return a parser of blocks, whose inline rules note places."""
    md = MarkdownIt("commonmark", {"maxNesting": DEEPEST}).enable(["table", "strikethrough"])
    md.core.ruler.enableOnly(["normalize", "block"])
    md.block.ruler.at("reference", _reference)
    for name, (marks, rule) in _RULES.items():
        md.inline.ruler.at(name, _noting(rule, marks))
    md.inline.ruler.at("text", _text)
    md.inline.ruler.after("link", "citation", _citation)
    md.inline.ruler.after("citation", "unresolved", _unresolved)
    md.inline.ruler.push("any", _any_character)
    md.inline.ruler2.enableOnly(["balance_pairs", "strikethrough", "emphasis"])
    return md


def _reference(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Read the definition of a link, but leave notes (``[^1]: …``) to be paragraphs."""
    first = state.bMarks[start] + state.tShift[start]
    return not state.src.startswith("[^", first) and reference(state, start, end, silent)


def inline_texts(
    md: MarkdownIt, content: str, env: dict[str, Any], start: int = 0
) -> Iterator[InlineText]:
    """Yield the texts of one paragraph or heading, from an offset on, in reading order."""
    while start < len(content):
        end = _section_end(content, start)
        tokens: list[Token] = []
        section = content[start:end]
        md.inline.parse(section, md, env, tokens)
        for token in tokens:
            for each in _texts_of(token, section):
                yield each._replace(start=start + each.start, end=start + each.end)
        start = end


def _section_end(content: str, start: int) -> int:
    if len(content) - start <= _LONGEST:
        return len(content)
    end = max(content.rfind(mark, start, start + _LONGEST) for mark in "\n ")
    return end if end > start else start + _LONGEST


def _texts_of(token: Token, section: str) -> Iterator[InlineText]:
    start, end = token.meta.get(_PLACE, (0, 0))
    if token.type == "text_special":
        yield InlineText(InlineKind.TEXT, start, end, token.content)
    elif token.type == "code_inline":
        yield from _code(section, start + len(token.markup), end - len(token.markup))
    elif token.type in {"softbreak", "hardbreak", "html_inline"}:
        yield from _break(token, section, start, end)
    elif token.type == "citation":
        yield InlineText(InlineKind.OMITTED, start, end, "")
    elif token.type == "text" and token.content:
        end = end if token.content is _TEXT else start + len(token.content)
        yield InlineText(InlineKind.TEXT, start, end, section[start:end])


def _break(token: Token, section: str, start: int, end: int) -> Iterator[InlineText]:
    """Yield a space for a line end, a line end for a forced one, nothing for other tags."""
    if token.type == "softbreak" and not section.endswith("  ", 0, start):
        yield InlineText(InlineKind.SPACE, start, end, " ")
    elif token.type != "html_inline" or _LINE_BREAK.fullmatch(token.content):
        yield InlineText(InlineKind.LINE_END, start, end, "\n")


def _code(section: str, start: int, end: int) -> Iterator[InlineText]:
    inner = section[start:end]
    if inner.startswith(" ") and inner.endswith(" ") and inner.strip():
        start, end = start + 1, end - 1
    for match in re.finditer(r"[^\n]+|\n", section[start:end]):
        kind = InlineKind.SPACE if match[0] == "\n" else InlineKind.TEXT
        yield InlineText(kind, start + match.start(), start + match.end(), match[0])


def _noting(rule: InlineRule, marks: str) -> InlineRule:
    """Let a rule note the places of the tokens that it adds."""

    def noting(state: StateInline, silent: bool) -> bool:
        start, n_tokens = state.pos, len(state.tokens)
        if state.src[start] not in marks:
            return False
        if not rule(state, silent):
            return False
        if not silent:
            _note_places(state, start, state.tokens[n_tokens:])
        return True

    return noting


def _note_places(state: StateInline, start: int, added: list[Token]) -> None:
    if state.pending:  # backticks without a partner
        state.pending = ""
        _add_text(state, start, state.pos)
        return
    at = start
    for token in added:
        if _PLACE in token.meta or token.type in {"link_open", "link_close"}:
            continue
        if token.type != "text":
            token.meta[_PLACE] = (start, state.pos)
        elif added[0].markup == "autolink":
            token.meta[_PLACE] = (start + 1, state.pos - 1)
            token.content = _TEXT
        else:  # a mark of emphasis, which turns into text if it has no partner
            token.meta[_PLACE] = (at, at + len(token.content))
            at += len(token.content)


def _add_text(state: StateInline, start: int, end: int) -> None:
    """Add text by its place, to the last token if it is text that ends here."""
    last = state.tokens[-1] if state.tokens else None
    if last is not None and last.content is _TEXT and last.meta[_PLACE][1] == start:
        last.meta[_PLACE] = (last.meta[_PLACE][0], end)
        return
    token = state.push("text", "", 0)
    token.content = _TEXT
    token.meta[_PLACE] = (start, end)


def _text(state: StateInline, silent: bool) -> bool:
    """Take what holds no mark."""
    match = _PLAIN.match(state.src, state.pos, state.posMax)
    if match is None:
        return False
    if not silent:
        _add_text(state, state.pos, match.end())
    state.pos = match.end()
    return True


def _any_character(state: StateInline, silent: bool) -> bool:
    """Take a character that no other rule takes."""
    if not silent:
        _add_text(state, state.pos, state.pos + 1)
    state.pos += 1
    return True


def _citation(state: StateInline, silent: bool) -> bool:
    match = _CITATION.match(state.src, state.pos, state.posMax)
    if match is None:
        return False
    if not silent:
        state.push("citation", "", 0).meta[_PLACE] = match.span()
    state.pos = match.end()
    return True


def _unresolved(state: StateInline, silent: bool) -> bool:
    """Take the text of a reference link whose target is not defined."""
    match = _UNRESOLVED.match(state.src, state.pos, state.posMax)
    if match is None:
        return False
    if not silent:
        _add_text(state, *match.span(1))
    state.pos = match.end()
    return True


_HTML = re.compile(
    r"<!--|<(?P<hidden>script|style|pre|svg|textarea)\b|</?(?P<tag>[a-zA-Z][\w-]*)[^<>]{0,2000}>"
    r"|(?P<entity>&(?:\#\w{1,8}|\w{1,31});)|\n",
    re.IGNORECASE,
)
_INLINE_TAGS = frozenset("a abbr b bdi bdo cite code del dfn em font i ins kbd mark q s samp "
                         "small span strike strong sub sup time tt u var wbr".split())  # fmt: skip


class Tag(NamedTuple):
    """The tag of a block of HTML, by its name; ``closes`` for the tag at its end."""

    name: str
    closes: bool


def html_texts(content: str) -> Iterator[InlineText | Tag]:
    """Yield the text of HTML between the tags of blocks; comments and scripts are skipped."""
    position = 0
    while position < len(content):
        match = _HTML.search(content, position)
        start = match.start() if match else len(content)
        if start > position:
            yield InlineText(InlineKind.TEXT, position, start, content[position:start])
        if match is None:
            return
        position = _after(content, match)
        if match["entity"]:
            yield InlineText(InlineKind.TEXT, start, position, unescape(match[0]))
        elif match[0] == "\n":
            yield InlineText(InlineKind.SPACE, start, position, " ")
        elif match["tag"] and match["tag"].lower() == "br":
            yield InlineText(InlineKind.LINE_END, start, position, "\n")
        elif match["tag"] and match["tag"].lower() not in _INLINE_TAGS:
            yield Tag(match["tag"].lower(), match[0].startswith("</"))


def _after(content: str, match: re.Match[str]) -> int:
    """Return the end of a comment or of what is hidden, else of the match."""
    if match[0] == "<!--":
        end = content.find("-->", match.end())
        return end + 3 if end >= 0 else len(content)
    if match["hidden"]:
        closing = re.compile(rf"</{match['hidden']}[^<>]*>", re.IGNORECASE)
        found = closing.search(content, match.end())
        return found.end() if found else len(content)
    return match.end()
