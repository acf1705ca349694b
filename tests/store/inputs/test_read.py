"""Files of any kind to named texts."""

import contextlib
import gzip
import io
import json
import lzma
import os
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.store.inputs.pdfs import pdf

from discobert.data.document import SourceText
from discobert.data.markup import Markup
from discobert.errors import InputError
from discobert.store.inputs import InputKind, read, read_documents

LINES = b'{"id": "x", "text": "One.\\nTwo."}\n\n{"article": ["Three.", "Four."]}\n'


def test_plain_text_is_untouched(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"# One\r\n*two* ")
    assert read_documents(path) == [SourceText(str(path), "# One\r\n*two* ")]
    (found,) = read_documents(path, name="n", kind=InputKind.MARKDOWN)
    assert (found.id, found.text) == ("n", "One\n\ntwo\n")


def test_stories_lose_their_highlights() -> None:
    story = b"One.\n\nTwo.\n\n@highlight\n\nShort."
    assert read_documents(story, name="a.story") == [
        SourceText("a.story", "One.\nTwo.", Markup("story"))
    ]


def test_lines_of_json_are_texts_of_their_own(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl.xz"
    path.write_bytes(lzma.compress(LINES))
    expected = [SourceText("x", "One.\nTwo."), SourceText(f"{path}:3", "Three.\nFour.")]
    assert read_documents(path) == expected
    assert read_documents(LINES) == [expected[0], SourceText("stdin:3", "Three.\nFour.")]


def test_json_with_a_long_first_line_is_recognised() -> None:
    line = json.dumps({"id": "x", "article": ["One. " * 2000]}).encode()
    assert [found.id for found in read_documents(line)] == ["x"]


LONG = b"The bridge fell on Monday. " * 9000


@contextlib.contextmanager
def written(pipe: Path | int, data: bytes) -> Iterator[None]:
    """Write to a pipe, which takes as long as somebody reads it; a reader may stop early."""

    def write() -> None:
        with contextlib.suppress(BrokenPipeError), open(pipe, "wb") as file:  # noqa: PTH123
            file.write(data)

    writer = threading.Thread(target=write, daemon=True)
    writer.start()
    yield
    writer.join(timeout=10)
    assert not writer.is_alive()


@pytest.mark.timeout(30)
@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
@pytest.mark.parametrize(
    ("name", "data", "expected"),
    [
        ("a", LONG, [LONG.decode()]),
        ("a.jsonl", LINES, ["One.\nTwo.", "Three.\nFour."]),
        ("a.jsonl.gz", gzip.compress(LINES, mtime=0), ["One.\nTwo.", "Three.\nFour."]),
        ("a.story", b"One.\n\n@highlight\n\nShort.", ["One."]),
    ],
)
def test_a_named_pipe_is_read_whole(
    name: str, data: bytes, expected: list[str], tmp_path: Path
) -> None:
    path = tmp_path / name
    os.mkfifo(path)
    with written(path, data):
        found = read_documents(path)
    assert [each.text for each in found] == expected


def test_no_more_is_asked_for_at_once_than_a_machine_has() -> None:
    class Counting(io.BytesIO):
        most = 0

        def read(self, size: int | None = -1, /) -> bytes:
            self.most = max(self.most, size or 0)
            return super().read(size)

    file = Counting(b"x" * 3_000_000)
    assert len(read.read_whole(file, name="a")) == 3_000_000
    assert 0 < file.most <= 1 << 20  # Python would take memory for all that is asked for


@pytest.mark.timeout(30)
@pytest.mark.skipif(not Path("/dev/fd").is_dir(), reason="needs /dev/fd")
def test_a_process_substitution_is_read_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        read, "extract_text", lambda data, **options: SourceText("", f"{len(data)} bytes")
    )
    for data, expected in ((LONG, LONG.decode()), (b"%PDF-" + LONG, f"{len(LONG) + 5} bytes")):
        receiver, sender = os.pipe()
        with written(sender, data):
            (found,) = read_documents(Path(f"/dev/fd/{receiver}"))
        os.close(receiver)
        assert found.text == expected


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_too_large_a_page_from_a_pipe_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.html"
    os.mkfifo(path)
    page = b"<html>" + bytes(20_000_000)
    with written(path, page), pytest.raises(InputError, match="20,000,001 bytes of HTML"):
        read_documents(path)


