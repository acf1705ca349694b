"""The way of a text in docs/architecture.md is the one that the code takes."""

import re
import sys
from pathlib import Path
from types import FrameType

import pytest

from discobert.cli.app import run

ROOT = Path(__file__).parents[1]
SOURCE = f"{ROOT / 'src' / 'discobert'}/"
HOP = re.compile(r"^\| \d+ \| (?P<functions>`[^|]+) \|", re.MULTILINE)
"""A hop that names its functions first; one is a wrapper without a name of its own."""


def documented() -> list[tuple[str, str]]:
    """Return file and name of every function of the table, in its order."""
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    found = []
    for hop in HOP.finditer(page):
        for dotted in re.findall(r"`([\w.]+)`", hop["functions"]):
            *places, name = dotted.split(".")
            modules = "/".join(place for place in places if not place[0].isupper())
            found.append((f"{SOURCE}{modules}.py", name))
    return found


def test_hops_are_taken_in_the_order_of_the_page(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    text = tmp_path / "text.txt"
    text.write_text("The bridge was closed, because it had cracks. It will open in May.\n")
    entered: list[tuple[str, str]] = []

    def note(frame: FrameType, event: str, arg: object) -> None:
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(SOURCE):
            entered.append((code.co_filename, code.co_name))

    sys.setprofile(note)
    try:
        assert run(["summarize", str(text), "--words", "9"]) == 0
    finally:
        sys.setprofile(None)
    assert capsys.readouterr().out
    start, *expected = documented()
    assert start == (f"{SOURCE}__main__.py", "main")  # calls run, and would end this process
    assert len(expected) > 20
    assert [hop for hop in expected if hop not in entered] == []
    assert sorted(expected, key=entered.index) == expected
