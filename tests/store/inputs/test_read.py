"""Files of any kind to named texts."""

import json
import lzma
from pathlib import Path

import pytest
from tests.store.inputs.pdfs import pdf

from discobert.errors import InputError
from discobert.store.inputs import InputKind, read, read_documents

LINES = b'{"id": "x", "text": "One.\\nTwo."}\n\n{"article": ["Three.", "Four."]}\n'


def test_plain_text_is_untouched(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"# One\r\n*two* ")
    assert read_documents(path) == [(str(path), "# One\r\n*two* ")]
    assert read_documents(path, name="n", kind=InputKind.MARKDOWN) == [("n", "One\n\ntwo\n")]


def test_stories_lose_their_highlights() -> None:
    story = b"One.\n\nTwo.\n\n@highlight\n\nShort."
    assert read_documents(story, name="a.story") == [("a.story", "One.\nTwo.")]


def test_lines_of_json_are_texts_of_their_own(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl.xz"
    path.write_bytes(lzma.compress(LINES))
    expected = [("x", "One.\nTwo."), (f"{path}:3", "Three.\nFour.")]
    assert read_documents(path) == expected
    assert read_documents(LINES) == [expected[0], ("stdin:3", "Three.\nFour.")]


def test_json_without_lines_or_text_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no lines in it"):
        read_documents(b"\n", kind=InputKind.JSONL)
    with pytest.raises(InputError, match="lacks the member"):
        read_documents(json.dumps({"id": "a"}).encode(), kind=InputKind.JSONL)


def test_missing_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        read_documents(tmp_path / "a.txt")
    with pytest.raises(InputError, match="no such file"):
        read_documents(tmp_path / "a.pdf")


def test_pdf_is_recognised_by_its_content(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "paper"
    path.write_bytes(pdf(["The bridge fell."]))
    monkeypatch.setattr(read, "extract_text", lambda data, **options: options["kind"].value)
    assert read_documents(path) == [(str(path), "pdf")]


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
