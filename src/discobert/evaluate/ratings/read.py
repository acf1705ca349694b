"""Ratings from files: what the page of a sheet saves, and the JSON lines of Markdown sheets."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from pathlib import PurePath
from typing import TypeVar

from discobert.data.codecs.fields import Field, refused, versioned
from discobert.data.codecs.json_text import Json, loads
from discobert.data.rating import (
    Fault,
    FaultKind,
    PanelKey,
    Place,
    Question,
    RatedQuestion,
    Ratings,
    SheetKey,
    ShownSummary,
)
from discobert.errors import FormatError
from discobert.evaluate.ratings.key import KEY_KIND, decode_key, read_key_file

RATINGS_KIND = "discobert-ratings"
RANK, REASON, FAULTS = "rank", "misleading_why", "faults"

T = TypeVar("T", bound=Enum)


_MOST_DIGITS = 9


@dataclass(frozen=True, slots=True)
class PanelRatings:
    """The ratings of a panel, one for each rater; of a page saved twice, the later file counts."""

    ratings: tuple[Ratings, ...]
    n_superseded: int
    """Files that are left out because the same rater saved again later."""


def read_ratings(files: Mapping[str, str]) -> PanelRatings:
    """Read the files of one panel, given as name and content; the key file may be among them."""
    parsed = {name: _parse(text, name) for name, text in files.items()}
    keys = [
        read_key_file(value, name=name)
        for name, value in parsed.items()
        if _kind(value) == KEY_KIND
    ]
    found = [
        (name, _read(value, keys, name=name))
        for name, value in parsed.items()
        if _kind(value) != KEY_KIND
    ]
    if not found:
        raise FormatError("a key but no ratings were given")
    return _of_one_panel(found)


def _parse(text: str, name: str) -> Json:
    """Return the JSON of a file; that of JSON lines is a list."""
    if text.lstrip().startswith("<"):
        raise FormatError(
            f"{name}: a page, not ratings; open the sheet in a browser, rate, and pass the file "
            "that its button Save ratings writes"
        )
    if name.endswith(".jsonl"):
        lines = enumerate(text.splitlines(), start=1)
        return [loads(line, name=f"{name}:{number}") for number, line in lines if line.strip()]
    return loads(text, name=name)


def _kind(value: Json) -> Json:
    return value.get("kind") if isinstance(value, dict) else None


def _read(value: Json, keys: Sequence[PanelKey], *, name: str) -> Ratings:
    if isinstance(value, list) and name.endswith(".jsonl"):
        if len(keys) != 1:
            raise FormatError(
                f"{name}: JSON lines are scored with the one key file of their sheets "
                f"(NAME.key.json), got {len(keys)}"
            )
        return _read_rows(value, keys[0], name)
    if _kind(value) != RATINGS_KIND:
        raise FormatError(f"{name}: not the ratings that a rating sheet saves")
    return _read_page(versioned(value, name), name)


@dataclass(slots=True)
class _Collected:
    """What was read about summaries so far."""

    values: dict[RatedQuestion, int] = field(default_factory=dict)
    ranks: dict[ShownSummary, int] = field(default_factory=dict)
    misleading: dict[ShownSummary, str] = field(default_factory=dict)
    faults: dict[ShownSummary, tuple[Fault, ...]] = field(default_factory=dict)

    def add(self, summary: ShownSummary, answers: Field) -> None:
        """Read the answers about one summary."""
        for name, answer in _members(answers):
            if name == RANK:
                self.ranks[summary] = _small(answer)
            elif name == REASON:
                self._add_reason(summary, answer.text().strip())
            elif name == FAULTS:
                self.faults[summary] = answer.items(_fault)
            else:
                question = _named(Question, name, answers)
                self.values[RatedQuestion(summary, question)] = _answer(question, answer)

    def _add_reason(self, summary: ShownSummary, reason: str) -> None:
        if reason:
            self.misleading[summary] = reason

    def ratings(self, sheet: SheetKey, *, rater: str, name: str, saved: str) -> Ratings:
        """Put everything together."""
        return Ratings(
            sheet, rater, name, saved, self.values, self.ranks, self.misleading, self.faults
        )


def _answer(question: Question, field: Field) -> int:
    if question is Question.MISLEADING and isinstance(field.value, bool):
        return int(field.value)
    return _small(field)


def _small(field: Field) -> int:
    """Return a whole number that is no larger than any answer or item can be."""
    found = field.integer()
    if abs(found) >= 10**_MOST_DIGITS:
        raise field.error(f"a number of less than {_MOST_DIGITS} digits")
    return found


def _fault(field: Field) -> Fault:
    """Read ``kind``, or ``[quote, kind]``."""
    if isinstance(field.value, str):
        return Fault(_named(FaultKind, field.value, field))
    members = field.items(Field.text)
    if len(members) != 2:
        raise field.error("a quote and a kind")
    return Fault(_named(FaultKind, members[1], field), members[0])


def _read_page(root: Field, name: str) -> Ratings:
    sheet = decode_key(root.member("key").text(), name=name)
    if root.member("sheet").text() != sheet.sheet:
        raise FormatError(f"{name}: the key is that of another sheet, {sheet.sheet}")
    collected = _Collected()
    for number, document in _members(root.member("answers")):
        if not (number.isascii() and number.isdigit() and len(number) < _MOST_DIGITS):
            raise root.member("answers").error(
                f"an object with numbers of documents as its keys, not {number!r}"
            )
        for place, answers in _members(document):
            summary = ShownSummary(int(number) - 1, _named(Place, place, document))
            collected.add(summary, answers)
    with refused(root):
        return collected.ratings(
            sheet,
            rater=root.member("rater").text(),
            name=root.optional("name", "").text().strip(),
            saved=root.member("saved").text(),
        )


def _read_rows(rows: Sequence[Json], panel: PanelKey, name: str) -> Ratings:
    """Read an object for each item: answers under the letters of the summaries, and ``rank``."""
    collected = _Collected()
    items: dict[int, None] = {}
    for number, value in enumerate(rows, start=1):
        row = Field(value, f"{name}:{number}")
        document = _small(row.member("item")) - 1
        if document in items:
            raise FormatError(f"{row.path}: item {document + 1} was rated before")
        items[document] = None
        for place in panel.places:
            collected.add(ShownSummary(document, place), row.member(place.letter))
        ranked = _ranks(row.member(RANK), panel) if RANK in row.object() else {}
        for place, rank in ranked.items():
            collected.ranks[ShownSummary(document, place)] = rank
    with refused(Field(None, name)):
        sheet = SheetKey(panel.panel, panel, tuple(items))
        return collected.ratings(sheet, rater=name, name=PurePath(name).stem, saved="")


def _ranks(field: Field, panel: PanelKey) -> dict[Place, int]:
    """Read an order such as ``B>A=C``; equal ones share the better rank."""
    by_letter = {place.letter: place for place in panel.places}
    ranks: dict[Place, int] = {}
    letters: list[str] = []
    for group in field.text().replace(" ", "").split(">"):
        rank = len(letters) + 1
        for letter in group.split("="):
            letters.append(letter)
            if letter in by_letter:
                ranks[by_letter[letter]] = rank
    if sorted(letters) != sorted(by_letter):
        raise field.error(f"an order such as {'>'.join(by_letter)} with each letter once")
    return ranks


def _members(field: Field) -> Iterator[tuple[str, Field]]:
    return ((name, field.member(name)) for name in field.object())


def _named(kind: type[T], name: str, field: Field) -> T:
    try:
        return kind(name)
    except ValueError as error:
        known = ", ".join(repr(member.value) for member in kind)
        raise FormatError(f"{field.path} has the unknown name {name!r}; known: {known}") from error


def _of_one_panel(found: Sequence[tuple[str, Ratings]]) -> PanelRatings:
    first_name, first = found[0]
    latest: dict[str, Ratings] = {}
    for name, ratings in found:
        if ratings.panel != first.panel:
            raise FormatError(
                f"{name}: ratings of another sheet ({ratings.panel.panel}, {first_name} is of "
                f"{first.panel.panel}); score each by itself"
            )
        known = latest.get(ratings.rater)
        if known is None or ratings.saved > known.saved:
            latest[ratings.rater] = ratings
    return PanelRatings(tuple(latest.values()), len(found) - len(latest))
