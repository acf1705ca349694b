"""What the Save button of a rating sheet writes, read back."""

from collections.abc import Iterator, Sequence
from enum import Enum
from typing import TypeVar

from discobert.data.fields import Field, refused, versioned
from discobert.data.json_text import loads
from discobert.data.rating import Answer, Place, Question, Ratings
from discobert.errors import FormatError
from discobert.evaluate.ratings.key import decode_key

KIND = "discobert-ratings"

T = TypeVar("T", bound=Enum)


def parse_ratings(text: str, *, name: str) -> Ratings:
    """Read a saved file; ``name`` says in errors which one."""
    if text.lstrip().startswith("<"):
        raise FormatError(
            f"{name}: a page, not ratings; open the sheet in a browser, rate, and pass the file "
            "that its button Save ratings writes"
        )
    value = loads(text, name=name)
    if not isinstance(value, dict) or value.get("kind") != KIND:
        raise FormatError(f"{name}: not the ratings that a rating sheet saves")
    field = versioned(value, name)
    key = decode_key(field.member("key").text(), name=name)
    if field.member("sheet").text() != key.sheet:
        raise FormatError(f"{name}: the key is that of another sheet, {key.sheet}")
    with refused(field):
        return Ratings(
            key=key,
            rater=field.member("rater").text(),
            name=field.optional("name", "").text().strip(),
            saved=field.member("saved").text(),
            values=dict(_answers(field.member("answers"))),
        )


def _answers(field: Field) -> Iterator[tuple[Answer, int]]:
    for number, of_document in _members(field):
        if not (number.isascii() and number.isdigit()):
            raise field.error(f"an object with numbers of documents as its keys, not {number!r}")
        for place, of_place in _members(of_document):
            for question, rating in _members(of_place):
                answer = Answer(
                    int(number) - 1,
                    _named(Place, place, of_document),
                    _named(Question, question, of_place),
                )
                yield answer, rating.integer()


def _members(field: Field) -> Iterator[tuple[str, Field]]:
    return ((name, field.member(name)) for name in field.object())


def _named(kind: type[T], name: str, field: Field) -> T:
    try:
        return kind(name)
    except ValueError as error:
        known = ", ".join(repr(member.value) for member in kind)
        raise FormatError(
            f"{field.path} has the unknown member {name!r}; known: {known}"
        ) from error


def of_one_sheet(found: Sequence[tuple[str, Ratings]]) -> list[Ratings]:
    """Refuse files of different sheets; of a rater who saved twice, keep what was saved last."""
    first_name, first = found[0]
    latest: dict[str, Ratings] = {}
    for name, ratings in found:
        if ratings.key != first.key:
            raise FormatError(
                f"{name}: ratings of another sheet ({ratings.key.sheet}, {first_name} is of "
                f"{first.key.sheet}); score each sheet by itself"
            )
        known = latest.get(ratings.rater)
        if known is None or ratings.saved > known.saved:
            latest[ratings.rater] = ratings
    return list(latest.values())
