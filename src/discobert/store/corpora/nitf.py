"""The parts of a news article in NITF 3.3 (News Industry Text Format) that a summary needs."""

from dataclasses import dataclass, field
from xml.parsers import expat

from discobert.errors import FormatError


@dataclass(frozen=True, slots=True)
class Nitf:
    """Paragraphs of the full text and of the abstract, white space squeezed."""

    full_text: tuple[str, ...]
    abstract: tuple[str, ...]


def parse_nitf(data: bytes, *, name: str) -> Nitf:
    """Parse the content of a file; ``name`` is its name in errors."""
    parser = expat.ParserCreate()
    handler = _Handler()
    parser.buffer_text = True
    parser.StartElementHandler = handler.start
    parser.EndElementHandler = handler.end
    parser.CharacterDataHandler = handler.text
    # The corpus names a DTD, which is not fetched; entities of a file's own could grow without end.
    parser.EntityDeclHandler = handler.refuse_entities
    try:
        parser.Parse(data, True)
    except expat.ExpatError as error:
        message = expat.errors.messages[error.code]
        raise FormatError(f"{name}:{error.lineno}: broken XML: {message}") from error
    except ValueError as error:
        raise FormatError(f"{name}: {error}") from error
    if not handler.is_nitf:
        raise FormatError(f"{name}: not NITF: the root element is no <nitf>")
    return Nitf(tuple(handler.full_text), tuple(handler.abstract))


@dataclass(slots=True)
class _Handler:
    """Collects paragraphs while the file is parsed."""

    is_nitf: bool = False
    full_text: list[str] = field(default_factory=list)
    abstract: list[str] = field(default_factory=list)
    _path: list[str] = field(default_factory=list)
    _inside: list[list[str]] = field(default_factory=list)
    """The list that paragraphs are added to, for each open block; empty outside of blocks."""
    _words: list[str] | None = None

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        if not self._path:
            self.is_nitf = tag == "nitf"
        self._path.append(tag)
        if tag == "abstract":
            self._inside.append(self.abstract)
        elif tag == "block":
            is_body = attributes.get("class") == "full_text"
            self._inside.append(self.full_text if is_body else [])
        elif tag == "p" and self._inside:
            self._words = []

    def end(self, tag: str) -> None:
        self._path.pop()
        if tag == "p" and self._words is not None:
            paragraph = " ".join("".join(self._words).split())
            if paragraph:
                self._inside[-1].append(paragraph)
            self._words = None
        elif tag in {"abstract", "block"}:
            self._inside.pop()

    def text(self, data: str) -> None:
        if self._words is not None:
            self._words.append(data)

    def refuse_entities(self, *declaration: object) -> None:
        raise ValueError("entity declarations are not allowed")
