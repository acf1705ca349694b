"""Tables of text as Markdown; a table is a heading and rows of as many cells."""

from collections.abc import Mapping, Sequence

Row = tuple[str, ...]
Table = tuple[Row, Sequence[Row]]


def markdown_table(heading: Row, rows: Sequence[Row]) -> str:
    """Write one table, a line for each row."""
    rule = ("---",) * len(heading)
    return "".join(f"| {' | '.join(row)} |\n" for row in (heading, rule, *rows))


def markdown_tables(tables: Mapping[str, Table]) -> str:
    """Write tables below their titles."""
    return "\n".join(f"**{title}**\n\n{markdown_table(*table)}" for title, table in tables.items())
