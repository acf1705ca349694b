"""What a file is."""

import pytest

from discobert.errors import InputError
from discobert.store.inputs import InputKind, recognise
from discobert.store.inputs.kinds import refuse_binary


@pytest.mark.parametrize(
    ("name", "data", "kind"),
    [
        ("a.txt", b"<!DOCTYPE html><p>An example", InputKind.TEXT),
        ("a.txt", b"%PDF-1.7", InputKind.PDF),
        ("a.pdf", b"no pdf at all", InputKind.PDF),
        ("a.MD", b"# A", InputKind.MARKDOWN),
        ("a.story", b"A", InputKind.STORY),
        ("a.jsonl.xz", b"\xfd7zXZ", InputKind.JSONL),
        ("a.ndjson", b"", InputKind.JSONL),
        ("page", b"\n <!doctype HTML>", InputKind.HTML),
        ("page", b"\xef\xbb\xbf<?xml version='1'?><!-- a --><html lang=en>", InputKind.HTML),
        ("stdin", b"<htmlish>", InputKind.TEXT),
        ("stdin", b'{"id": 1, "text": "A"}\n{', InputKind.JSONL),
        ("stdin", b'{"article": []}', InputKind.JSONL),
        ("stdin", b'{"other": 1}', InputKind.TEXT),
        ("stdin", b"{braces} open the text", InputKind.TEXT),
        ("stdin", b"\xff", InputKind.TEXT),
        ("stdin", b"", InputKind.TEXT),
        ("a.docx", b"PK\x03\x04", InputKind.DOCX),
        ("a.eml", b"Subject: A\n\nB", InputKind.EMAIL),
        ("a.SRT", b"1\n", InputKind.TRANSCRIPT),
        ("stdin", b"WEBVTT\n\n00:01.000 --> 00:02.000\nA", InputKind.TRANSCRIPT),
        ("stdin", b"\xef\xbb\xbf1\r\n00:00:01,000 --> 00:00:02,000\r\nA", InputKind.TRANSCRIPT),
        ("stdin", b"1\n00:00:01 and so on", InputKind.TEXT),
    ],
)
def test_kind_is_told_by_content_and_suffix(name: str, data: bytes, kind: InputKind) -> None:
    assert recognise(name, data) is kind


@pytest.mark.parametrize(
    ("data", "what"),
    [
        (b"\x89PNG\r\n\x1a\n\0", "a PNG picture"),
        (b"PK\x03\x04..xl/workbook.xml", "an Excel workbook"),
        (b"PK\x03\x04..word/document.xml", "name it .docx"),
        (b"PK\x03\x04..something", "a ZIP archive"),
        (b"\0\0\0\x20ftypisom", "MP4 audio or video"),
        (b"\x1f\x8b\x08", "gzip data; unpack it first"),
        (b"{\\rtf1 Text}", "RTF; save it as"),
        (b"MZ\x90\0\x03", "a Windows program"),
    ],
)
def test_a_file_that_is_no_text_is_named(data: bytes, what: str) -> None:
    with pytest.raises(InputError, match=rf"^a: not text; it looks like .*{what}"):
        refuse_binary("a", data)


@pytest.mark.parametrize("data", [b"BMW sold more cars.", b"MZ", b"", b"RIF", b"Text\0"])
def test_other_files_are_not_refused_by_their_start(data: bytes) -> None:
    refuse_binary("a", data)
