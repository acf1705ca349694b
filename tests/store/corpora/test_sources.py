"""Corpora by kind, folders of texts, and analyses that users bring."""

import json
import os
from pathlib import Path

import pytest
from tests.builders import analysis

from discobert.data.codecs.analysis import encode_analysis
from discobert.data.codecs.json_text import dumps
from discobert.errors import InputError, UsageError
from discobert.store.corpora.articles import Article
from discobert.store.corpora.columns import Columns
from discobert.store.corpora.entries import Analysed, Demands, Location, Rejected
from discobert.store.corpora.folders import walk, walk_folders
from discobert.store.corpora.json_lines import ArticleSample
from discobert.store.corpora.sources import CorpusKind, Source, open_corpus, read_entries

ROW = {"id": "a", "article": ["One."], "highlights": ["1"]}


def source(kind: CorpusKind, path: Path, *, reference: bool = True) -> Source:
    return Source(kind=kind, path=path, demands=Demands(reference=reference, max_chars=1000))


def texts(path: Path) -> Path:
    (path / "b").mkdir()
    (path / "a.txt").write_bytes(b"One.\r\n")
    (path / "a.summary.txt").write_text("1\n\n2\n")
    (path / "b" / "c.txt").write_text("Two.")
    (path / "b" / "bad.txt").write_bytes(b"\xff\xfa")
    return path


def test_a_folder_of_texts_is_read_with_summaries_beside(tmp_path: Path) -> None:
    corpus = source(CorpusKind.TEXT, texts(tmp_path), reference=False)
    found = list(read_entries(corpus))
    assert found[0].entry == Article("a", "", "One.\r\n", ("1", "2"))
    assert isinstance(found[1].entry, Rejected)
    assert found[1].entry.id == "b/bad"
    assert found[2].entry == Article("b/c", "", "Two.", ())
    assert [located.entry for located in read_entries(corpus, found[2].location)] == [
        found[2].entry
    ]
    assert open_corpus(corpus).expected() is None


def test_demands_are_checked_for_every_kind(tmp_path: Path) -> None:
    corpus = source(CorpusKind.TEXT, texts(tmp_path))
    codes = [p.entry.code for p in read_entries(corpus) if isinstance(p.entry, Rejected)]
    assert codes == ["unreadable", "no-reference"]


def test_a_folder_or_a_pattern_gives_its_files_in_order(tmp_path: Path) -> None:
    for name in ("train-1.jsonl", "train-0.jsonl", "test.jsonl"):
        (tmp_path / name).write_text(json.dumps({**ROW, "id": name}))
    (tmp_path / "readme").write_text("no corpus")
    whole = source(CorpusKind.CNNDM_JSONL, tmp_path)
    some = source(CorpusKind.CNNDM_JSONL, tmp_path / "train-*.jsonl")
    ids = [
        [p.entry.id for p in read_entries(s) if isinstance(p.entry, Article)] for s in (whole, some)
    ]
    assert ids == [
        ["test.jsonl", "train-0.jsonl", "train-1.jsonl"],
        ["train-0.jsonl", "train-1.jsonl"],
    ]


@pytest.mark.parametrize("kind", [CorpusKind.JSONL, CorpusKind.CSV, CorpusKind.PARQUET])
def test_an_empty_folder_is_an_input_error(tmp_path: Path, kind: CorpusKind) -> None:
    with pytest.raises(InputError, match="no files of the kind"):
        open_corpus(source(kind, tmp_path))


def test_options_of_another_kind_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="takes no list"):
        Source(kind=CorpusKind.JSONL, path=tmp_path, listing=tmp_path)
    with pytest.raises(UsageError, match="no columns to name"):
        Source(kind=CorpusKind.TEXT, path=tmp_path, columns=Columns(text=("body",)))


def test_limits_count_entries(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_text("\n".join([json.dumps(ROW), "broken", json.dumps(ROW)]))
    corpus = source(CorpusKind.JSONL, path)
    assert len(list(read_entries(corpus, limit=2))) == 2
    assert len(list(read_entries(corpus, Location(0, 1, len(json.dumps(ROW)) + 1)))) == 2


def test_own_analyses_come_with_their_articles(tmp_path: Path) -> None:
    own = analysis("[A ferry sank,] [and nobody was hurt.]")
    good = dumps({**encode_analysis(own), "reference": ["Ferry sinks"], "source": "me"})
    wrong = dumps({**encode_analysis(own), "id": "w", "edus": []})
    path = tmp_path / "x.jsonl"
    path.write_text("\n".join([good, "{", wrong]))
    found, broken, invalid = (p.entry for p in read_entries(source(CorpusKind.ANALYSES, path)))
    assert isinstance(found, Analysed)
    assert found.analysis == own
    assert found.article == Article("doc", "me", own.document.text, ("Ferry sinks",))
    assert isinstance(broken, Rejected)
    assert broken.code == "malformed-json"
    assert isinstance(invalid, Rejected)
    assert (invalid.id, invalid.code) == ("w", "invalid-analysis")
    assert open_corpus(source(CorpusKind.ANALYSES, path)).expected() is None


@pytest.mark.timeout(20)
@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_corpus_that_cannot_be_read_twice_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    os.mkfifo(path)
    with pytest.raises(InputError, match="a pipe or device, which can be read only once"):
        open_corpus(Source(kind=CorpusKind.JSONL, path=path))
    with pytest.raises(InputError, match="a pipe or device, which can be read only once"):
        ArticleSample(path=path, sample=3).articles()


def test_a_loop_of_links_is_read_once(tmp_path: Path) -> None:
    (tmp_path / "inner").mkdir()
    (tmp_path / "inner" / "a.txt").write_text("It rains.")
    (tmp_path / "inner" / "loop").symlink_to(tmp_path, target_is_directory=True)
    (tmp_path / "other").symlink_to(tmp_path / "inner", target_is_directory=True)
    assert [path.name for path in walk(tmp_path, (".txt",))] == ["a.txt"]
    assert [path.name for path in walk_folders(tmp_path)] == [tmp_path.name, "inner"]
    (tmp_path / "self").symlink_to("self")
    assert [path.name for path in walk(tmp_path, (".txt",))] == ["a.txt"]


def test_a_folder_that_is_not_there_is_an_input_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        list(walk(tmp_path / "none", (".txt",)))
