"""What the pages tell readers to type works, and prints what the pages say it prints."""

import shutil
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.doc_blocks import NOT_RUN, ROOT, RUN, SHOWN, Block, Reader, blocks_of, matches

PAGES = {
    page.relative_to(ROOT / "docs").as_posix(): blocks_of(page)
    for page in sorted((ROOT / "docs").rglob("*.md"))
}
TYPED = {name: blocks for name, blocks in PAGES.items() if any(b.is_run for b in blocks)}
SLOW = {name: blocks for name, blocks in TYPED.items() if any(b.is_slow for b in blocks)}
EXTRAS = {
    "corpora.md": ("pyarrow",),
    "how-to/mcp.md": ("mcp",),
    "how-to/own-data.md": ("torch", "pyarrow"),
    "how-to/proxy.md": ("fastapi",),
    "how-to/retrieval.md": ("langchain_core", "llama_index.core"),
    "serving.md": ("fastapi",),
    "tutorial.md": ("torch", "pyarrow"),
}
"""Libraries that the blocks of a page need beyond the base install."""


@pytest.fixture
def reader(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Reader]:
    monkeypatch.chdir(tmp_path)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    reader = Reader(tmp_path, port)
    yield reader
    reader.leave()


def before_the_first_slow_one(blocks: list[Block]) -> list[Block]:
    slow = [index for index, block in enumerate(blocks) if block.is_slow]
    return blocks[: slow[0]] if slow else blocks


@pytest.mark.parametrize("name", PAGES)
def test_every_block_is_run_or_says_why_not(name: str) -> None:
    for block in PAGES[name]:
        assert block.language in (*RUN, *SHOWN), f"{name}: unknown language: {block}"
        if block.language in RUN and block.title:
            assert block.title.startswith(NOT_RUN), f"{name}: what does this title mean? {block}"


@pytest.mark.parametrize("name", [n for n, b in TYPED.items() if before_the_first_slow_one(b)])
def test_what_a_page_shows_can_be_typed(name: str, reader: Reader) -> None:
    if name not in SLOW:
        for library in EXTRAS.get(name, ()):
            pytest.importorskip(library)
    reader.follow(before_the_first_slow_one(TYPED[name]))


@pytest.mark.slow
@pytest.mark.parametrize("name", SLOW)
def test_whole_pages_that_take_long_can_be_typed(name: str, reader: Reader) -> None:
    if shutil.which("curl") is None and any("curl" in block.text for block in SLOW[name]):
        pytest.skip("no curl")
    for library in EXTRAS.get(name, ()):
        pytest.importorskip(library)
    reader.follow(SLOW[name])


def test_a_wrong_output_would_be_noticed(reader: Reader) -> None:
    shown = [Block("python", "", "print('one')\nprint('two')"), Block("text", "Output", "three\n")]
    with pytest.raises(AssertionError, match="is not what was printed"):
        reader.follow(shown)
    assert matches("one\n…\nthree\n", "one\ntwo\nthree\n")
    assert not matches("three\n…\none\n", "one\ntwo\nthree\n")


def test_a_command_that_fails_would_be_noticed(reader: Reader) -> None:
    for text in ("discobert summarize no-such-file.txt", "false | cat"):
        with pytest.raises(AssertionError):
            reader.follow([Block("console", "", text)])
