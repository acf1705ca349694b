"""The child process that reads an untrusted HTML, PDF, Word or e-mail file, within limits.

Run as ``python -I child.py KIND SECONDS BYTES CHARACTERS FOLDER...``; the file comes on standard
input; what is found or ``{"error"}`` goes to standard output as JSON: ``{"pages"}`` of chunks of
text with their places, or ``{"blocks", "notes"}`` with a kind and a text for each block. Packages
are imported from where Python itself looks for them, then from the folders. Nothing of discobert
is imported.
"""

import io
import json
import logging
import re
import string
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from configparser import ConfigParser
    from xml.etree.ElementTree import Element

    from docx.text.paragraph import Paragraph
    from pypdf import PageObject, PdfReader

Found = dict[str, Any]
HtmlElement = tuple[str, str, bool]
"""Tag, text, and whether the text is a link as a whole."""

_MOST_CHUNKS = 100_000
"""Pieces of text on a page."""
_CHUNK_COST = 10
"""What a piece counts for, in characters, so that the memory for all of them is bounded."""
_FARTHEST = 1e6

_TEASER_CLASSES = (
    "related", "recirc", "teaser", "recommend", "read-more", "readmore", "more-stories",
    "morestories", "more-on", "also-like", "most-read", "most-popular", "newsletter", "promo",
    "trending", "outbrain", "taboola",
)  # fmt: skip
_FURNITURE = "//nav | //footer | //aside"
_SMALL_PAGE = 1000
"""Characters of text below which a page may be all that its article is taken for."""
_TEASER_HEADING = re.compile(
    r"(?:related|recommended|read (?:more|next|also|this next)|more (?:from|on|stories|like|about)|"
    r"you (?:may|might) also|also (?:read|in)|see also|most (?:read|popular)|popular|trending|"
    r"up next|don['’]t miss|further reading|what to read next|latest (?:news|stories|posts))\b"
    r"[^.!?]{0,60}$",
    re.IGNORECASE,
)
_HTML_KINDS: Mapping[str, str | None] = {
    "main": None, "head": "heading", "p": None, "item": "list-item", "quote": "quote", "ab": None,
    "code": "code",
}  # fmt: skip
_HTML_BLOCKS = frozenset(_HTML_KINDS) - {"code"}
_DOCX_STYLES: Mapping[str, str] = {
    "heading": "heading",
    "title": "heading",
    "subtitle": "heading",
    "list": "list-item",
    "caption": "caption",
    "quote": "quote",
    "intense quote": "quote",
}
_PARENT_DEATH_SIGNAL = 1
"""The number that linux/prctl.h gives to the request."""


class NoText(Exception):
    """The file holds no text that can be used; the message is printed after its name."""


def main(arguments: list[str]) -> None:
    """Extract within the limits given; whatever a library raises becomes an error message."""
    kind = arguments[0]
    seconds, memory, most = map(int, arguments[1:4])
    sys.path += [folder for folder in arguments[4:] if folder not in sys.path]
    _end_with_parent()
    _limit(seconds, memory)
    logging.disable()
    result = extraction(kind, sys.stdin.buffer.read(), most)
    sys.stdout.buffer.write(json.dumps(result).encode())


def _end_with_parent() -> None:
    """Let the system end this process when its parent ends, on Linux: a signal may end that."""
    import ctypes
    import os
    import signal

    parent = os.getppid()
    try:
        ctypes.CDLL(None).prctl(_PARENT_DEATH_SIGNAL, signal.SIGKILL)
    except (AttributeError, OSError, TypeError):  # other systems: it ends at its limits
        return
    if os.getppid() != parent:  # it has ended meanwhile
        os._exit(1)


def _limit(seconds: int, memory: int) -> None:
    """Limit the memory and CPU time of this process; Windows has only the timeout of the parent."""
    try:
        import resource
    except ImportError:  # Windows
        return
    wanted = {resource.RLIMIT_CPU: (seconds, seconds + 1), resource.RLIMIT_AS: (memory, memory)}
    for kind, (soft, hard) in wanted.items():
        _, given = resource.getrlimit(kind)  # by ulimit, for instance; it cannot be raised
        most = hard if given == resource.RLIM_INFINITY else min(hard, given)
        resource.setrlimit(kind, (min(soft, most), most))


