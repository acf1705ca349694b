"""What the texts of ``tests/golden/texts`` give today; ``scripts/golden`` writes it anew.

Only public names of the package are used, so that the stored outputs outlive what is inside it.
"""

import json
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import chdir
from operator import attrgetter
from pathlib import Path
from typing import TypedDict, TypeGuard
from unittest.mock import patch

from discobert import Analysis, Summarizer, Summary
from discobert.__main__ import main as command

Json = Mapping[str, "Json"] | Sequence["Json"] | str | float | bool | None

GOLDEN = Path(__file__).parent / "golden"
TEXTS = {path.stem: path for path in sorted((GOLDEN / "texts").iterdir())}
TOLERANCE = 0.02
"""How far a score may move."""


class Request(TypedDict, total=False):
    """Options of ``summarize``."""

    style: str
    words: int
    sentences: int
    edus: int
    chars: int
    ratio: float
    unit: str
    focus: str
    exclude_quotes: bool
    keep_lead: bool
    resolve_references: bool


FOCUS = "water money children said"
"""Words of which most texts hold one."""

REQUESTS: Mapping[str, Request] = {
    "default": {"style": "paper"},
    "words": {"style": "paper", "words": 40},
    "sentences": {"style": "paper", "sentences": 2, "resolve_references": True},
    "edus": {"style": "paper", "edus": 5, "resolve_references": True},
    "ratio": {"style": "paper", "ratio": 0.3, "unit": "sentence"},
    "wishes": {
        "style": "paper",
        "words": 60,
        "focus": FOCUS,
        "keep_lead": True,
        "exclude_quotes": True,
    },
    "readable": {},
    "readable_words": {"words": 40},
}
COMMANDS: Mapping[str, Sequence[str]] = {
    "news-ferry": (),
    "readme-tool": ("--sentences", "3", "--include-source"),
    "unicode-cafe": ("--chars", "300", "--unit", "edu", "--resolve-references"),
    "minutes-council": ("--words", "90", "--min-words", "60", "--exclude-quotes"),
}
"""Further arguments of ``discobert summarize --format json``, by text."""


def read(name: str) -> str:
    """Return a text as it is, with the line ends that it has."""
    return TEXTS[name].read_bytes().decode("utf-8")


def describe(summarizer: Summarizer, name: str) -> dict[str, Json]:
    """Return the analysis of a text and its summaries; a row of ``edus`` is an EDU."""
    text = read(name)
    analysis = summarizer.analyze(text, name=name)
    summaries = {
        request: summarizer.summarize(text, name=name, **options)
        for request, options in REQUESTS.items()
    }
    usual = summaries["default"]
    return {
        "sentences": [[span.start, span.end] for span in analysis.document.sentences],
        "paragraphs": list(analysis.document.paragraphs),
        "edu_columns": ["start", "end", "sentence", "has_subject", "score", "depends_on"],
        "edus": _edu_rows(analysis, usual),
        "tree": bracketed(analysis.rst),
        "clusters": [
            [[mention.span.start, mention.span.end] for mention in cluster.mentions]
            for cluster in analysis.coref
        ],
        "summaries": {
            request: describe_summary(summary, usual) for request, summary in summaries.items()
        },
    }


def _edu_rows(analysis: Analysis, summary: Summary) -> list[Json]:
    return [
        [
            edu.span.start,
            edu.span.end,
            edu.sentence,
            edu.has_subject,
            round(unit.score, 3),
            list(unit.depends_on),
        ]
        for edu, unit in zip(analysis.document.edus, summary.units, strict=True)
    ]


def bracketed(tree: object) -> str:
    """Write a tree as ``(relation nuclearity left right)``, a leaf as the number of its EDU."""
    if hasattr(tree, "edu"):
        return str(tree.edu)
    parts = attrgetter("relation", "nuclearity.value", "left", "right")(tree)
    relation, nuclearity, left, right = parts
    return f"({relation} {nuclearity} {bracketed(left)} {bracketed(right)})"


def describe_summary(summary: Summary, usual: Summary) -> dict[str, Json]:
    """Return a summary; scores and dependencies only where they are not the usual ones."""
    chosen: dict[str, list[int]] = {}
    for unit in summary.units:
        if unit.selected:
            chosen.setdefault(str(unit.reason), []).append(unit.index)
    found: dict[str, Json] = {
        "text": [str(line) for line in summary.sentences],
        "words": summary.words,
        "selected": chosen,
        "warnings": [[warning.code, warning.unit] for warning in summary.warnings],
    }
    if summary.text != " ".join(summary.sentences):
        found["joined"] = summary.text
    if summary.replacements:
        found["replacements"] = [
            [change.unit, change.start, change.end, change.by] for change in summary.replacements
        ]
    if _scores(summary) != _scores(usual):
        found["scores"] = _scores(summary)
    if _needs(summary) != _needs(usual):
        found["depends_on"] = _needs(summary)
    return found


