"""The child process that extracts the text of an untrusted HTML or PDF file, within limits.

Run as ``python -I child.py KIND SECONDS BYTES CHARACTERS FOLDER...``; the file comes on standard
input, and ``{"text"}`` or ``{"error"}`` goes to standard output. Packages are imported from where
Python itself looks for them, then from the folders. Nothing of discobert is imported.
"""

import io
import json
import logging
import re
import sys
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pypdf import PdfReader

_HYPHEN = re.compile(r"(?<=[^\W\d_])-\n(?=[^\W\d_A-Z])")


class NoText(Exception):
    """The file holds no text that can be used; the message is printed after its name."""


def main(arguments: list[str]) -> None:
    """Extract within the limits given; whatever a library raises becomes an error message."""
    kind = arguments[0]
    seconds, memory, most = map(int, arguments[1:4])
    sys.path += [folder for folder in arguments[4:] if folder not in sys.path]
    _limit(seconds, memory)
    logging.disable()
    result = extraction(kind, sys.stdin.buffer.read(), most)
    sys.stdout.buffer.write(json.dumps(result).encode())


def _limit(seconds: int, memory: int) -> None:
    """Limit the memory and CPU time of this process; Windows has only the timeout of the parent."""
    try:
        import resource
    except ImportError:  # Windows
        return
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))


def extraction(kind: str, data: bytes, most: int) -> dict[str, str]:
    """Return the text, or the reason why there is none."""
    try:
        return {"text": EXTRACTORS[kind](data, most)}
    except NoText as reason:
        return {"error": str(reason)}
    except MemoryError:
        return {"error": "needs more memory than is allowed; if it is safe, extract its text first"}
    except Exception as error:  # any error of a library about the file
        words = " ".join(str(error).split())[:200]
        return {"error": f"cannot be read as {kind.upper()}: {type(error).__name__}: {words}"}


def pdf_text(data: bytes, most: int) -> str:
    """Read the pages of a PDF, a form feed after each, words cut at line ends mended."""
    from pypdf import PdfReader

    reader = PdfReader(io.BytesIO(data))
    if reader.is_encrypted and not _opens(reader):
        raise NoText("is encrypted; save a copy without the password first")
    pages: list[str] = []
    size = 0
    for page in reader.pages:
        pages.append(page.extract_text())
        size += len(pages[-1])
        if size > most:
            raise NoText(f"holds more than {most:,} characters; split it first")
    text = _HYPHEN.sub("", "\n\f".join(page.strip() for page in pages)) + "\n"
    if not any(map(str.isalpha, text)):
        raise NoText("holds no text, only pictures perhaps; run text recognition (OCR) first")
    return text


def _opens(reader: "PdfReader") -> bool:
    """Try the empty password, with which most restricted files open."""
    from pypdf.errors import DependencyError

    try:
        return bool(reader.decrypt(""))
    except DependencyError:  # AES, without the package for it
        return False


def html_text(data: bytes, most: int) -> str:
    """Take the article out of a page, a line for each paragraph, without scripts and menus."""
    from trafilatura import extract

    text = extract(data, include_comments=False, include_tables=False, deduplicate=False)
    if not text:
        raise NoText("no article was found in the page; if all of it is text, add --input text")
    if len(text) > most:
        raise NoText(f"holds more than {most:,} characters; split it first")
    return f"{text}\n"


EXTRACTORS: Mapping[str, Callable[[bytes, int], str]] = {"pdf": pdf_text, "html": html_text}

if __name__ == "__main__":
    main(sys.argv[1:])
