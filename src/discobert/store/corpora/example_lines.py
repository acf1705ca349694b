"""Articles that come with their analyses: our JSON of analyses, a ``reference`` beside each."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from discobert.data.codec import decode_analysis
from discobert.data.fields import Field
from discobert.errors import FormatError, InputError
from discobert.store.corpora.articles import Article
from discobert.store.corpora.columns import fallback_id
from discobert.store.corpora.entries import START, Analysed, Entry, Place, Placed, rejected
from discobert.store.jsonl import Line, read_lines, row_of


@dataclass(frozen=True, slots=True)
class ExampleLines:
    """Analyses from files with one JSON object a line, plain, gzip or xz."""

    files: tuple[Path, ...]

    def read(self, start: Place = START) -> Iterator[Placed]:
        """Yield an entry for each line that is not blank."""
        for index in range(start.file, len(self.files)):
            here = start if index == start.file else START
            path = self.files[index]
            for line in read_lines(path, skip=here.record, offset=here.offset):
                place = Place(index, line.number - 1, line.offset)
                yield Placed(place, self._entry(path, line))

    def expected(self) -> int | None:
        """Return nothing: lines are counted by reading them."""
        return None

    def _entry(self, path: Path, line: Line) -> Entry:
        name = fallback_id(self.files, path, line.number)
        try:
            row = row_of(line, path.name)
        except InputError as error:
            return rejected(name, "malformed-json", str(error))
        try:
            return _analysed(row)
        except FormatError as error:
            found = row.object().get("id")
            name = found if isinstance(found, str) else name
            return rejected(name, "invalid-analysis", f"{row.path}: {error}")


def _analysed(row: Field) -> Analysed:
    analysis = decode_analysis(row.value)
    reference = row.optional("reference", []).items(Field.text)
    source = row.optional("source", "").text()
    document = analysis.document
    return Analysed(Article(document.id, source, document.text, reference), analysis)
