"""Table 6: our own texts, with what was left out of the sentences shown struck through."""

from itertools import groupby
from pathlib import PurePosixPath

from discobert.data.codecs.fields import Field
from discobert.evaluate.reproduction.published import Published
from discobert.evaluate.reproduction.results import ResultFile, Results

_ESCAPED = str.maketrans({mark: f"\\{mark}" for mark in "\\`*_~[]<>|"})


def examples(results: Results, published: Published) -> str:
    """Write each text's chosen sentences, discarded EDUs struck through."""
    texts = results.several(ResultFile.SUMMARIES)
    return "\n".join(f"> {_sentences(text)}\n>\n> — {_origin(text)}\n" for text in texts)


def _origin(summary: Field) -> str:
    units = summary.member("units").items(lambda unit: unit)
    kept = sum(unit.member("selected").flag() for unit in units)
    name = PurePosixPath(summary.member("id").text()).name
    words = summary.member("words").integer()
    return f"*{name}*: {kept} of {len(units)} clauses, {words} words"


def _sentences(summary: Field) -> str:
    units = summary.member("units").items(lambda unit: unit)
    shown = []
    for _, group in groupby(units, key=lambda unit: unit.member("sentence").integer()):
        sentence = list(group)
        if any(unit.member("selected").flag() for unit in sentence):
            shown.append(" ".join(_unit(unit) for unit in sentence))
    return " ".join(shown)


def _unit(unit: Field) -> str:
    text = " ".join(unit.member("text").text().split()).translate(_ESCAPED)
    return text if unit.member("selected").flag() else f"~~{text}~~"
