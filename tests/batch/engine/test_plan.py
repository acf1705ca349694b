"""How a corpus is cut into shards, and what each promises."""

from pathlib import Path

import pytest
from tests.batch.corpus import ranges, rows, source_of, write_rows
from tests.builders import analysis

from discobert.batch.engine.plan import (
    Sharding,
    decode_shard,
    digest_of,
    encode_shard,
    entries_of,
    make_plan,
)
from discobert.errors import InputError, UsageError
from discobert.store.corpora.articles import Article
from discobert.store.corpora.entries import Analysed, Entry, Rejected, entry_id


def test_shards_cover_the_corpus_in_order(tmp_path: Path) -> None:
    source = source_of(write_rows(tmp_path / "x.jsonl", rows(40, paragraphs=1)))
    plan = make_plan(source)
    assert ranges(plan.shards) == [(0, 16), (16, 16), (32, 8)]
    assert [shard.index for shard in plan.shards] == [0, 1, 2]
    ids = [entry_id(entry) for shard in plan.shards for entry in entries_of(source, shard)]
    assert ids == [f"doc-{n}" for n in range(40)]


def test_many_documents_make_larger_shards_not_more(tmp_path: Path) -> None:
    lines = [f'{{"id": {n}, "text": "Word {n}."}}' for n in range(16 * 128 + 1)]
    source = source_of(write_rows(tmp_path / "x.jsonl", lines))
    plan = make_plan(source)
    assert ranges(plan.shards)[:2] == [(0, 32), (32, 32)]
    assert ranges(plan.shards)[-1] == (2048, 1)
    last = list(entries_of(source, plan.shards[-2]))
    assert entry_id(last[-1]) == "2047"


def test_a_slice_is_planned_alone(tmp_path: Path) -> None:
    source = source_of(write_rows(tmp_path / "x.jsonl", rows(20, paragraphs=1)))
    calls: list[int] = []
    plan = make_plan(source, Sharding(skip=3, limit=5, shard_size=2), scanned=calls.append)
    assert ranges(plan.shards) == [(0, 2), (2, 2), (4, 1)]
    assert sum(calls) == plan.documents == 5
    ids = [entry_id(entry) for shard in plan.shards for entry in entries_of(source, shard)]
    assert ids == ["doc-3", "doc-4", "doc-5", "doc-6", "doc-7"]


def test_an_id_that_came_before_is_rejected(tmp_path: Path) -> None:
    made = rows(5, paragraphs=1)
    made[3]["id"] = made[1]["id"]
    source = source_of(write_rows(tmp_path / "x.jsonl", made))
    plan = make_plan(source, Sharding(shard_size=2))
    entries = [entry for shard in plan.shards for entry in entries_of(source, shard)]
    assert isinstance(entries[1], Article)
    assert isinstance(entries[3], Rejected)
    assert entries[3].code == "duplicate-id"
    assert "'doc-1' came before" in entries[3].message


def test_the_makeshift_id_of_a_bad_line_is_nobodys_duplicate(tmp_path: Path) -> None:
    source = source_of(write_rows(tmp_path / "x.jsonl", ['{"id": "2", "text": "One."}', "broken"]))
    (shard,) = make_plan(source).shards
    assert shard.duplicates == ()


def test_a_corpus_that_changes_under_a_run_is_noticed(tmp_path: Path) -> None:
    made = rows(4, paragraphs=1)
    path = write_rows(tmp_path / "x.jsonl", made)
    plan = make_plan(source_of(path))
    made[2]["article"] = ["Changed."]
    write_rows(path, made)
    with pytest.raises(InputError, match=r"changed since the run began \(documents 1 to 4\)"):
        list(entries_of(source_of(path), plan.shards[0]))


def test_the_fingerprint_is_of_the_content_not_of_the_file(tmp_path: Path) -> None:
    made = rows(4, paragraphs=1)
    first = make_plan(source_of(write_rows(tmp_path / "x.jsonl", made)))
    moved = make_plan(source_of(write_rows(tmp_path / "y.jsonl", made)))
    turned = make_plan(source_of(write_rows(tmp_path / "z.jsonl", made[::-1])))
    assert first.fingerprint == moved.fingerprint != turned.fingerprint


def test_digests_tell_entries_apart() -> None:
    article = Article("a", "b", "cd", ("e",))
    own = Analysed(article, analysis("[It rains.]"))
    entries: list[tuple[int, Entry]] = [
        (0, article),
        (1, article),
        (0, Article("ab", "", "cd", ("e",))),
        (0, Article("a", "b", "c", ("de",))),
        (0, own),
        (0, Rejected("a", "b", "cd")),
    ]
    assert len({digest_of(number, entry) for number, entry in entries}) == len(entries)


def test_nothing_to_do_is_an_input_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no documents"):
        make_plan(source_of(write_rows(tmp_path / "x.jsonl", [])))


def test_nothing_usable_is_an_input_error_that_names_the_first(tmp_path: Path) -> None:
    path = write_rows(tmp_path / "x.jsonl", ['{"id": "a", "body": "x"}', '{"id": "b"}'])
    with pytest.raises(InputError, match="none of its 2 documents can be used; the first is a:"):
        make_plan(source_of(path))
    with pytest.raises(InputError, match="its columns: id, body"):
        make_plan(source_of(path))


def test_a_text_in_the_place_of_json_lines_gets_a_hint(tmp_path: Path) -> None:
    path = write_rows(tmp_path / "x.txt", ["It rained.", "He left."])
    with pytest.raises(InputError, match=r"no line of it is JSON, .*summarize FILE FILE … reads"):
        make_plan(source_of(path))


def test_rejected_entries_are_counted(tmp_path: Path) -> None:
    path = write_rows(tmp_path / "x.jsonl", ["{", '{"text": "One."}', '{"text": " "}'])
    plan = make_plan(source_of(path))
    assert (plan.documents, plan.rejected, plan.missing) == (3, 2, 0)


@pytest.mark.parametrize("wrong", [{"skip": -1}, {"limit": 0}, {"shard_size": 0}])
def test_an_impossible_slice_is_refused(wrong: dict[str, int]) -> None:
    with pytest.raises(UsageError, match=r"at least 1|>= "):
        Sharding(**wrong)


def test_a_description_survives_the_way(tmp_path: Path) -> None:
    source = source_of(write_rows(tmp_path / "x.jsonl", rows(20, paragraphs=1)))
    for shard in make_plan(source).shards:
        assert decode_shard(encode_shard(shard)) == shard
