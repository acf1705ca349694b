"""Ratings made by hand."""

import json
from collections.abc import Mapping, Sequence

from discobert.data.rating import (
    PAPER_QUESTIONS,
    Fault,
    PanelKey,
    Question,
    RatedQuestion,
    Ratings,
    SheetKey,
    ShownSummary,
)
from discobert.evaluate.ratings.key import encode_key

PANEL = PanelKey(
    "panel-1", ("old", "new"), ("a", "b", "c"), ((0, 1), (1, 0), (0, 1)), PAPER_QUESTIONS
)
KEY = SheetKey("panel-1", PANEL, (0, 1, 2))
THREE = PanelKey(
    "panel-3", ("lead", "old", "new"), ("a", "b"), ((0, 1, 2), (2, 0, 1)), tuple(Question)
)

Grades = tuple[int, ...]


def at(panel: PanelKey, document: int, system: str) -> ShownSummary:
    """Return where the summary of a system stands."""
    return ShownSummary(document, panel.place_of(document, system))


def ratings(
    of_system: Mapping[str, Sequence[Grades | None]],
    *,
    panel: PanelKey = PANEL,
    rater: str = "r1",
    name: str = "",
    ranks: Mapping[str, Sequence[int]] | None = None,
    faults: Mapping[tuple[str, int], tuple[Fault, ...]] | None = None,
    reasons: Mapping[tuple[str, int], str] | None = None,
) -> Ratings:
    """Rate by system: for each document an answer to each question, or nothing."""
    values = {
        RatedQuestion(at(panel, document, system), question): value
        for system, rows in of_system.items()
        for document, grades in enumerate(rows)
        if grades is not None
        for question, value in zip(panel.questions, grades, strict=True)
    }
    return Ratings(
        SheetKey(panel.panel, panel, tuple(range(len(panel.documents)))),
        rater,
        name,
        "2026-01-01",
        values,
        {
            at(panel, document, system): rank
            for system, given in (ranks or {}).items()
            for document, rank in enumerate(given)
        },
        {at(panel, number, system): why for (system, number), why in (reasons or {}).items()},
        {at(panel, number, system): found for (system, number), found in (faults or {}).items()},
    )


def saved(key_: SheetKey = KEY, /, **members: object) -> str:
    """Write what the page of a sheet saves; members replace others."""
    answers = {"1": {"first": {"overall": 4, "coherence": 3}, "second": {"overall": 2}}}
    value = {
        "format": 1,
        "kind": "discobert-ratings",
        "sheet": key_.sheet,
        "key": encode_key(key_),
        "rater": "r1",
        "name": " Ann ",
        "saved": "2026-01-01T00:00:00Z",
        "answers": answers,
    }
    return json.dumps({**value, **members})


def row(item: int, rank: str | None = "B>A=C", **of_letter: Mapping[str, object]) -> str:
    """Write a line of JSON that rates an item of ``THREE``; letters that are not given get 3s."""
    plain = {question.value: 3 for question in Question} | {"misleading": 0, "faults": []}
    answers = {letter: {**plain, **of_letter.get(letter, {})} for letter in "ABC"}
    ranked = {} if rank is None else {"rank": rank}
    return json.dumps({"item": item, **answers, **ranked})
