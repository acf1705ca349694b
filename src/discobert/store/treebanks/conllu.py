"""Reader of Universal Dependencies: CoNLL-U text, and UD-EWT as an archive of such files.

Tokens are placed on the characters of their sentence's text. A document is its sentences joined by
spaces, or by a line break where a paragraph starts.
"""

import tarfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from discobert.data.document import SentenceLayout, SourceText, Span
from discobert.errors import InputError
from discobert.store.text import printable

EWT_FILE = "en_ewt-ud-{split}.conllu"

_TEXT, _DOCUMENT, _PARAGRAPH = "# text = ", "# newdoc", "# newpar"
_N_COLUMNS = 10
_FORM, _UPOS, _HEAD, _RELATION = 1, 3, 6, 7


@dataclass(frozen=True, slots=True)
class UdToken:
    """A syntactic word."""

    start: int
    """Its first character in the text; words of a contraction that is spelt otherwise share one."""
    upos: str
    head: int
    """Number of its head in the sentence, from 1; 0 is the root."""
    relation: str


@dataclass(frozen=True, slots=True)
class UdDocument:
    """A text with the syntax of each sentence."""

    source: SourceText
    sentences: SentenceLayout
    tokens: tuple[tuple[UdToken, ...], ...]


@dataclass(frozen=True, slots=True)
class _Block:
    """The lines of one sentence."""

    number: int
    """Line of the file at which it starts, from 1."""
    comments: tuple[str, ...]
    words: tuple[tuple[str, ...], ...]
    """Columns of every syntactic word; ranges and empty nodes are left out."""

    def has(self, mark: str) -> bool:
        return any(comment.startswith(mark) for comment in self.comments)


def read_ewt(archive: Path, split: str) -> list[UdDocument]:
    """Read a split of UD-EWT from its archive (tar, compressed or not)."""
    wanted = EWT_FILE.format(split=split)
    try:
        with tarfile.open(archive) as tar:
            member = next((m for m in tar if Path(m.name).name == wanted), None)
            file = tar.extractfile(member) if member else None
            if file is None:
                raise InputError(f"{printable(archive)}: holds no file {wanted}")
            text = file.read().decode("utf-8")
    except (OSError, EOFError, tarfile.TarError, UnicodeDecodeError) as error:
        raise InputError(f"{printable(archive)}: cannot be read as an archive: {error}") from error
    return list(conllu_documents(text, name=wanted))


def conllu_documents(text: str, *, name: str) -> Iterator[UdDocument]:
    """Yield the documents of a CoNLL-U file; without ``# newdoc`` all of it is one."""
    gathered: list[_Block] = []
    n_documents = 0
    for block in _blocks(text.split("\n"), name):
        if block.has(_DOCUMENT) and gathered:
            yield _document(gathered, f"{name}-{n_documents}")
            gathered, n_documents = [], n_documents + 1
        gathered.append(block)
    if gathered:
        yield _document(gathered, f"{name}-{n_documents}")


def _blocks(lines: Iterable[str], name: str) -> Iterator[_Block]:
    comments: list[str] = []
    words: list[tuple[str, ...]] = []
    first = 1
    for number, line in enumerate([*lines, ""], start=1):
        if line.startswith("#"):
            comments.append(line)
        elif line.strip():
            columns = tuple(line.split("\t"))
            if len(columns) != _N_COLUMNS:
                raise InputError(f"{name}, line {number}: {len(columns)} columns, expected 10")
            if columns[0].isdigit():
                words.append(columns)
        else:
            if words:
                yield _Block(first, tuple(comments), tuple(words))
            comments, words, first = [], [], number + 1


def _document(blocks: list[_Block], name: str) -> UdDocument:
    text = ""
    spans: list[Span] = []
    tokens: list[tuple[UdToken, ...]] = []
    paragraphs = [0]
    for index, block in enumerate(blocks):
        opens = block.has(_PARAGRAPH)
        if index:
            text += "\n" if opens else " "
            paragraphs += [index] if opens else []
        sentence = _sentence_text(block, name)
        tokens.append(tuple(_tokens(block, sentence, len(text), name)))
        spans.append(Span(len(text), len(text) + len(sentence)))
        text += sentence
    layout = SentenceLayout(tuple(spans), tuple(paragraphs))
    return UdDocument(SourceText(name, text), layout, tuple(tokens))


def _sentence_text(block: _Block, name: str) -> str:
    found = [c.removeprefix(_TEXT).strip() for c in block.comments if c.startswith(_TEXT)]
    if not found or not found[0]:
        raise InputError(
            f"{name}, line {block.number}: a sentence without a line {_TEXT.strip()!r}"
        )
    return found[0]


def _tokens(block: _Block, sentence: str, offset: int, name: str) -> Iterator[UdToken]:
    place = 0
    for columns in block.words:
        if not columns[_HEAD].isdigit() or int(columns[_HEAD]) > len(block.words):
            raise InputError(
                f"{name}, sentence at line {block.number}: the head of word {columns[0]} must be a "
                f"number up to {len(block.words)}, got {columns[_HEAD]!r}"
            )
        found = sentence.find(columns[_FORM], place)
        start = place if found < 0 else found
        yield UdToken(offset + start, columns[_UPOS], int(columns[_HEAD]), columns[_RELATION])
        place = start if found < 0 else found + len(columns[_FORM])
