"""A rating sheet as Markdown, for raters who answer with lines of JSON."""

import json
from collections.abc import Iterator, Sequence
from string import Template

from discobert.data.rating import HIGHEST, LOWEST, Place, Question
from discobert.render.page import template
from discobert.render.ratings.form import COUNTS, FAULTS, WORDING, RatingItem


def render_rating_markdown(items: Sequence[RatingItem]) -> str:
    """Write instructions and items; the key is not in the sheet but in a file of its own."""
    letters = [place.letter for place in tuple(Place)[: len(items[0].summaries)]]
    head = Template(template("rating_sheet.md")).substitute(
        n_items=len(items),
        n_summaries=COUNTS[len(letters)],
        letters=", ".join(letters),
        questions="\n".join(_questions()),
        faults=", ".join(f"`{kind.value}` ({meaning})" for kind, meaning in FAULTS.items()),
        best_first=">".join(letters),
        ties="=".join(letters[:2]),
        example=_example(letters),
    )
    return "".join([head, *(_item(item, letters) for item in items)])


def _questions() -> Iterator[str]:
    for question, wording in WORDING.items():
        scale = f"{LOWEST} {wording.low} – {HIGHEST} {wording.high}"
        if question is Question.MISLEADING:
            scale = "0 no, 1 yes"
        yield f"- `{question.value}` ({scale}): {wording.asks}"


def _example(letters: Sequence[str]) -> str:
    answers = {
        **{question.value: 3 for question in Question if question is not Question.MISLEADING},
        "misleading": 1,
        "misleading_why": "“quoted line”: the reason in a few words",
        "faults": [["quoted line", "broken"]],
    }
    row = {"item": 7, **dict.fromkeys(letters, answers), "rank": ">".join(reversed(letters))}
    return json.dumps(row, ensure_ascii=False)


def _item(item: RatingItem, letters: Sequence[str]) -> str:
    text = "\n\n".join(map(_plain, item.paragraphs()))
    summaries = "".join(
        f"\n## Summary {letter}\n\n{_plain(summary) or '(This summary is empty.)'}\n"
        for letter, summary in zip(letters, item.summaries, strict=True)
    )
    return f"\n# Item {item.number}\n\n## Text\n\n{text}\n{summaries}"


def _plain(line: str) -> str:
    """Put a line's words on one line that is no heading."""
    words = " ".join(line.split())
    return f"\\{words}" if words.startswith("#") else words
