"""The facade that users hold."""

from collections.abc import Callable, Iterable
from pathlib import Path
from threading import Barrier, get_ident
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from discobert import InputError, Summarizer, Summary, UsageError, api
from discobert.analyser import load
from discobert.data.summary import ModelId
from discobert.errors import BundleError
from discobert.render.json import render_json
from discobert.runtime.threads import Threads
from discobert.selection.request import SummaryOptions, SummaryRequest
from discobert.store.bundle import Bundle, write_bundle

TEXT = "The bridge, which is old, was closed. Engineers found cracks. They left. Rain fell."
RULES = Summarizer.load("rules")


@pytest.fixture
def summarizer() -> Summarizer:
    return RULES


@pytest.fixture
def bundle(tmp_path: Path) -> Bundle:
    files = {"tokenizer.json": b"{}", "MODEL_CARD.md": b"#"}
    return write_bundle(tmp_path / "t", model=ModelId("tiny", "2"), settings={"a": 1}, files=files)


def test_summary_keeps_to_its_length(summarizer: Summarizer) -> None:
    summary = summarizer.summarize(TEXT, words=4, style="paper")
    assert summary.text == "The bridge was closed."
    assert summary.words == 4
    assert summary.model == summarizer.model


def test_default_length_is_the_lead(summarizer: Summarizer) -> None:
    assert len(summarizer.summarize(TEXT, style="paper").sentences) == 3


def test_batch_gives_the_same_results(summarizer: Summarizer) -> None:
    texts = [TEXT, "It rained."]
    one_by_one = [summarizer.summarize(text, edus=2) for text in texts]
    assert summarizer.summarize_all(texts, edus=2) == one_by_one


def test_names_become_ids(summarizer: Summarizer) -> None:
    found = summarizer.summarize_all([TEXT, TEXT], names=["a", "b"], ratio=0.5)
    assert [summary.document.id for summary in found] == ["a", "b"]
    with pytest.raises(UsageError, match="2 texts need as many names, got 1"):
        summarizer.summarize_all([TEXT, TEXT], names=["a"])


def test_analysis_can_be_made_once_and_summarised_twice(summarizer: Summarizer) -> None:
    analysis = summarizer.analyze(TEXT, name="a")
    short, long = (
        summarizer.summarize_analysis(
            analysis, SummaryRequest.of(words=words, unit="sentence", style="paper")
        )
        for words in (7, 10)
    )
    assert isinstance(short, Summary)
    assert len(short.sentences) < len(long.sentences)


def test_unknown_unit_or_style_and_two_lengths_are_refused(summarizer: Summarizer) -> None:
    with pytest.raises(UsageError, match="unknown unit 'word': use edu or sentence"):
        summarizer.summarize(TEXT, unit="word")
    with pytest.raises(UsageError, match="unknown style 'poem': use readable or paper"):
        summarizer.summarize(TEXT, style="poem")
    with pytest.raises(UsageError, match="only one of words and chars"):
        summarizer.summarize(TEXT, words=3, chars=9)


