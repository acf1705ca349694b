"""Figures that others have published, each with its source."""

from collections.abc import Mapping
from dataclasses import dataclass

from discobert.data.codecs.fields import Field
from discobert.errors import FormatError


@dataclass(frozen=True, slots=True)
class PublishedRow:
    """A row of a published table."""

    system: str
    figures: Mapping[str, float]
    source: str
    ours: str | None
    """The system of ours that stands beside it."""


@dataclass(frozen=True, slots=True)
class Published:
    """All published rows, by table."""

    rows: Mapping[str, tuple[PublishedRow, ...]]

    def table(self, name: str) -> tuple[PublishedRow, ...]:
        """Return the rows of a table, which must be there."""
        if name not in self.rows:
            raise FormatError(f"published.json has no table {name!r}")
        return self.rows[name]

    def row(self, table: str, system: str) -> PublishedRow:
        """Return one row."""
        for row in self.table(table):
            if row.system == system:
                return row
        raise FormatError(f"published.json, table {table!r}: no row {system!r}")


def read_published(root: Field) -> Published:
    """Read the file of published figures."""
    rows: dict[str, list[PublishedRow]] = {}
    for table, row in root.member("rows").items(_row):
        rows.setdefault(table, []).append(row)
    return Published({name: tuple(found) for name, found in rows.items()})


def _row(field: Field) -> tuple[str, PublishedRow]:
    figures = field.member("figures")
    ours = field.optional("ours", None)
    row = PublishedRow(
        system=field.member("system").text(),
        figures={name: figures.member(name).number() for name in figures.object()},
        source=field.member("source").text(),
        ours=None if ours.value is None else ours.text(),
    )
    if not row.source:
        raise field.member("source").error("the source of the figures")
    return field.member("table").text(), row
