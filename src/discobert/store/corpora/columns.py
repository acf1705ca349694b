"""Articles from rows with named columns, whatever kind of file the rows come from."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path

from discobert.data.codecs.fields import Field
from discobert.data.codecs.json_text import Json
from discobert.errors import FormatError, InputError, UsageError
from discobert.language.boilerplate import Boilerplate, without_boilerplate
from discobert.store.corpora.articles import Article
from discobert.store.corpora.entries import Rejected, rejected

_NO_COLUMN = "missing-field"


@dataclass(frozen=True, slots=True, kw_only=True)
class Columns:
    """Names that each part of an article may have; the first one found counts."""

    id: tuple[str, ...] = ("id",)
    text: tuple[str, ...] = ("article", "text", "document")
    reference: tuple[str, ...] = ("highlights", "reference", "summary", "abstract")
    source: tuple[str, ...] = ("source",)


DEFAULT_COLUMNS = Columns()


def named_columns(pairs: Sequence[str]) -> Columns:
    """Read ``PART=COLUMN`` settings; parts that are not named keep their default names."""
    columns = DEFAULT_COLUMNS
    parts = [field.name for field in fields(Columns)]
    for pair in pairs:
        part, mark, name = pair.partition("=")
        if part not in parts or not mark or not name:
            raise UsageError(
                f"--column needs PART=COLUMN with a part among {', '.join(parts)}, got {pair!r}"
            )
        columns = replace(columns, **{part: (name,)})
    return columns


@dataclass(frozen=True, slots=True, kw_only=True)
class RowRules:
    """How rows are read as articles."""

    columns: Columns = DEFAULT_COLUMNS
    boilerplate: Boilerplate = Boilerplate.KEEP
    reference: bool = True
    """Whether a row must have a reference."""


def article_of(row: Field, rules: RowRules, *, fallback_id: str) -> Article | Rejected:
    """Return the article of a row, or a rejection that names what is wrong with the row."""
    members = row.object()
    columns = rules.columns
    name = _id(members, columns, fallback_id)
    text = _find(members, columns.text)
    reference = _find(members, columns.reference)
    for part, found in (("text", text), ("reference", reference)):
        if found is None and (part == "text" or rules.reference):
            message = f"{row.path} {_lacks(names_of(rules, part), list(members))}"
            return rejected(name, _NO_COLUMN, message)
    try:
        paragraphs = lines_of(row.member(text or ""))
        lines = lines_of(row.member(reference)) if reference else ()
        source = row.optional(_find(members, columns.source) or "", "").value
    except FormatError as error:
        return rejected(name, "wrong-type", str(error))
    if rules.boilerplate is Boilerplate.DROP and paragraphs:
        paragraphs = without_boilerplate(paragraphs)
    return Article(
        id=name,
        source=source if isinstance(source, str) else "",
        text="\n".join(paragraphs),
        reference=tuple(line for line in lines if line.strip()),
    )


def _id(members: Mapping[str, Json], columns: Columns, fallback: str) -> str:
    """Return the id as text; a fallback for a row without one, or with a list or flag for one."""
    value = members.get(_find(members, columns.id) or "", fallback)
    usable = isinstance(value, str | int) and not isinstance(value, bool)
    return str(value) if usable else fallback


def _find(members: Mapping[str, Json], names: Sequence[str]) -> str | None:
    return next((name for name in names if members.get(name) is not None), None)


def lines_of(field: Field) -> tuple[str, ...]:
    """Return the lines of a string, or the strings of a list."""
    if isinstance(field.value, str):
        return tuple(field.value.split("\n"))
    return field.items(Field.text)


def _lacks(names: Sequence[str], found: Sequence[str]) -> str:
    wanted = " or ".join(repr(name) for name in names)
    return f"lacks the column {wanted}; its columns: {', '.join(found) or 'none'}"


def check_header(path: Path, found: Sequence[str], rules: RowRules) -> None:
    """Raise an error if a table lacks a column, before any row is read."""
    needed = ["text", *(["reference"] if rules.reference else [])]
    # A column that was named by the user must exist, even one that is not needed.
    chosen = [
        part for part in ("id", "source") if names_of(rules, part) != names_of(RowRules(), part)
    ]
    for names in (names_of(rules, part) for part in needed + chosen):
        if not set(names) & set(found):
            raise InputError(f"{path.name} {_lacks(names, found)}; --column PART=NAME names others")


def names_of(rules: RowRules, part: str) -> tuple[str, ...]:
    """Return the names that a part of an article may have."""
    names: tuple[str, ...] = getattr(rules.columns, part)
    return names


def fallback_id(files: Sequence[Path], path: Path, number: int) -> str:
    """Return the id of a record without one: its number, and its file if there are several."""
    return str(number) if len(files) == 1 else f"{path.name}:{number}"
