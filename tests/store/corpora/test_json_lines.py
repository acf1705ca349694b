"""Articles and other systems' summaries from JSONL."""

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from discobert.errors import FormatError
from discobert.language.boilerplate import Boilerplate
from discobert.store.corpora.articles import Article
from discobert.store.corpora.json_lines import ArticleSample, read_summaries, text_of
from discobert.store.jsonl import read_rows


def write(path: Path, *rows: Mapping[str, object]) -> Path:
    path.write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
    return path


def test_paragraphs_are_joined_by_line_feeds(tmp_path: Path) -> None:
    row = {"id": "a", "source": "cnn", "article": ["One.", "Two."], "highlights": ["1", "2"]}
    articles = list(ArticleSample(path=write(tmp_path / "x.jsonl", row)).articles())
    assert articles == [Article("a", "cnn", "One.\nTwo.", ("1", "2"))]


def test_strings_serve_as_lists_and_line_numbers_as_ids(tmp_path: Path) -> None:
    rows: list[Mapping[str, object]] = [
        {"text": "One.\r\nTwo.", "highlights": "1\n2"},
        {"id": 7, "article": "One.", "highlights": ["1"]},
    ]
    first, second = ArticleSample(path=write(tmp_path / "x.jsonl", *rows)).articles()
    assert first == Article("1", "", "One.\r\nTwo.", ("1", "2"))
    assert second.id == "7"


def test_boilerplate_goes_if_asked(tmp_path: Path) -> None:
    row = {"id": "a", "article": ["By", "Ann Example", "A ferry sank."], "highlights": ["x"]}
    path = write(tmp_path / "x.jsonl", row)
    (kept,) = ArticleSample(path=path).articles()
    (dropped,) = ArticleSample(path=path, boilerplate=Boilerplate.DROP).articles()
    assert kept.text == "By\nAnn Example\nA ferry sank."
    assert dropped.text == "A ferry sank."


def test_a_slice_is_drawn_the_same_way_each_time(tmp_path: Path) -> None:
    rows = [{"id": str(n), "article": [f"{n}."], "highlights": ["x"]} for n in range(30)]
    path = write(tmp_path / "x.jsonl", *rows)

    def ids(*, sample: int | None = None, seed: int = 0) -> list[int]:
        part = ArticleSample(path=path, skip=5, limit=20, sample=sample, seed=seed)
        return [int(article.id) for article in part.articles()]

    assert ids() == list(range(5, 25))
    drawn = ids(sample=6)
    assert drawn == sorted(drawn) == ids(sample=6) != ids(sample=6, seed=1)
    assert len(set(drawn) & set(ids())) == 6
    assert ids(sample=99) == ids()
    assert len(list(ArticleSample(path=path, sample=30).articles())) == 30


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ({"id": "a", "highlights": ["x"]}, "line 1 lacks the column 'article'"),
        ({"id": "a", "article": ["x"]}, "line 1 lacks the column 'highlights'"),
        ({"id": "a", "article": [1], "highlights": ["x"]}, r"article\[0\] must be a string"),
    ],
)
def test_a_wrong_member_is_named(tmp_path: Path, row: dict[str, object], message: str) -> None:
    with pytest.raises(FormatError, match=message):
        list(ArticleSample(path=write(tmp_path / "x.jsonl", row)).articles())


def test_a_text_needs_no_reference(tmp_path: Path) -> None:
    rows: list[Mapping[str, object]] = [
        {"text": "One."},
        {"id": "b", "article": ["1"], "summary": 3},
    ]
    found = [text_of(row) for row in read_rows(write(tmp_path / "x.jsonl", *rows))]
    assert found == [("1", "One."), ("b", "1")]


def test_summaries_are_found_by_id(tmp_path: Path) -> None:
    rows: list[Mapping[str, object]] = [
        {"id": "a", "summary": ["1", "2"]},
        {"id": "b", "summary": "1\n2"},
    ]
    found = read_summaries(write(tmp_path / "x.jsonl", *rows))
    assert found == {"a": ("1", "2"), "b": ("1", "2")}


def test_a_repeated_id_is_refused(tmp_path: Path) -> None:
    path = write(tmp_path / "x.jsonl", {"id": "a", "summary": []}, {"id": "a", "summary": []})
    with pytest.raises(FormatError, match="line 2: the id 'a' came before"):
        read_summaries(path)
