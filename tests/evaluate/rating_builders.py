"""Ratings made by hand."""

import json
from collections.abc import Mapping, Sequence

from discobert.data.rating import Answer, Place, Question, Ratings, SheetKey
from discobert.evaluate.ratings.key import encode_key

KEY = SheetKey("sheet-1", ("old", "new"), ("a", "b", "c"), (False, True, False))

Triple = tuple[int, int, int]


def ratings(
    of_system: Mapping[str, Sequence[Triple | None]], *, rater: str = "r1", name: str = ""
) -> Ratings:
    """Rate by system: for each document a rating per question, or nothing."""
    values = {}
    for document in range(len(KEY.documents)):
        for place in Place:
            given = of_system[KEY.system_at(document, place)][document]
            for question, value in zip(Question, given or (), strict=given is not None):
                values[Answer(document, place, question)] = value
    return Ratings(KEY, rater, name, "2026-01-01", values)


def saved(key_: SheetKey = KEY, /, **members: object) -> str:
    """Write what the sheet saves; members replace others."""
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
