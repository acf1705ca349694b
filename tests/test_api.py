"""The facade that users hold."""

import inspect
import json
import pickle
from collections.abc import Callable, Iterable
from pathlib import Path
from threading import Barrier, get_ident
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import discobert
from discobert import Analysis, DiscobertError, InputError, Summarizer, Summary, UsageError, api
from discobert.analyser import load
from discobert.data.limits import DEFAULT_LIMITS
from discobert.data.summary import ModelId
from discobert.errors import BundleError
from discobert.render.summaries.json import render_json
from discobert.runtime.threads import Threads
from discobert.selection.budget import Budget
from discobert.selection.request import SummaryOptions, SummaryRequest
from discobert.store.bundle import Bundle, open_bundle, write_bundle

TEXT = "The bridge, which is old, was closed. Engineers found cracks. They left. Rain fell."
RULES = Summarizer.load("rules")


@pytest.fixture
def summarizer() -> Summarizer:
    return RULES


@pytest.fixture
def any_bundle(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let bundles pass that have no networks."""
    monkeypatch.setattr(api, "checked_bundle", open_bundle)
    monkeypatch.setattr(api, "try_out", lambda *_: None)


@pytest.fixture
def bundle(tmp_path: Path, any_bundle: None) -> Bundle:
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
    names = ["a", "b"]
    pairs = zip(texts, names, strict=True)
    one_by_one = [summarizer.summarize(text, name=name, edus=2) for text, name in pairs]
    assert summarizer.summarize_all(texts, names=names, edus=2) == one_by_one


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

    def analyser(*arguments: object, threads: int, limits: object) -> object:
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


def test_code_is_warned_of_and_shown_in_whole_sentences(summarizer: Summarizer) -> None:
    rows = "x = rows[0]; print(x, y); z = {1: 2}; " * 9
    text = f"{rows}\n\nThe loop ended, so nothing was left when they came.\n\n{rows}"
    for style in ("readable", "paper"):
        found = summarizer.summarize(text, words=12, style=style)
        assert "not-prose" in [warning.code for warning in found.warnings]
        assert found.request["style"] == style
        assert "unit" not in found.request
        whole = [span.of(text) for span in found.document.sentences]
        assert set(found.sentences) <= {" ".join(sentence.split()) for sentence in whole}


def test_a_model_of_another_language_does_not_warn(summarizer: Summarizer) -> None:
    german = Summarizer(summarizer.pipeline, language="de")
    assert german.summarize(GERMAN, sentences=1).warnings == ()


@pytest.mark.usefixtures("any_bundle")
def test_a_bundle_says_its_language(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = {"tokenizer.json": b"{}", "MODEL_CARD.md": b"#"}
    monkeypatch.setattr(load, "neural_analyser", lambda *_, **__: None)
    for name, told, language in (("a", {}, "en"), ("b", {"language": "de"}, "de")):
        path = tmp_path / name
        write_bundle(path, model=ModelId("tiny", "2"), settings={**told}, files=files)
        assert Summarizer.load(path).language == language


def test_text_path_and_analysis_give_the_same_summary(
    summarizer: Summarizer, tmp_path: Path
) -> None:
    path = tmp_path / "a.txt"
    path.write_text(TEXT, encoding="utf-8")
    of_text = summarizer.summarize(TEXT, words=9)
    of_path = summarizer.summarize(path, words=9)
    of_analysis = summarizer.summarize(summarizer.analyze(path), words=9)
    assert of_text.text == of_path.text == of_analysis.text
    assert [of_text.document.id, of_path.document.id] == ["text", str(path)]
    assert summarizer.summarize(summarizer.analyze(TEXT), name="b").document.id == "b"
    several = summarizer.summarize_all(iter([TEXT, path, of_text.analysis or TEXT]), words=9)
    assert {summary.text for summary in several} == {of_text.text}


def test_a_path_is_read_as_the_command_line_reads_it(
    summarizer: Summarizer, tmp_path: Path
) -> None:
    notes, lines = tmp_path / "a.md", tmp_path / "a.jsonl"
    notes.write_text("It was **closed** in May.", encoding="utf-8")
    assert summarizer.summarize(notes).text == "It was closed in May."
    records = [{"id": name, "text": "It rained."} for name in "ab"]
    lines.write_text("".join(f"{json.dumps(each)}\n" for each in records), encoding="utf-8")
    found = summarizer.summarize_all([lines, TEXT])
    assert [summary.document.id for summary in found] == ["a", "b", "text 2"]
    with pytest.raises(UsageError, match=r"a\.jsonl: holds 2 texts; summarize_all takes them all"):
        summarizer.summarize(lines)


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ([TEXT], "text must be a text (str), a Path or an Analysis, got list; several texts"),
        (TEXT.encode(), "got bytes; decode the bytes, or give the Path of a file"),
        (None, "a Path or an Analysis, got None"),
        (3, "a Path or an Analysis, got 3 (int)"),
    ],
)
def test_a_wrong_type_of_text_is_a_type_error(
    summarizer: Summarizer,
    value: Any,  # noqa: ANN401
    message: str,
) -> None:
    with pytest.raises(TypeError) as caught:
        summarizer.summarize(value)
    assert message in str(caught.value)


def test_one_text_where_several_belong_is_a_type_error(summarizer: Summarizer) -> None:
    with pytest.raises(
        TypeError, match=r"got 'The bridge.*' \(str\); one text belongs to summarize"
    ):
        summarizer.summarize_all(TEXT)
    with pytest.raises(TypeError, match=r"texts must be a list, each a text .*, got 3"):
        summarizer.summarize_all(3)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"text must be a text \(str\) or a Path, got Analysis"):
        summarizer.analyze(summarizer.analyze(TEXT))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"words": "60"}, "words must be a whole number of at least 1, got '60' \\(str\\)"),
        ({"words": True}, "words must be a whole number of at least 1, got True \\(bool\\)"),
        ({"ratio": "half"}, "ratio must be more than 0 and at most 1, got 'half' \\(str\\)"),
        ({"style": 3}, r"style must be a string \(readable or paper\), got 3 \(int\)"),
        ({"unit": 3}, r"unit must be a string \(edu or sentence\), got 3 \(int\)"),
        ({"focus": ["flood"]}, "focus must be a string of words, got list"),
        ({"keep_lead": "yes"}, "keep_lead must be True or False, got 'yes'"),
        ({"resolve_references": 1}, "resolve_references must be True or False, got 1"),
        ({"name": 3}, "name must be a string, got 3"),
    ],
)
def test_a_wrong_type_of_option_is_a_type_error(
    summarizer: Summarizer, options: dict[str, Any], message: str
) -> None:
    with pytest.raises(TypeError, match=message):
        summarizer.summarize(TEXT, **options)


def test_wrong_arguments_of_load_are_type_errors() -> None:
    with pytest.raises(TypeError, match=r"model must be a name \(str\) or the Path of a bundle"):
        Summarizer.load(3)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="threads must be a whole number, got '2'"):
        Summarizer.load(threads="2")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"Summarizer.load\(\) makes a Summarizer"):
        Summarizer()


def test_every_option_is_named_in_the_signature() -> None:
    for method in (Summarizer.summarize, Summarizer.summarize_all):
        assert set(SummaryOptions.__annotations__) <= set(inspect.signature(method).parameters)
    assert inspect.signature(Summarizer.summarize).parameters["style"].default == "readable"


def test_a_loaded_summarizer_pickles(bundle: Bundle, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(load, "neural_analyser", lambda *_, **__: api.rule_analyser())
    again = pickle.loads(pickle.dumps(Summarizer.load(bundle.path, threads=2)))  # noqa: S301
    assert again.origin == (bundle.path, 2, DEFAULT_LIMITS)
    assert again.summarize(TEXT, words=9).text == RULES.summarize(TEXT, words=9).text
    assert pickle.loads(pickle.dumps(RULES)).model == RULES.model  # noqa: S301


def test_a_hand_made_summarizer_says_why_it_does_not_pickle(summarizer: Summarizer) -> None:
    with pytest.raises(TypeError, match=r"does not pickle.*use Summarizer.load in every process"):
        pickle.dumps(Summarizer(summarizer.pipeline))


def test_results_pickle(summarizer: Summarizer) -> None:
    summary = summarizer.summarize(TEXT, words=9)
    again = pickle.loads(pickle.dumps(summary))  # noqa: S301
    assert again == summary
    assert again.analysis == summary.analysis


def test_the_call_of_version_0_6_is_deprecated(summarizer: Summarizer) -> None:
    analysis = summarizer.analyze(TEXT)
    with pytest.warns(DeprecationWarning, match="use summarize_all"):
        (old,) = summarizer.summarize_analyses([analysis], budget=Budget(words=4), unit="edu")
    assert old == summarizer.summarize(analysis, words=4, unit="edu", style="paper")


def test_one_text_can_be_summarised_without_a_summarizer() -> None:
    found = discobert.summarize(TEXT, model="rules", words=4, style="paper")
    assert found.text == "The bridge was closed."
    assert isinstance(discobert.analyze(TEXT, model="rules"), Analysis)


def test_json_says_style_options_and_language(summarizer: Summarizer) -> None:
    german = Summarizer(summarizer.pipeline, language="de")
    found = german.summarize(TEXT, words=9, keep_lead=True).to_dict()
    assert found["request"] == {"style": "readable", "words": 9, "keep_lead": True}
    assert found["model"] == {**vars_of(summarizer.model), "language": "de"}


def vars_of(model: ModelId) -> dict[str, str]:
    return {"name": model.name, "version": model.version}


@pytest.mark.parametrize(
    ("text", "advice"),
    [
        ("article.txt", r"give Path\('article.txt'\)"),
        ("notes/2024/minutes.pdf", "give Path"),
        ("https://example.org/a", "save the page"),
    ],
)
def test_names_of_files_and_addresses_are_texts_with_a_warning(text: str, advice: str) -> None:
    with pytest.warns(UserWarning, match=f"is taken as the text itself: .*{advice}"):
        assert RULES.summarize(text).text == text


def test_name_of_a_file_that_exists_is_a_text_with_a_warning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "my notes").write_text("It rained.")
    with pytest.warns(UserWarning, match="to read the file"):
        RULES.summarize("my notes")
    RULES.summarize("He read report.pdf. my notes")  # a text: no warning, which would be an error


def test_several_texts_are_summarised_at_the_top_level() -> None:
    found = discobert.summarize_all(["It rained.", "He left."], model="rules")
    assert [summary.text for summary in found] == ["It rained.", "He left."]
    analyses = discobert.analyze_all(["It rained."], model="rules")
    assert [len(each.document.edus) for each in analyses] == [1]


def test_a_summarizer_can_be_called_and_has_a_short_name(summarizer: Summarizer) -> None:
    assert summarizer(TEXT, words=4) == summarizer.summarize(TEXT, words=4)
    assert repr(summarizer).startswith("<Summarizer lead-baseline (no network) 0.")
    assert repr(summarizer).endswith(", language en>")


def test_an_analysis_is_summarised_by_the_shipped_model(summarizer: Summarizer) -> None:
    analysis: Any = summarizer.analyze(TEXT)
    assert analysis.summarize(words=3) == Summarizer.load().summarize(analysis, words=3)
    with pytest.raises(AttributeError, match=r"'coreference': use analysis\.clusters$"):
        analysis.coreference  # noqa: B018 - the access itself is the test
    with pytest.raises(AttributeError, match=r"has no attribute 'keywords'$"):
        _ = analysis.keywords


def test_texts_of_a_list_are_numbered(summarizer: Summarizer) -> None:
    found = summarizer.summarize_all(["It rained.", "He left."])
    assert [summary.document.id for summary in found] == ["text 1", "text 2"]
    with pytest.raises(InputError, match="text 2: the text is empty"):
        summarizer.analyze_all(["It rained.", ""])


def test_errors_are_those_that_python_would_raise(summarizer: Summarizer, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="the text is empty"):
        summarizer.summarize("")
    with pytest.raises(FileNotFoundError, match="no such file") as missing:
        summarizer.summarize(tmp_path / "none.txt")
    assert isinstance(missing.value, InputError)
    assert missing.value.__suppress_context__  # one traceback, not two
    with pytest.raises(TypeError, match=r"unknown option 'wrds'.*'words'") as unknown:
        summarizer.summarize(TEXT, wrds=3)  # type: ignore[call-arg]
    assert isinstance(unknown.value, DiscobertError)


def test_names_of_other_libraries_lead_to_ours() -> None:
    summarizer: Any = Summarizer.load("rules")
    assert summarizer.summarize_many(["Rain fell."]) == summarizer.summarize_all(["Rain fell."])
    assert summarizer.analyse("Rain fell.") == summarizer.analyze("Rain fell.")
    with pytest.raises(AttributeError, match=r"has no attribute 'pipe': use summarize_all"):
        _ = summarizer.pipe
    with pytest.raises(AttributeError, match=r"has no attribute 'colour'$"):
        getattr(summarizer, "colour")  # noqa: B009 - a name that is no attribute
    summary = summarizer.summarize("Rain fell.")
    assert summary.save_html() == summary.to_html()
    assert summary.edus == summary.units
    assert summary.pieces == summary.selected
    assert str(summary.tree) == str(summarizer.analyze("Rain fell.").tree)
    with pytest.raises(AttributeError, match=r"has no attribute 'coref': use clusters$"):
        _ = summary.coref
    assert f"{summary:>12}" == "  Rain fell."


def test_a_file_is_summarised_by_its_path(tmp_path: Path) -> None:
    file = tmp_path / "rain.txt"
    file.write_text("Rain fell. Nobody came.", encoding="utf-8")
    summarizer = Summarizer.load("rules")
    assert summarizer.summarize_file(str(file), words=2).text == "Rain fell."
