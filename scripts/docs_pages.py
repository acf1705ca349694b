"""Pages of the site that are written as it is built: the help of every command."""

import contextlib
import io
import os
from typing import TYPE_CHECKING

from discobert.cli.app import COMMANDS, run

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files

COLUMNS = "84"
INTRODUCTION = """\
# Command line

What `discobert --help` and `discobert COMMAND --help` print, written when this page was built.

Results go to standard output or to `-o FILE`, which is written whole or not at all; progress and
warnings go to standard error. Exit codes: 0 done · 1 a fault of ours · 2 wrong usage · 3 input that
cannot be read or is empty · 4 a model that is missing or damaged. Kinds of
[input files](../inputs.md) and of [corpora](../corpora.md) have pages of their own.
"""


def command_line_page() -> str:
    """Return the page of all commands, from their own help texts."""
    parts = [INTRODUCTION, _block([])]
    for command in COMMANDS:
        parts += [f"## {command.name}\n", _block([command.name])]
    return "\n".join(parts)


def _block(command: list[str]) -> str:
    shown = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")  # commands write bytes
    before = os.environ.get("COLUMNS")
    os.environ["COLUMNS"] = COLUMNS
    try:
        with contextlib.redirect_stdout(shown):
            code = run([*command, "--help"])
    finally:
        if before is None:
            del os.environ["COLUMNS"]
        else:
            os.environ["COLUMNS"] = before
    if code:
        raise RuntimeError(f"discobert {' '.join(command)} --help ended with {code}")
    shown.seek(0)
    return f"```text\n{shown.read().rstrip()}\n```\n"


def on_files(files: "Files", config: "MkDocsConfig") -> "Files":
    """Add the generated pages to those of the folder."""
    from mkdocs.structure.files import File

    files.append(File.generated(config, "reference/cli.md", content=command_line_page()))
    return files