def _scores(summary: Summary) -> list[float]:
    return [round(unit.score, 3) for unit in summary.units]


def _needs(summary: Summary) -> dict[str, Sequence[int]]:
    return {str(unit.index): list(unit.depends_on) for unit in summary.units if unit.depends_on}


def run_command(name: str) -> Json:
    """Return what ``discobert summarize --format json`` writes of a text, in this process."""
    path = TEXTS[name]
    with tempfile.TemporaryDirectory() as folder, chdir(path.parent):
        output = Path(folder) / "summary.json"
        options = ("--format", "json", "--quiet", "--threads", "1", "--output", str(output))
        arguments = ["discobert", "summarize", path.name, "--style", "paper", *options]
        arguments += COMMANDS[name]
        with patch.object(sys, "argv", arguments):
            try:
                command()
            except SystemExit as end:
                if end.code:
                    raise RuntimeError(f"{' '.join(arguments)}: exit code {end.code}") from end
        return parse(output)


def differences(expected: Json, found: Json, field: str = "") -> Iterator[str]:
    """Name every field that differs; fractions may differ by the tolerance, nothing else may."""
    if isinstance(expected, Mapping) and isinstance(found, Mapping):
        for key in [*expected, *(key for key in found if key not in expected)]:
            inner = f"{field}.{key}" if field else key
            if key in expected and key in found:
                yield from differences(expected[key], found[key], inner)
            else:
                side, value = ("missing", expected) if key in expected else ("new", found)
                yield f"{inner}: {side}: {_shown(value[key])}"
    elif _is_list(expected) and _is_list(found) and len(expected) == len(found):
        for index, (left, right) in enumerate(zip(expected, found, strict=True)):
            yield from differences(left, right, f"{field}[{index}]")
    elif not _same(expected, found):
        yield f"{field}:\n  expected {_shown(expected)}\n  found    {_shown(found)}"


def _is_list(value: Json) -> TypeGuard[Sequence[Json]]:
    return isinstance(value, Sequence) and not isinstance(value, str)


def _same(expected: Json, found: Json) -> bool:
    if isinstance(expected, float) and isinstance(found, float):
        return abs(expected - found) <= TOLERANCE
    return type(expected) is type(found) and expected == found


def _shown(value: Json) -> str:
    return json.dumps(value, ensure_ascii=False)


def output_path(name: str) -> Path:
    """Return where the analysis and the summaries of a text are stored."""
    return GOLDEN / "outputs" / f"{name}.json"


def command_path(name: str) -> Path:
    """Return where the output of the command is stored."""
    return GOLDEN / "commands" / f"{name}.json"


def parse(path: Path) -> Json:
    """Read a stored output."""
    value: Json = json.loads(path.read_text(encoding="utf-8"))
    return value


def layout(value: Json, indent: str = "") -> str:
    """Write JSON so that a change is a change of few lines: what fits a line stays on one."""
    line = _shown(value)
    if len(indent) + len(line) <= 100 or not isinstance(value, Mapping | Sequence):
        return line
    if isinstance(value, str) or not value:
        return line
    deeper = indent + "  "
    if isinstance(value, Mapping):
        members = (f"{_shown(key)}: {layout(item, deeper)}" for key, item in value.items())
        return _block("{}", members, indent)
    if all(isinstance(item, int | float) for item in value):
        return line
    return _block("[]", (layout(item, deeper) for item in value), indent)


def _block(brackets: str, items: Iterable[str], indent: str) -> str:
    inner = f",\n{indent}  ".join(items)
    return f"{brackets[0]}\n{indent}  {inner}\n{indent}{brackets[1]}"


def write_all() -> None:
    """Write the outputs of all texts, and remove those of texts that are gone."""
    summarizer = Summarizer.load(threads=1)
    wanted = {output_path(name): describe(summarizer, name) for name in TEXTS}
    commands = {command_path(name): run_command(name) for name in COMMANDS}
    for path, value in {**wanted, **commands}.items():
        path.parent.mkdir(exist_ok=True)
        path.write_text(layout(value) + "\n", encoding="utf-8", newline="\n")
    for folder in ("outputs", "commands"):
        for path in (GOLDEN / folder).iterdir():
            if path not in wanted and path not in commands:
                path.unlink()


if __name__ == "__main__":
    write_all()
