"""Names of systems, and files of summaries by others."""

import json
from pathlib import Path

import pytest

from discobert.errors import FormatError, InputError, UsageError
from discobert.evaluate.runner import run
from discobert.evaluate.setup import SYSTEMS, Setup, check_outputs, make_bench
from discobert.store.corpora.articles import Article


def outputs(path: Path, *ids: str) -> Path:
    rows = [json.dumps({"id": name, "summary": ["The ferry sank."]}) for name in ids]
    path.write_text("\n".join(rows))
    return path


@pytest.mark.parametrize("name", SYSTEMS)
def test_every_named_system_runs(name: str) -> None:
    bench = make_bench(Setup(systems=(name,)))
    article = Article("a", "", "The ferry sank, crews said. It rained.", ("the ferry sank",))
    (result,) = run(bench, [article])
    assert result.systems[name].lines
    assert result.systems[name].rouge[0] > 0


def test_analyses_are_taken_from_a_prepared_corpus(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    with pytest.raises(InputError, match="no prepared corpus there"):
        make_bench(Setup(systems=("discobert",), analyses=tmp_path))
    (tmp_path / "manifest.json").write_text('{"format": 1, "schema": 1, "shards": []}')
    bench = make_bench(Setup(systems=("discobert",), analyses=tmp_path))
    (result,) = run(bench, [Article("a", "", "The ferry sank, crews said.", ("ferry",))])
    assert result.systems["discobert"].lines


def test_files_of_summaries_take_part(tmp_path: Path) -> None:
    setup = Setup(outputs=(("other", outputs(tmp_path / "x.jsonl", "a")),))
    check_outputs(setup, ["a"])
    (result,) = run(make_bench(setup), [Article("a", "", "text", ("The ferry sank",))])
    assert result.systems["other"].rouge == (100.0, 100.0, 100.0)


def test_missing_articles_are_named(tmp_path: Path) -> None:
    setup = Setup(outputs=(("other", outputs(tmp_path / "x.jsonl", "a", "z")),))
    with pytest.raises(FormatError, match=r"1 of 2 articles have no summary by other: b$"):
        check_outputs(setup, ["a", "b"])
    with pytest.raises(FormatError, match=r"7 of 8 .* 1, 2, 3, 4, 5, …$"):
        check_outputs(setup, ["a", *"1234567"])


def test_without_files_no_ids_are_read() -> None:
    check_outputs(Setup(systems=("lead3",)), iter(lambda: pytest.fail("read"), None))


@pytest.mark.parametrize(
    ("systems", "message"),
    [
        ((), "nothing to evaluate"),
        (("lead",), "unknown system 'lead'; did you mean 'lead3'"),
        (("qqq",), "unknown system 'qqq'; systems: lead3"),
        (("lead3", "lead3"), "two systems are called 'lead3'"),
    ],
)
def test_wrong_names_are_refused(systems: tuple[str, ...], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        Setup(systems=systems)


def test_one_length_and_several_styles() -> None:
    names = ("sentence", *(name for name in SYSTEMS if name.startswith("discobert-")))
    text = "A heading\nBut the ferry sank, crews said, and it rained all day. They left."
    article = Article("a", "", text, ("the ferry sank",))
    (result,) = run(make_bench(Setup(systems=names, words=11, model="rules")), [article])
    found = {name: system.lines for name, system in result.systems.items()}
    assert all(system.words <= 11 for system in result.systems.values())
    assert found["sentence"] == ("A heading", "They left.")
    assert found["discobert-paper"] == ("The ferry sank, crews said, and it rained all day.",)
    assert found["discobert-bare"][0] == "A heading"
    assert found["discobert-paper-rules"] != found["discobert-bare"]
    assert result.systems["sentence"].n_violations == 0


def test_the_model_shows_whole_sentences_and_the_papers_style_clauses() -> None:
    text = "The old bridge, which carries many cars, was closed in May. Engineers found cracks."
    article = Article("a", "", text, ("the bridge was closed",))
    names = ("discobert", "discobert-paper")
    (result,) = run(make_bench(Setup(systems=names, words=7, model="rules")), [article])
    found = {name: system.lines for name, system in result.systems.items()}
    assert found["discobert"] == ("Engineers found cracks.",)
    assert found["discobert-paper"] == ("The old bridge was closed in May.",)
