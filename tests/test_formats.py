"""Summaries and analyses as users write and read them."""

import json
from pathlib import Path

import pytest
from tests.builders import analysis, tree

from discobert import Analysis, Summarizer, Summary, UsageError
from discobert.data.codecs.summary import decode_summary
from discobert.formats import SUMMARY_SUFFIXES, SummaryFormat, form_of

TEXT = "The <old> bridge, which is long, was closed.\n\nEngineers found cracks. They left."
FOUND = analysis("[It rained,] [so we left.] | [Bo stayed.]", tree("NS", tree("SN", 0, 1), 2))


@pytest.fixture(scope="module")
def summary() -> Summary:
    return Summarizer.load("rules").summarize(TEXT, words=8, name="a")


def test_str_is_the_text_and_repr_is_short(summary: Summary) -> None:
    assert f"{summary}" == summary.text
    assert repr(summary) == f"<Summary of 'a': {summary.words} of 13 words, 3 of 5 units>"


def test_selected_are_the_chosen_units(summary: Summary) -> None:
    assert [unit.index for unit in summary.selected] == list(summary.selection.edus)
    assert all(str(unit) == TEXT[unit.start : unit.end] for unit in summary.selected)


def test_json_and_dict_are_the_same(summary: Summary) -> None:
    found = json.loads(summary.to_json())
    assert found == json.loads(json.dumps(summary.to_dict()))
    assert found["request"] == {"style": "readable", "words": 8}
    assert found["model"]["language"] == "en"
    assert found["text"] == str(summary)


def test_html_and_markdown_show_the_source(summary: Summary) -> None:
    page = summary.to_html()
    assert page.startswith("<!DOCTYPE html>")
    assert "&lt;old&gt;" in page
    assert summary.to_markdown().startswith("## a\n")


def test_what_is_returned_is_written_too_if_a_path_is_given(
    summary: Summary, tmp_path: Path
) -> None:
    made = (summary.to_json, summary.to_markdown, summary.to_html, FOUND.to_json, FOUND.to_html)
    for write in made:
        shown = write(tmp_path / "a")
        assert (tmp_path / "a").read_text(encoding="utf-8") == shown == write()


def test_a_summary_read_from_json_has_no_page(summary: Summary) -> None:
    again = decode_summary(summary.to_dict(), summary.document)
    assert again.request == summary.request
    with pytest.raises(UsageError, match="a: the page of a summary shows its analysis"):
        again.to_html()


def test_notebooks_show_lines_source_and_warnings() -> None:
    found = Summarizer.load("rules").summarize(TEXT, words=1, name="a")
    shown = found._repr_html_()
    assert f"<li>{found.text}</li>" in shown
    assert "The &lt;old&gt; bridge," in shown
    assert f"<mark>{found.selected[0].text}</mark>" in shown
    assert "(over-budget)" in shown
    assert "<script" not in shown


def test_notebooks_show_the_tree_of_an_analysis() -> None:
    shown = FOUND._repr_html_()
    assert shown.startswith("<pre")
    assert "├" in shown


@pytest.mark.parametrize("suffix", [".txt", ".md", ".json", ".jsonl", ".HTML", ""])
def test_summaries_are_saved_by_their_suffix(summary: Summary, suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"out{suffix}"
    summary.save(path)
    starts = {".txt": "The", "": "The", ".md": "## a", ".HTML": "<!DOCTYPE", ".json": '{\n  "f'}
    assert path.read_text(encoding="utf-8").startswith(starts.get(suffix, '{"format"'))


@pytest.mark.parametrize("suffix", [".json", ".rs3", ".dis"])
def test_analyses_are_saved_and_loaded(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"a{suffix}"
    FOUND.save(str(path))
    again = Analysis.load(str(path))
    assert [edu.text for edu in again.edus] == ["It rained,", "so we left.", "Bo stayed."]
    assert again.rst == FOUND.rst


def test_analyses_know_their_model_after_json(tmp_path: Path) -> None:
    summarizer = Summarizer.load("rules")
    made = summarizer.analyze(TEXT)
    made.save(tmp_path / "a.json")
    again = Analysis.load(tmp_path / "a.json")
    assert again == made
    assert again.model == made.model == summarizer.model
    assert json.loads(made.to_json()) == json.loads(json.dumps(made.to_dict()))
    assert made.to_html().startswith("<!DOCTYPE html>")


def test_trees_are_saved_as_they_are_drawn(tmp_path: Path) -> None:
    FOUND.save(tmp_path / "a.txt")
    assert "so we left." in (tmp_path / "a.txt").read_text(encoding="utf-8")


def test_forms_that_cannot_be_written_are_refused(summary: Summary, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"out.docx: \.docx is none of the kinds"):
        summary.save(tmp_path / "out.docx")
    with pytest.raises(UsageError, match=r"a.pdf: .*\.txt, \.json, \.rs3, \.dis"):
        FOUND.save(tmp_path / "a.pdf")
    assert not list(tmp_path.iterdir())
    assert form_of(Path("a.MD"), SUMMARY_SUFFIXES, SummaryFormat.TEXT) is SummaryFormat.MARKDOWN
