"""Tables for a terminal."""

from collections.abc import Mapping, Sequence
from io import StringIO

_WIDE = 160


def terminal_tables(tables: Mapping[str, tuple[Sequence[str], Sequence[Sequence[str]]]]) -> str:
    """Draw headed tables under their titles; anything but a terminal gets them wide and plain."""
    from rich.console import Console
    from rich.table import Table

    screen = Console()
    width = screen.width if screen.is_terminal else _WIDE
    page = StringIO()
    console = Console(file=page, width=width, force_terminal=screen.is_terminal)
    for title, (heading, rows) in tables.items():
        table = Table(title=title, title_justify="left")
        for column, name in enumerate(heading):
            table.add_column(name, justify="right" if column else "left")
        for row in rows:
            table.add_row(*row)
        console.print(table)
    return "".join(f"{line.rstrip()}\n" for line in page.getvalue().splitlines())
