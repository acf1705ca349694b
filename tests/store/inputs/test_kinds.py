"""What a file is."""

import pytest

from discobert.store.inputs import InputKind, recognise


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
    ],
)
def test_kind_is_told_by_content_and_suffix(name: str, data: bytes, kind: InputKind) -> None:
    assert recognise(name, data) is kind