def extraction(kind: str, data: bytes, most: int) -> Found:
    """Return what the file holds, or the reason why that is nothing."""
    try:
        return EXTRACTORS[kind](data, most)
    except NoText as reason:
        return {"error": str(reason)}
    except MemoryError:
        return {"error": "needs more memory than is allowed; if it is safe, extract its text first"}
    except Exception as error:  # any error of a library about the file
        words = " ".join(str(error).split())[:200] or type(error).__name__
        return {"error": f"cannot be read as {kind.upper()}: {words}; it may be damaged"}


def _bounded(blocks: Iterable[list[Any]], most: int) -> Iterator[list[Any]]:
    """Yield blocks, the text of each last, as long as their texts are within the limit."""
    size = 0
    for block in blocks:
        size += len(block[-1])
        if size > most:
            raise NoText(f"holds more than {most:,} characters; split it first")
        yield block


def pdf_pages(data: bytes, most: int) -> Found:
    """Read the pages of a PDF as chunks: place, size and text."""
    from pypdf import PdfReader

    reader = PdfReader(io.BytesIO(data))
    if reader.is_encrypted and not _opens(reader):
        raise NoText("is encrypted; save a copy without the password first")
    pages: list[list[list[Any]]] = []
    left = most
    for page in reader.pages:
        pages.append(list(_bounded(_chunks(page), left)))
        left -= sum(len(chunk[-1]) for chunk in pages[-1]) + _CHUNK_COST * len(pages[-1])
    if not any(
        map(str.isalpha, (letter for page in pages for chunk in page for letter in chunk[-1]))
    ):
        raise NoText("holds no text, only pictures perhaps; run text recognition (OCR) first")
    return {"pages": pages}


def _chunks(page: "PageObject") -> list[list[Any]]:
    chunks: list[list[Any]] = []

    def visit(text: str, matrix: list[float], place: list[float], _: object, size: float) -> None:
        x = place[4] * matrix[0] + place[5] * matrix[2] + matrix[4]
        y = place[4] * matrix[1] + place[5] * matrix[3] + matrix[5]
        scale = abs((place[0] * place[3] - place[1] * place[2]) ** 0.5) or 1.0
        scale *= abs((matrix[0] * matrix[3] - matrix[1] * matrix[2]) ** 0.5) or 1.0
        if text:
            numbers = (x, y, abs(size) * scale)
            known = all(-_FARTHEST < number < _FARTHEST for number in numbers)  # NaN is not
            chunks.append([*((round(n, 1) if known else 0) for n in numbers), text])
            if len(chunks) > _MOST_CHUNKS:
                raise NoText(f"draws a page in more than {_MOST_CHUNKS:,} pieces")

    page.extract_text(visitor_text=visit)
    return chunks


def _opens(reader: "PdfReader") -> bool:
    """Try the empty password, with which most restricted files open."""
    from pypdf.errors import DependencyError

    try:
        return bool(reader.decrypt(""))
    except DependencyError:  # AES, without the package for it
        return False


def email_parts(data: bytes, most: int) -> Found:
    """Read the subject and the text of a message; plain text is preferred to HTML."""
    from email import message_from_bytes, policy

    message = message_from_bytes(data, policy=policy.default)
    if not message.keys():
        raise NoText("is no e-mail: it has no header")
    part = message.get_body(preferencelist=("plain", "html"))
    content = None if part is None else part.get_content()
    text = content.replace("\0", "\ufffd") if isinstance(content, str) else ""
    subject = str(message.get("subject") or "")
    (_,) = _bounded([[subject + text]], most)
    return {
        "subject": subject,
        "text": text,
        "is_html": part is not None and part.get_content_subtype() == "html",
        "attachments": len(list(message.iter_attachments())) if message.is_multipart() else 0,
    }


def html_blocks(data: bytes, most: int) -> Found:
    """Take the article out of a page, block by block, without scripts, menus and teasers."""
    from trafilatura.settings import use_config

    read = partial(_html_elements, data, config=use_config())
    whole = read()
    if _size(whole) < _SMALL_PAGE:
        # In the place of a short article trafilatura gives all text of the page as one block.
        small = use_config()
        small["DEFAULT"]["MIN_EXTRACTED_SIZE"] = "0"
        read = partial(_html_elements, data, config=small)
        whole = _unless_little(read(), whole)
    # If most of the page is in such an element, its name says nothing.
    blocks = list(_without_teasers(_unless_little(read(prune=(_teaser_path(),)), whole)))
    if not blocks:
        raise NoText("no article was found in the page; if all of it is text, add --input text")
    return {"blocks": list(_bounded(blocks, most)), "notes": []}