@pytest.mark.parametrize(
    ("text", "message"), [("", "empty"), (" \n", "white space"), ("1 + 1", "no letters")]
)
def test_text_without_words_is_refused(summarizer: Summarizer, text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        summarizer.summarize(text)
    with pytest.raises(InputError, match=message):
        summarizer.analyze_all([TEXT, text])


@settings(max_examples=60)
@given(st.text(alphabet=st.characters(codec="utf-8"), max_size=80), st.integers(1, 9))
def test_any_text_with_a_letter_gives_a_summary_with_exact_offsets(text: str, words: int) -> None:
    assume(any(map(str.isalpha, text)))
    summary = RULES.summarize(text, words=words)
    assert summary.text
    assert all(text[unit.start : unit.end] == unit.text for unit in summary.units)
    assert "".join("".join(unit.text for unit in summary.units).split()) == "".join(text.split())
    assert summary.words <= words or summary.warnings


def test_threads_must_be_positive() -> None:
    with pytest.raises(UsageError, match="threads must be at least 1, got 0"):
        Summarizer.load("rules", threads=0)


def test_threads_change_nothing_in_a_summary() -> None:
    text = (Path(__file__).parent / "golden" / "texts" / "news-ferry.txt").read_text("utf-8")
    alone, together = (
        render_json([Summarizer.load("en", threads=threads).summarize(text)], source=True)
        for threads in (1, 2)
    )
    assert together == alone


def test_sentences_of_a_text_are_encoded_on_several_threads(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    summarizer = Summarizer.load("en", threads=2)
    barrier, idents = Barrier(2), list[int]()
    original = Threads.map

    def meet(threads: Threads, function: Callable[[Any], Any], items: Iterable[Any]) -> Any:  # noqa: ANN401
        def noted(item: object) -> object:
            if len(idents) < 2:
                idents.append(get_ident())
                barrier.wait(10.0)  # the second sentence must come while the first one waits
            return function(item)

        return original(threads, noted, items)

    monkeypatch.setattr(Threads, "map", meet)
    assert summarizer.summarize(TEXT, words=5).text
    assert len(set(idents)) == 2
    assert get_ident() not in idents


def test_bundle_brings_its_analyser(bundle: Bundle, monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[object] = []

    def analyser(*arguments: object, threads: int) -> object:
        given.extend((*arguments, threads))
        return api.rule_analyser()

    monkeypatch.setattr(load, "neural_analyser", analyser)
    summarizer = Summarizer.load(bundle.path, threads=3)
    assert given[1:] == [{"a": 1}, 3]
    assert summarizer.model == ModelId("tiny analyser, lead baseline (no network)", "2")


def test_shipped_model_is_the_default(
    bundle: Bundle, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(api, "SHIPPED", tmp_path)
    assert api.locate_bundle(None) is None
    with pytest.raises(BundleError, match="no such model"):
        api.locate_bundle("none")
    (tmp_path / "en").mkdir()
    monkeypatch.setattr(api, "find_bundle", lambda name: tmp_path / name)
    assert api.locate_bundle(None) == tmp_path / "en"


def test_focus_quotes_and_lead_can_be_wished_for(summarizer: Summarizer) -> None:
    text = "Rain fell. Bo left. “We saw cracks,” she said. Engineers found more cracks."
    quote = "“We saw cracks,” she said."
    assert summarizer.summarize(text, words=5, style="paper").text != quote
    assert summarizer.summarize(text, words=5, style="paper", focus="cracks").text == quote
    wishes: SummaryOptions = {
        "words": 6,
        "style": "paper",
        "focus": "cracks",
        "exclude_quotes": True,
        "keep_lead": True,
    }
    kept = summarizer.summarize(text, **wishes)
    assert kept.text == "Rain fell. Engineers found more cracks."
    assert [line.reason for line in kept.explain() if line.unit.selected] == ["lead", "score"]
    assert [kept] == summarizer.summarize_all([text], **wishes)


GERMAN = (
    "Die Stadt wird am Samstag ihre Brücke wieder öffnen. Nach vierzehn Monaten endet damit der "
    "Umweg, der den Händlern am Hafen fast alle Kunden genommen hat."
)


def test_a_text_in_another_language_is_warned_of(summarizer: Summarizer) -> None:
    (warning,) = summarizer.summarize(GERMAN, sentences=1).warnings
    assert warning.code == "not-english"
    assert "docs/languages.md" in warning.message
    assert (Path(__file__).parents[1] / "docs" / "languages.md").is_file()
    assert summarizer.summarize(TEXT, sentences=1).warnings == ()


def test_a_model_of_another_language_does_not_warn(summarizer: Summarizer) -> None:
    german = Summarizer(summarizer.pipeline, language="de")
    assert german.summarize(GERMAN, sentences=1).warnings == ()


def test_a_bundle_says_its_language(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = {"tokenizer.json": b"{}", "MODEL_CARD.md": b"#"}
    monkeypatch.setattr(load, "neural_analyser", lambda read, settings, *, threads: None)
    for name, told, language in (("a", {}, "en"), ("b", {"language": "de"}, "de")):
        path = tmp_path / name
        write_bundle(path, model=ModelId("tiny", "2"), settings={**told}, files=files)
        assert Summarizer.load(path).language == language