def test_json_without_lines_or_text_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no lines in it"):
        read_documents(b"\n", kind=InputKind.JSONL)
    with pytest.raises(InputError, match="lacks the column"):
        read_documents(json.dumps({"id": "a"}).encode(), kind=InputKind.JSONL)


def test_missing_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        read_documents(tmp_path / "a.txt")
    with pytest.raises(InputError, match="no such file"):
        read_documents(tmp_path / "a.pdf")


def test_pdf_is_recognised_by_its_content(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "paper"
    path.write_bytes(pdf(["The bridge fell."]))
    monkeypatch.setattr(
        read, "extract_text", lambda data, **options: SourceText("", options["kind"].value)
    )
    assert [found.text for found in read_documents(path)] == ["pdf"]


def test_large_page_is_refused_before_it_is_read(tmp_path: Path) -> None:
    path = tmp_path / "a.html"
    with path.open("wb") as file:
        file.truncate(50_000_000)
    with pytest.raises(InputError, match=r"a\.html: 50,000,000 bytes of HTML"):
        read_documents(path)


def test_page_in_a_named_encoding_is_read() -> None:
    for package in ("trafilatura", "lxml_html_clean"):
        pytest.importorskip(package, reason="needs the inputs extra")
    prose = "Im Frühjahr öffnet die Brücke über den Fluss, sagte der Bürgermeister am Montag."
    page = f"<html><body><article>{f'<p>{prose}</p>' * 4}</article></body></html>"
    (found,) = read_documents(page.encode("cp1252"), kind=InputKind.HTML, encoding="cp1252")
    assert prose in found.text


@pytest.mark.parametrize("address", ["https://news.example/a.html", "HTTP://a.b", "www.a.b/c"])
def test_an_address_gets_a_hint(address: str) -> None:
    with pytest.raises(InputError, match=rf"^{address}: an address, .* save the page"):
        read_documents(Path(address))


def test_a_picture_is_named() -> None:
    with pytest.raises(InputError, match="it looks like a PNG picture"):
        read_documents(b"\x89PNG\r\n\x1a\n\0\0", name="a.txt")


@pytest.mark.parametrize("encoding", ["utf-16", "cp1252", "utf-16-le"])
def test_json_lines_may_be_in_another_encoding(encoding: str) -> None:
    data = '{"id": "x", "text": "Café.\\nĀ"}\n{"text": "Zoë."}\n'.replace("Ā", "B").encode(encoding)
    found = read_documents(data, name="a.jsonl", encoding=encoding)
    assert [each.text for each in found] == ["Café.\nB", "Zoë."]
    if encoding == "utf-16":  # has a byte order mark
        assert read_documents(data, name="a.jsonl") == found


def test_compressed_json_lines_may_be_in_another_encoding() -> None:
    data = gzip.compress('{"text": "Zoë."}'.encode("latin-1"), mtime=0)
    assert read_documents(data, name="a.jsonl.gz", encoding="latin-1")[0].text == "Zoë."
    with pytest.raises(InputError, match="damaged"):
        read_documents(data[:-9], name="a.jsonl.gz", encoding="latin-1")


def test_a_nul_by_its_escape_is_refused() -> None:
    line = b'{"text": "Fine."}\n{"text": "Not \\u0000 fine."}'
    with pytest.raises(InputError, match=r"a\.jsonl, line 2: .*NUL character at offset 4"):
        read_documents(line, name="a.jsonl")


def test_file_of_nothing_but_a_table_says_so() -> None:
    with pytest.raises(InputError, match=r"^a\.md: nothing else is in it: 1 table was left out$"):
        read_documents(b"|a|b|\n|-|-|\n|1|2|\n", name="a.md")
