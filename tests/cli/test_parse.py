"""Arguments of the command line to values."""

from enum import Enum
from pathlib import Path
from typing import Annotated

import pytest

from discobert.cli.declare import Argument, Option, parameters_of
from discobert.cli.parse import HelpAsked, ParseError, did_you_mean, either, parse


class Colour(Enum):
    RED = "red"
    BLUE = "blue"


def command(
    source: Path,
    files: Annotated[list[str] | None, Argument(metavar="FILE")] = None,
    *,
    colour: Colour = Colour.RED,
    size: Annotated[int | None, Option("--size", "-s", min=2)] = None,
    share: float = 0.5,
    tag: Annotated[list[str] | None, Option()] = None,
    is_loud: Annotated[bool, Option("--loud", "-l")] = False,
    is_new: Annotated[bool, Option("--new", "-n")] = False,
) -> None:
    """Do nothing."""


PARAMETERS = parameters_of(command)
USUAL = {
    "source": Path("a"),
    "files": None,
    "colour": Colour.RED,
    "size": None,
    "share": 0.5,
    "tag": None,
    "is_loud": False,
    "is_new": False,
}


@pytest.mark.parametrize(
    ("arguments", "values"),
    [
        ("a", {}),
        ("a b - c", {"files": ["b", "-", "c"]}),
        ("--colour blue a", {"colour": Colour.BLUE}),
        ("a --colour=blue b", {"colour": Colour.BLUE, "files": ["b"]}),
        ("a -s 3", {"size": 3}),
        ("a -s3", {"size": 3}),
        ("a --size=+3 --size 4", {"size": 4}),
        ("a --share -0.5", {"share": -0.5}),
        ("a --tag x --tag y", {"tag": ["x", "y"]}),
        ("a --tag=x=y", {"tag": ["x=y"]}),
        ("a -ln", {"is_loud": True, "is_new": True}),
        ("a --loud", {"is_loud": True}),
        ("-l -- a --loud", {"is_loud": True, "files": ["--loud"]}),
    ],
)
def test_arguments_become_values(arguments: str, values: dict[str, object]) -> None:
    assert parse(PARAMETERS, arguments.split()) == {**USUAL, **values}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("", "SOURCE is missing"),
        ("a --colour green", "--colour takes red or blue, got 'green'"),
        ("a --size 1", "--size takes a whole number of at least 2, got 1"),
        ("a --size 1_0", "--size takes a whole number of at least 2, got '1_0'"),
        ("a --share nan", "--share takes a number, got 'nan'"),
        ("a -s", "-s needs a value: -s N"),
        ("a --tga x", "unknown option --tga (did you mean --tag?)"),
        ("a --loud=yes", "--loud takes no value, got 'yes'"),
    ],
)
def test_what_cannot_be_understood_is_said_in_our_words(arguments: str, message: str) -> None:
    with pytest.raises(ParseError) as caught:
        parse(PARAMETERS, arguments.split())
    assert str(caught.value) == message


@pytest.mark.parametrize("arguments", ["-h", "a --help", "--size 3 -h", "-lh"])
def test_help_can_be_asked_for_anywhere(arguments: str) -> None:
    with pytest.raises(HelpAsked):
        parse(PARAMETERS, arguments.split())


def test_names_are_joined_and_guessed() -> None:
    assert [either(["a"]), either(["a", "b", "c"])] == ["a", "a, b or c"]
    assert did_you_mean("xyz", ["abc"]) == ""
