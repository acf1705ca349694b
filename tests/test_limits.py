"""Texts without bound: refused at once above the limits, linear in cost below them."""

import json
import resource
import subprocess
import sys
from pathlib import Path
from time import process_time

import numpy as np
import pytest
from tests.analyser.test_parser import edus, weights
from tests.builders import analysis

from discobert import Summarizer
from discobert.analyser import parser
from discobert.analyser.neural import surest_starts
from discobert.analyser.rules import MOST_EDUS
from discobert.cli.app import run
from discobert.data.coref import Cluster, Mention
from discobert.data.document import Document, Edu, Span
from discobert.data.limits import TextLimits
from discobert.data.rst import nodes
from discobert.discourse.references import MOST_ANTECEDENTS, References
from discobert.discourse.transitions import outline
from discobert.discourse.units import quoted_units
from discobert.errors import InputError, TooLarge
from discobert.scorer.sentence_features import SURFACE, surface_features
from discobert.store.inputs.read import read_documents, read_whole

SMALL = TextLimits(max_chars=500, max_edus=10, max_sentence_pieces=12)


@pytest.fixture(scope="module")
def small() -> Summarizer:
    return Summarizer.load(limits=SMALL)


def test_too_many_characters_are_refused_by_every_way_of_the_api(small: Summarizer) -> None:
    text = "It rained. " * 60
    for call in (small.summarize, small.analyze):
        with pytest.raises(TooLarge, match="660 characters, but the limit is 500"):
            call(text)
    for call_all in (small.summarize_all, small.analyze_all):
        with pytest.raises(TooLarge, match="two: 660 characters"):
            call_all(["It rained.", text], names=["one", "two"])