def _html_elements(
    data: bytes, *, config: "ConfigParser", prune: tuple[str, ...] = ()
) -> list[HtmlElement]:
    from xml.etree.ElementTree import fromstring

    from trafilatura import extract

    found = extract(
        data,
        output_format="xml",
        include_links=True,
        include_comments=False,
        include_tables=False,
        deduplicate=False,
        prune_xpath=[_FURNITURE, *prune],
        config=config,
    )
    # The XML is written by trafilatura, without declarations.
    return list(_elements(fromstring(found))) if found else []  # noqa: S314


def _size(elements: list[HtmlElement]) -> int:
    return sum(len(text) for _, text, _ in elements)


def _unless_little(less: list[HtmlElement], more: list[HtmlElement]) -> list[HtmlElement]:
    """Return the first of two, if it holds most of the second."""
    return less if 2 * _size(less) > _size(more) else more


def _teaser_path() -> str:
    upper, lower = string.ascii_uppercase, string.ascii_lowercase
    named = f"translate(concat(@class, ' ', @id), '{upper}', '{lower}')"
    test = " or ".join(f"contains({named}, '{name}')" for name in _TEASER_CLASSES)
    return f"//*[self::aside or self::div or self::section or self::ul][{test}]"


def _elements(root: "Element") -> Iterator[HtmlElement]:
    """Yield all innermost blocks."""
    for line_break in root.iter("lb"):
        line_break.tail = f" {line_break.tail or ''}"
    parents = {child: parent for parent in root.iter() for child in parent}
    for element in root.iter():
        inner = (each.tag for each in element.iter() if each is not element)
        if element.tag not in _HTML_KINDS or any(tag in _HTML_BLOCKS for tag in inner):
            continue
        text = " ".join("".join(element.itertext()).split())
        linked = "".join("".join(link.itertext()) for link in element.iter("ref"))
        is_part = element.tag == "code" and parents[element].tag in _HTML_KINDS
        if text and not is_part:
            yield element.tag, text, len(linked.strip()) >= len(text) - 2


def _without_teasers(elements: Iterable[HtmlElement]) -> Iterator[list[Any]]:
    """Drop links to other articles: under a heading that says so, and several in a row."""
    listed = list(elements)
    in_teasers = False
    for at, (tag, text, is_link) in enumerate(listed):
        if _TEASER_HEADING.match(text) and (tag == "head" or len(text) < 40):
            in_teasers = True
            continue
        short = len(text.split()) < 25
        if tag == "head" or not (is_link or (tag == "item" and short)):
            in_teasers = in_teasers and (is_link or (tag == "head" and _is_link(listed, at + 1)))
        if in_teasers or (
            is_link and short and (_is_link(listed, at - 1) or _is_link(listed, at + 1))
        ):
            continue
        yield [_HTML_KINDS[tag], text]


def _is_link(listed: list[HtmlElement], at: int) -> bool:
    return 0 <= at < len(listed) and listed[at][2]


def docx_blocks(data: bytes, most: int) -> Found:
    """Read the paragraphs of a Word file; tables are left out."""
    from docx import Document

    document = Document(io.BytesIO(data))
    blocks = [[_docx_kind(p), p.text] for p in document.paragraphs if p.text.strip()]
    if not any(map(str.isalpha, "".join(p.text for p in document.paragraphs))):
        raise NoText("holds no text outside of tables and pictures")
    tables = len(document.tables)
    notes = [["tables-skipped", f"{tables} table{'s were' if tables > 1 else ' was'} left out"]]
    return {"blocks": list(_bounded(blocks, most)), "notes": notes if tables else []}


def _docx_kind(paragraph: "Paragraph") -> str | None:
    """Return the role of a paragraph by the name of its style, or by its number or bullet."""
    style = (getattr(paragraph.style, "name", None) or "").lower()
    kind = next((kind for start, kind in _DOCX_STYLES.items() if style.startswith(start)), None)
    properties = paragraph._p.pPr  # noqa: SLF001 - the library has no other name for it
    is_listed = properties is not None and properties.numPr is not None
    return kind or ("list-item" if is_listed else None)


EXTRACTORS: Mapping[str, Callable[[bytes, int], Found]] = {
    "pdf": pdf_pages,
    "html": html_blocks,
    "docx": docx_blocks,
    "email": email_parts,
}

if __name__ == "__main__":
    main(sys.argv[1:])
