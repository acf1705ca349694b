"""The prose of a Markdown document, a line for each paragraph, heading and list item.

Code, tables, images, comments and front matter are not prose and are left out.
"""

import re
from collections.abc import Iterator
from html import unescape

_FRONT_MATTER = re.compile(r"\A(---|\+\+\+)[ \t]*\n.*?\n\1[ \t]*(?:\n|\Z)", re.DOTALL)
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_QUOTE = re.compile(r"^(?: {0,3}> ?)+")
_HEADING = re.compile(r"^ {0,3}#{1,6}(?:\s+|$)")
_HEADING_END = re.compile(r"\s+#+\s*$")
_ITEM = re.compile(r"^\s*(?:[-*+]|\d{1,9}[.)])\s+(?:\[[ xX]\]\s+)?")
_RULE = re.compile(r"^ {0,3}(?:(?:\*\s*){3,}|(?:-\s*){2,}|(?:_\s*){3,}|=+\s*)$")
_DEFINITION = re.compile(r"^ {0,3}\[[^\]^][^\]]*\]:\s*\S+")
_TABLE_ROW = re.compile(r"^\s*\|.*\|\s*$|^\s*\|?\s*:?-{3,}:?\s*(?:\|\s*:?-{3,}:?\s*)+\|?\s*$")
# Inner parts have an upper bound, so that no text makes the search quadratic.
_TARGET = r"(?:\([^()]{0,999}(?:\([^()]{0,999}\)[^()]{0,999})?\)|\[[^\[\]]{0,999}\])"
_CODE = re.compile(r"(?<!`)(`{1,3})(?!`)(.{1,999}?)(?<!`)\1(?!`)")
_IMAGE = re.compile(rf"!\[[^\[\]]{{0,999}}\]{_TARGET}")
_LINK = re.compile(rf"\[([^\[\]]{{0,999}})\]{_TARGET}")
_ADDRESS = re.compile(r"<((?:https?|mailto):[^<>\s]{1,999})>")
_TAG = re.compile(r"</?[a-zA-Z][^<>]{0,999}>")
_FOOTNOTE = re.compile(r"\[\^[^\[\]]{1,99}\]:?")
_STRONG = re.compile(r"(\*{1,3}|~~)(?=\S)(.{1,999}?)(?<=\S)\1")
_UNDERSCORED = re.compile(r"(?<!\w)(_{1,3})(?=\S)(.{1,999}?)(?<=\S)\1(?!\w)")
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")
_ASCII = 128
_HIDDEN = 0xE000
"""First of the private-use characters that replace those of code and escapes meanwhile."""


def plain_text(markdown: str) -> str:
    """Return the prose of a document, paragraphs parted by blank lines."""
    text = _COMMENT.sub("", _FRONT_MATTER.sub("", markdown.replace("\r\n", "\n"), count=1))
    blocks = (_inline(" ".join(block)) for block in _blocks(text))
    return "\n\n".join(block for block in blocks if block) + "\n"


def _blocks(text: str) -> Iterator[list[str]]:
    """Yield the lines of each paragraph, heading or list item without the marks before them."""
    block: list[str] = []
    for line in _outside_code(text):
        item = _ITEM.match(line)
        heading = _HEADING.match(line)
        if not line.strip() or _is_no_prose(line):
            yield block
            block = []
        elif heading:
            yield block
            yield [_HEADING_END.sub("", line[heading.end() :])]
            block = []
        elif item:
            yield block
            block = [line[item.end() :].strip()]
        else:
            block.append(line.strip())
    yield block


def _outside_code(text: str) -> Iterator[str]:
    """Yield the lines outside fenced code, without the marks of quotations."""
    fence = ""
    for line in text.split("\n"):
        stripped = _QUOTE.sub("", line)
        mark = _FENCE.match(stripped)
        if fence:
            closes = mark and mark[1].startswith(fence)
            fence = "" if closes else fence
        elif mark:
            fence = mark[1]
            yield ""
        else:
            yield stripped


def _is_no_prose(line: str) -> bool:
    patterns = (_RULE, _DEFINITION, _TABLE_ROW)
    return any(pattern.match(line) for pattern in patterns)


def _inline(text: str) -> str:
    """Remove the marks of links, emphasis and code, and resolve escaped characters."""
    text = _ESCAPED.sub(lambda found: _hide(found[1]), text)
    text = _CODE.sub(lambda found: _hide(found[2]), text)
    text = _ADDRESS.sub(r"\1", _IMAGE.sub("", text))
    text = _TAG.sub("", _FOOTNOTE.sub("", _LINK.sub(r"\1", text)))
    for pattern in (_STRONG, _STRONG, _UNDERSCORED):
        text = pattern.sub(r"\2", text)
    return " ".join(_show(unescape(text)).split())


def _hide(text: str) -> str:
    return "".join(chr(_HIDDEN + ord(c)) if c.isascii() else c for c in text)


def _show(text: str) -> str:
    return "".join(chr(ord(c) - _HIDDEN) if 0 <= ord(c) - _HIDDEN < _ASCII else c for c in text)
