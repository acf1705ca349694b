"""The options of a summary are the same on every surface."""

import inspect
import json
from pathlib import Path
from typing import Any, get_args

import pytest

from discobert import Summarizer, Summary
from discobert.cli.app import run
from discobert.cli.commands.everyday.batch import batch_command
from discobert.cli.commands.everyday.summarize import summarize_command
from discobert.cli.declare import parameters_of
from discobert.cli.parse import parse
from discobert.cli.request_options import OPTIONS, takes_request
from discobert.discourse.units import UnitKind
from discobert.render.summaries.json import render_json, render_jsonl
from discobert.selection.request import DEFAULT_OPTIONS, Style, SummaryOptions, SummaryRequest

TEXT = (
    "The town will reopen its bridge on Saturday, ending months of detours. "
    "The bridge, which was built in 1912, was closed after divers found cracks. "
    '"Nobody wanted to hear it," said Marta Quillan, who led the repair. '
    "Two shops shut down because nobody came. Rain fell. It was late when they left."
)
EXAMPLES: dict[str, object] = {
    "words": 12,
    "sentences": 2,
    "edus": 2,
    "chars": 90,
    "ratio": 0.3,
    "min_words": 50,
    "min_sentences": 5,
    "min_edus": 11,
    "min_chars": 250,
    "min_ratio": 0.9,
    "style": "paper",
    "unit": "sentence",
    "focus": "shops",
    "exclude_quotes": True,
    "keep_lead": True,
    "resolve_references": True,
}


def arguments(name: str) -> list[str]:
    flag, value = f"--{name.replace('_', '-')}", EXAMPLES[name]
    return [flag] if value is True else [flag, str(value)]


def summary(**options: Any) -> Summary:  # noqa: ANN401 - any option
    return Summarizer.load("rules").summarize(TEXT, name="a.txt", **options)


def expected(name: str) -> Summary:
    return summary(**{name: EXAMPLES[name]})


def test_the_table_holds_every_option_and_no_other() -> None:
    assert OPTIONS.keys() == SummaryOptions.__annotations__.keys() == EXAMPLES.keys()
    plain = {name: getattr(default, "value", default) for name, (_, default) in OPTIONS.items()}
    assert plain == DEFAULT_OPTIONS


def test_the_types_are_those_of_the_keywords() -> None:
    for name, kind in SummaryOptions.__annotations__.items():
        (shown, *_) = get_args(OPTIONS[name][0])
        assert shown == {"unit": UnitKind | None, "style": Style}.get(name, kind), name


@pytest.mark.parametrize("command", [summarize_command, batch_command])
def test_the_options_stand_in_the_signature_of_a_command(command: Any) -> None:  # noqa: ANN401
    parameters = inspect.signature(command).parameters
    assert OPTIONS.keys() <= parameters.keys()
    assert "request" not in parameters
    assert list(command.__annotations__) == list(parameters)


@pytest.mark.parametrize("command", ["summarize", "batch"])
def test_help_shows_every_option(
    command: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    assert run([command, "--help"]) == 0
    words = capsys.readouterr().out.split()
    assert {arguments(name)[0] for name in OPTIONS} <= set(words)


@pytest.mark.parametrize("name", EXAMPLES)
def test_summarize_takes_every_option(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.txt").write_text(TEXT, encoding="utf-8")
    command = ["summarize", "a.txt", "--model", "rules", "--format", "json", "--quiet"]
    assert run([*command, *arguments(name)]) == 0
    assert capsys.readouterr().out == render_json([expected(name)])


@pytest.mark.parametrize("name", EXAMPLES)
def test_batch_takes_every_option(name: str, tmp_path: Path) -> None:
    source, out = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    source.write_text(json.dumps({"id": "a.txt", "text": TEXT}) + "\n", encoding="utf-8")
    command = ["batch", str(source), str(out), "--model", "rules", "--jobs", "1", "--quiet"]
    assert run([*command, *arguments(name)]) == 0
    assert out.read_text(encoding="utf-8") == render_jsonl([expected(name)])


def test_the_examples_of_lengths_change_the_summary() -> None:
    usual = summary(style="paper")
    assert expected("style") == usual != summary()
    same = {
        name
        for name, value in EXAMPLES.items()
        if name != "style" and summary(style="paper", **{name: value}) == usual
    }
    assert same <= {"unit", "exclude_quotes", "keep_lead", "resolve_references"}


def test_spacy_has_every_option() -> None:
    pytest.importorskip("spacy")
    from spacy.language import Language

    from discobert.integrations.spacy import make_pipe

    assert OPTIONS.keys() <= inspect.signature(make_pipe).parameters.keys()
    defaults = Language.get_factory_meta("discobert").default_config or {}
    assert {name: defaults[name] for name in OPTIONS} == DEFAULT_OPTIONS


def test_a_command_receives_one_request() -> None:
    given: list[SummaryRequest] = []

    def command(name: str, *, request: SummaryRequest, loud: bool = False) -> None:
        given.append(request)

    wrapped = takes_request(command)
    names = list(inspect.signature(wrapped).parameters)
    assert names == ["name", *OPTIONS, "loud"]
    arguments = ["x", "--words", "9", "--unit", "edu", "--keep-lead"]
    wrapped(**parse(parameters_of(wrapped), arguments))
    assert given == [SummaryRequest.of(words=9, unit="edu", keep_lead=True)]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (["--words", "0"], "--words must be a whole number of at least 1, got 0"),
        (["--words", "5", "--min-words", "9"], "--min-words 9 is more than --words 5"),
        (
            ["--words", "5", "--min-chars", "9"],
            "--min-chars cannot go with --words: use --min-words",
        ),
        (["--words", "5", "--chars", "5"], "give only one of --words and --chars"),
    ],
)
def test_errors_of_lengths_name_the_options(
    given: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["summarize", "a.txt", *given]) == 2
    assert capsys.readouterr().err == f"error: {message}\n"
