"""Named columns of JSON lines."""

import json
from pathlib import Path

import pytest

from discobert.errors import InputError, UsageError
from discobert.language.boilerplate import Boilerplate
from discobert.store.corpora.articles import Article
from discobert.store.corpora.columns import (
    Columns,
    RowRules,
    check_header,
    named_columns,
)
from discobert.store.corpora.entries import Entry, Location, Rejected
from discobert.store.corpora.json_lines import JsonLines

ROWS: list[dict[str, object]] = [
    {"id": "a", "source": "cnn", "article": ["One.", "Two."], "highlights": ["1"]},
    {"id": 2, "text": "One.", "summary": "1\n\n2\n"},
    {"text": "One.", "reference": ["1"], "source": None},
]


def lines(path: Path, *rows: object, name: str = "in.jsonl") -> Path:
    file = path / name
    file.write_text("\n".join(row if isinstance(row, str) else json.dumps(row) for row in rows))
    return file


def read(*files: Path, rules: RowRules | None = None, start: Location | None = None) -> list[Entry]:
    reader = JsonLines(files, rules or RowRules())
    return [located.entry for located in reader.read(start or Location())]


def test_usual_names_are_found(tmp_path: Path) -> None:
    assert read(lines(tmp_path, *ROWS)) == [
        Article("a", "cnn", "One.\nTwo.", ("1",)),
        Article("2", "", "One.", ("1", "2")),
        Article("3", "", "One.", ("1",)),
    ]


def test_columns_are_named_by_the_user(tmp_path: Path) -> None:
    rules = RowRules(columns=named_columns(["text=body", "reference=kicker", "id=key"]))
    row = {"key": "k", "body": "B.", "kicker": "K.", "article": "no"}
    assert read(lines(tmp_path, row), rules=rules) == [Article("k", "", "B.", ("K.",))]


@pytest.mark.parametrize("pair", ["text", "text=", "body=text", "=x"])
def test_a_wrong_setting_lists_the_parts(pair: str) -> None:
    with pytest.raises(UsageError, match="id, text, reference, source"):
        named_columns([pair])


@pytest.mark.parametrize(
    ("row", "code", "message"),
    [
        ("{broken", "malformed-json", "in.jsonl, line 1 is not valid JSON"),
        ("[1]", "malformed-json", "must be an object"),
        ({"id": "a", "title": "x"}, "missing-field", "its columns: id, title"),
        ({"id": "a", "text": "x"}, "missing-field", "'highlights' or 'reference'"),
        ({"id": "a", "text": [1], "summary": "x"}, "wrong-type", r"text[0] must be a string"),
    ],
)
def test_a_bad_line_is_rejected_and_the_rest_is_read(
    tmp_path: Path, row: object, code: str, message: str
) -> None:
    bad, good = read(lines(tmp_path, row, ROWS[0]))
    assert isinstance(bad, Rejected)
    assert bad.code == code
    assert message in bad.message
    assert isinstance(good, Article)


def test_a_reference_may_be_missing_if_none_is_needed(tmp_path: Path) -> None:
    path = lines(tmp_path, {"id": "a", "text": "One."})
    assert read(path, rules=RowRules(reference=False)) == [Article("a", "", "One.", ())]


def test_boilerplate_goes_if_asked(tmp_path: Path) -> None:
    row = {"id": "a", "article": ["By", "Ann Example", "A ferry sank."], "highlights": ["x"]}
    (found,) = read(lines(tmp_path, row), rules=RowRules(boilerplate=Boilerplate.DROP))
    assert isinstance(found, Article)
    assert found.text == "A ferry sank."


def test_reading_starts_at_any_place_it_has_told(tmp_path: Path) -> None:
    first = lines(tmp_path, ROWS[0], "", ROWS[1], name="a.jsonl")
    second = lines(tmp_path, ROWS[2], ROWS[0], name="b.jsonl")
    reader = JsonLines((first, second), RowRules())
    everything = list(reader.read())
    assert len(everything) == 4
    for index, located in enumerate(everything):
        assert list(reader.read(located.location)) == everything[index:]


def test_ids_of_several_files_name_the_file(tmp_path: Path) -> None:
    first = lines(tmp_path, ROWS[2], name="a.jsonl")
    second = lines(tmp_path, ROWS[2], name="b.jsonl")
    ids = [entry.id for entry in read(first, second) if isinstance(entry, Article)]
    assert ids == ["a.jsonl:1", "b.jsonl:1"]
    assert JsonLines((first,), RowRules()).expected() is None


def test_a_header_without_a_column_names_those_it_has() -> None:
    rules = RowRules(columns=Columns(text=("body",)))
    with pytest.raises(InputError, match="lacks the column 'body'; its columns: id, text"):
        check_header(Path("t.csv"), ["id", "text"], rules)
    with pytest.raises(InputError, match="lacks the column 'key'"):
        check_header(Path("t.csv"), ["text", "summary"], RowRules(columns=Columns(id=("key",))))
