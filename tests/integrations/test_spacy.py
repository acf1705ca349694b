"""The component in real pipelines of spaCy."""

import pickle
import subprocess
import sys
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

import pytest

from discobert import Summarizer
from discobert.errors import BundleError, ConfigError, UsageError

spacy = pytest.importorskip("spacy", reason="spaCy is not installed: pip install '.[spacy]'")

TEXT = (
    "The town will reopen its bridge on Saturday, ending months of detours. "
    "The bridge, which was built in 1912, was closed after divers found cracks.\n"
    '"Nobody wanted to hear it," said Marta Quillan, who led the repair. '
    "Two shops shut down because nobody came."
)
OTHERS = ("It rains.", "Ann sang, but Bo left before the end.")


def pipeline(**config: object) -> Any:  # noqa: ANN401 - the test needs no types of spaCy
    """Make a pipeline of the component alone; rules are enough for most tests."""
    nlp = spacy.blank("en")
    nlp.add_pipe("discobert", config={"model": "rules", **config})
    return nlp


def summarised(text: str, **options: Any) -> Any:  # noqa: ANN401 - any option
    return Summarizer.load("rules").summarize(text, **options)


def test_the_entry_point_leads_to_the_factory() -> None:
    (found,) = entry_points(group="spacy_factories", name="discobert")
    assert found.value == "discobert.integrations.spacy:make_pipe"


def test_the_shipped_model_is_the_default() -> None:
    nlp = spacy.blank("en")
    nlp.add_pipe("discobert", config={"words": 30})
    doc = nlp(TEXT)
    assert doc._.summary == Summarizer.load().summarize(TEXT, words=30)
    assert doc._.summary_text == doc._.summary.text
    assert doc._.summary.model.name == "discobert-en"


@pytest.mark.parametrize(
    "options",
    [
        {"words": 12},
        {"sentences": 2},
        {"edus": 3},
        {"chars": 90},
        {"ratio": 0.4},
        {"words": 20, "unit": "sentence"},
        {"words": 20, "focus": "shops", "exclude_quotes": True},
        {"words": 30, "keep_lead": True, "resolve_references": True},
    ],
)
def test_options_are_those_of_summarize(options: dict[str, object]) -> None:
    assert pipeline(**options)(TEXT)._.summary == summarised(TEXT, **options)


def test_edus_and_chosen_ones_are_spans() -> None:
    doc = pipeline(words=20)(TEXT)
    units = doc._.summary.units
    edus, chosen = doc.spans["edus"], doc.spans["summary"]
    assert [(span.start_char, span.end_char) for span in edus] == [(u.start, u.end) for u in units]
    assert [span.text for span in edus] == [unit.text for unit in units]
    assert [int(span.id_) for span in chosen] == [unit.index for unit in units if unit.selected]
    assert {span.label_ for span in chosen} == {"summary"}


def test_whole_sentences_leave_the_edus_as_they_are() -> None:
    doc = pipeline(words=20, unit="sentence")(TEXT)
    assert len(doc.spans["edus"]) > len(list(doc._.summary.units)) == 4
    assert [span.text for span in doc.spans["summary"]] == [
        unit.text for unit in doc._.summary.units if unit.selected
    ]


def test_tokens_that_disagree_are_taken_in_whole() -> None:
    from spacy.tokens import Doc

    nlp = pipeline(words=20)
    doc = Doc(nlp.vocab, words=[TEXT], spaces=[False])
    (component,) = (component for _, component in nlp.pipeline)
    component(doc)
    assert {span.text for span in doc.spans["edus"]} == {TEXT}
    assert doc._.summary == summarised(TEXT, words=20)


def test_spans_may_have_other_names() -> None:
    doc = pipeline(edus_key="clauses", summary_key="gist")(TEXT)
    assert {"clauses", "gist"} <= set(doc.spans)
    with pytest.raises(ConfigError, match="must differ, both are 'x'"):
        pipeline(edus_key="x", summary_key="x")


def test_texts_without_letters_have_no_summary() -> None:
    nlp = pipeline()
    for doc in nlp.pipe(["", " \n", "12 + 3 = ?"]):
        assert doc._.summary is None
        assert doc._.summary_text == ""
        assert len(doc.spans["edus"]) == len(doc.spans["summary"]) == 0