def test_too_many_sentences_are_refused_before_any_network_runs(
    small: Summarizer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("discobert.analyser.neural.lay_out", lambda *given: pytest.fail("ran"))
    with pytest.raises(TooLarge, match=r"text: 30 EDUs or more, but the limit is 10; .*--max-edus"):
        small.analyze("Go. " * 30)


def test_too_many_clauses_are_refused(small: Summarizer) -> None:
    clauses = "He said that she knew what he saw when it rained because he left. "
    with pytest.raises(TooLarge, match="EDUs or more, but the limit is 10"):
        small.analyze(clauses * 5)


def test_the_model_without_weights_has_the_same_limits() -> None:
    rules = Summarizer.load("rules", limits=SMALL)
    with pytest.raises(TooLarge, match="30 EDUs or more"):
        rules.summarize("Go. " * 30)
    with pytest.raises(TooLarge, match="660 characters"):
        rules.analyze("It rained. " * 60)


def test_a_given_analysis_has_the_same_limits(small: Summarizer) -> None:
    with pytest.raises(TooLarge, match="11 EDUs or more"):
        small.summarize_analysis(analysis("[It rained.]" + " | [Go.]" * 10))
    with pytest.raises(TooLarge, match=r"16 word pieces in sentence 1.*--max-sentence-pieces"):
        small.summarize_analysis(analysis("[It rained.] | [" + "go " * 12 + "on.]"))


def test_commands_refuse_with_exit_code_3(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "long.txt"
    file.write_text("It rained. " * 60)
    for command in ("summarize", "analyze"):
        assert run([command, str(file), "--max-chars", "500"]) == 3
        assert "660 characters, but the limit is 500" in capsys.readouterr().err
        assert run([command, str(file), "--model", "rules", "--max-edus", "50"]) == 3
        assert "60 EDUs or more, but the limit is 50" in capsys.readouterr().err


def test_a_document_of_a_batch_above_a_limit_becomes_an_error_record(tmp_path: Path) -> None:
    source, out = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    texts = {"a": "It rained. " * 60, "b": "It rained all day."}
    source.write_text("".join(json.dumps({"id": i, "text": t}) + "\n" for i, t in texts.items()))
    options = ["--model", "rules", "--jobs", "1", "--max-edus", "50", "--quiet"]
    assert run(["batch", str(source), str(out), *options]) == 0
    first, second = map(json.loads, out.read_text().splitlines())
    assert "60 EDUs or more, but the limit is 50" in first["error"]["message"]
    assert second["text"] == "It rained all day."


def test_a_character_in_two_halves_is_refused() -> None:
    rules = Summarizer.load("rules")
    with pytest.raises(InputError, match=r"characters 10 and 11 are the halves of one; join them"):
        rules.summarize("It rained \ud83d\ude00.")
    assert "\ud83d" in rules.summarize("It rained \ud83d all day.").text


def test_a_file_that_is_certain_to_be_too_long_is_not_read(tmp_path: Path) -> None:
    sparse = tmp_path / "sparse.txt"
    with sparse.open("wb") as file:
        file.write(b"It rained. ")
        file.truncate(1 << 40)
    with pytest.raises(TooLarge, match=r"1,099,511,627,776 bytes, at least .* characters"):
        read_documents(sparse)


def test_no_more_of_a_pipe_is_read_than_is_allowed() -> None:
    with Path("/dev/zero").open("rb") as endless, pytest.raises(TooLarge, match="more than 1,000"):
        read_whole(endless, name="stdin", most=1_000)


def test_a_sentence_keeps_the_surest_starts_of_its_units() -> None:
    scores = np.array([5, 1, 4, 2, 3, 9], dtype=np.float32)
    starts = np.array([True, True, True, True, True, True])
    sentences = np.array([0, 0, 0, 0, 0, 1], dtype=np.int32)
    kept = surest_starts(starts, scores, sentences, most=3)
    assert kept.tolist() == [True, False, True, False, True, True]


def test_no_sentence_has_more_units_than_its_dependencies_allow() -> None:
    rules = Summarizer.load("rules")
    document = rules.analyze("he left because she came, " * 150 + "and it rained.").document
    assert max(map(len, document.edus_by_sentence())) == MOST_EDUS


def test_the_stack_of_the_parser_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parser, "MOST_DEPTH", 10)
    shape = outline(range(60), [0])
    tree = parser.BeamParser(weights(reduce_bias=-9), ("a", "b")).parse(edus(60), shape)
    right = [node for node in nodes(tree) if node.end == 60]
    assert len(nodes(tree)) == 59
    assert len(right) <= 10  # without the bound, all 59 join the last sentence to more


def chain_of_pronouns(n_sentences: int) -> tuple[Document, Cluster]:
    text = "Ann left. " + "She saw. " * n_sentences
    spans = [Span(0, 9), *(Span(10 + 9 * n, 18 + 9 * n) for n in range(n_sentences))]
    document = Document(
        "d", text, tuple(spans), tuple(Edu(span, index) for index, span in enumerate(spans))
    )
    mentions = [Mention(Span(0, 3)), *(Mention(Span(s.start, s.start + 3)) for s in spans[1:])]
    return document, Cluster(tuple(mentions))


def test_references_of_a_long_chain_take_no_time_for_each_other() -> None:
    document, cluster = chain_of_pronouns(20_000)
    references = References(document, [cluster])
    start = process_time()
    found = [references.dangling([unit]) for unit in range(1, 20_000)]
    assert process_time() - start < 2
    assert all(one.antecedents == (0,) for loose in found for one in loose)


def test_antecedents_are_those_of_the_nearest_mentions() -> None:
    text = "Ann left. " * 100 + "She saw."
    spans = [Span(10 * n, 10 * n + 9) for n in range(100)] + [Span(1000, 1008)]
    units = tuple(Edu(span, index) for index, span in enumerate(spans))
    document = Document("d", text, tuple(spans), units)
    cluster = Cluster(tuple(Mention(Span(span.start, span.start + 3)) for span in spans))
    (loose,) = References(document, [cluster]).dangling([100])
    assert loose.antecedents == tuple(range(99, 99 - MOST_ANTECEDENTS, -1))


def test_quotations_inside_each_other_are_marked_once() -> None:
    depth = 30_000
    text = f"{'“' * depth}a{'”' * depth}"
    document = Document("d", text, (Span(0, len(text)),), (Edu(Span(0, len(text)), 0),))
    start = process_time()
    assert quoted_units(document) == {0}
    assert process_time() - start < 2


def test_features_of_long_words_take_no_time_for_each_letter() -> None:
    start = process_time()
    surface_features(["a" * 4_000] * 20, [False] * 20)
    assert process_time() - start < 1
    column = SURFACE.index("web")
    texts = ["a" * 4_000, "write to me@home", "at home @", "@ home"]
    assert surface_features(texts, [True] * 4)[:, column].tolist() == [0, 1, 0, 0]


MEASURED = """
import json, resource, sys
from discobert import Summarizer
summarizer = Summarizer.load()
summarizer.summarize("It rained. The bridge was closed.")
start = resource.getrusage(resource.RUSAGE_SELF)
summary = summarizer.summarize(sys.stdin.read(), words=60)
end = resource.getrusage(resource.RUSAGE_SELF)
print(json.dumps([end.ru_utime - start.ru_utime, (end.ru_maxrss - start.ru_maxrss) / 1024]))
"""
PROSE = (
    "The council met on Monday to discuss the old bridge, which engineers had called unsafe. "
    "She said that it would be closed if the report confirmed the damage. "
)
ODD = {
    "dots": ".",
    "lines": "a\n",
    "go": "Go. ",
    "digits": "1234567890",
    "brackets": "(",
    "entities": "&lt;",
    "letters": "abcdefghij",
}


def measured(text: str) -> tuple[float, float]:
    """Return CPU seconds and megabytes of one summary, in a process with little memory."""

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))

    ran = subprocess.run(
        [sys.executable, "-c", MEASURED],
        input=text,
        capture_output=True,
        text=True,
        check=True,
        preexec_fn=limit,
    )
    seconds, megabytes = json.loads(ran.stdout)
    return seconds, megabytes


@pytest.mark.slow
@pytest.mark.parametrize("kind", ODD)
def test_odd_texts_cost_no_more_than_their_share(kind: str) -> None:
    size = 40_000
    usual, _ = measured((PROSE * size)[:size])
    half, _ = measured(f"It {(ODD[kind] * size)[: size // 2]}")
    seconds, megabytes = measured(f"It {(ODD[kind] * size)[:size]}")
    assert seconds < 3 * half + 1  # linear
    assert seconds < 25 * usual + 1  # one-letter lines: a sentence for every second character
    assert megabytes < 400