def test_batches_give_what_single_texts_give() -> None:
    nlp = pipeline(words=12)
    texts = [TEXT, "", *OTHERS] * 12
    found = [doc._.summary for doc in nlp.pipe(texts, batch_size=5)]
    alone = {text: nlp(text)._.summary for text in (TEXT, "", *OTHERS)}
    assert found == [alone[text] for text in texts]


def test_a_document_that_is_summarised_again_forgets_the_first_summary() -> None:
    doc = pipeline(words=30)(TEXT)
    again = pipeline(words=6)(doc)
    assert again._.summary == summarised(TEXT, words=6)


def test_bytes_hold_summary_and_spans() -> None:
    from spacy.tokens import Doc

    nlp = pipeline(words=20)
    doc = nlp(TEXT)
    back = Doc(nlp.vocab).from_bytes(doc.to_bytes())
    assert back._.summary == doc._.summary
    assert back._.summary.explain() == summarised(TEXT, words=20).explain()
    assert [span.text for span in back.spans["summary"]] == [s.text for s in doc.spans["summary"]]


def test_a_saved_pipeline_is_loaded_with_its_options(tmp_path: Path) -> None:
    pipeline(words=7, unit="sentence").to_disk(tmp_path)
    nlp = spacy.load(tmp_path)
    assert nlp.config["components"]["discobert"]["words"] == 7
    assert nlp(TEXT)._.summary == summarised(TEXT, words=7, unit="sentence")


def test_the_component_travels_without_weights() -> None:
    nlp = pipeline(words=12)
    nlp(TEXT)
    component = pickle.loads(pickle.dumps(nlp.get_pipe("discobert")))  # noqa: S301 - ours
    assert component(nlp.make_doc(TEXT))._.summary == summarised(TEXT, words=12)


@pytest.mark.slow
def test_several_processes_give_the_same() -> None:
    nlp = spacy.blank("en")
    nlp.add_pipe("discobert", config={"words": 12})
    texts = [TEXT, *OTHERS] * 2
    alone = [nlp(text)._.summary for text in texts]
    assert [doc._.summary for doc in nlp.pipe(texts, n_process=2, batch_size=2)] == alone


@pytest.mark.parametrize(
    ("config", "error", "message"),
    [
        ({"words": 0}, UsageError, "words must be a whole number of at least 1, got 0"),
        ({"words": 9, "edus": 2}, UsageError, "give only one of words and edus"),
        ({"unit": "page"}, UsageError, "unknown unit 'page'"),
        ({"model": "none-such"}, BundleError, "none-such"),
    ],
)
def test_wrong_options_are_told_when_the_component_is_added(
    config: dict[str, object], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        pipeline(**config)


def test_unknown_options_are_refused_by_spacy() -> None:
    with pytest.raises(Exception, match="lines"):
        pipeline(lines=3)


def test_an_error_goes_to_the_handler_that_spacy_sets(monkeypatch: pytest.MonkeyPatch) -> None:
    nlp = pipeline()
    component = nlp.get_pipe("discobert")

    def fail(docs: object) -> None:
        raise UsageError("broken")

    monkeypatch.setattr(component, "_annotate", fail)
    with pytest.raises(UsageError, match="broken"):
        list(nlp.pipe(OTHERS))
    told: list[str] = []
    nlp.set_error_handler(lambda name, pipe, docs, error: told.append(f"{name}: {error}"))
    assert list(nlp.pipe(OTHERS)) == []
    assert told == ["discobert: broken"]
    assert component.get_error_handler() is not None


def test_an_extension_of_somebody_else_is_not_taken_away() -> None:
    from spacy.tokens import Doc

    before = Doc.remove_extension("summary") if Doc.has_extension("summary") else None
    Doc.set_extension("summary", default="mine")
    try:
        with pytest.raises(ConfigError, match=r"doc\._\.summary is taken by another extension"):
            pipeline()
    finally:
        Doc.remove_extension("summary")
        if before is not None:
            Doc.set_extension("summary", getter=before[2])


def test_nothing_else_imports_spacy() -> None:
    code = (
        "import sys; from discobert import Summarizer; Summarizer.load('rules').summarize('Hi.');"
        "import discobert.cli.app; assert 'spacy' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_without_spacy_the_install_line_is_told() -> None:
    code = "import sys; sys.modules['spacy.language'] = None; import discobert.integrations.spacy"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert "MissingExtra: spacy is not installed" in done.stderr
    assert "pip install 'discobert[spacy]'" in done.stderr
