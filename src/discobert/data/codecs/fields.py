"""Typed access to the members of a JSON object; an error names the member's path."""

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TypeVar

from discobert.data.codecs.json_text import Json, JsonObject
from discobert.errors import FormatError, InvalidValue

FORMAT = 1
"""The version of all our JSON."""

T = TypeVar("T")
_LARGE = 10**4000
"""What Python refuses to write in decimal digits, nearly."""


@dataclass(frozen=True, slots=True)
class Field:
    """A JSON value and where it was found."""

    value: Json
    path: str

    def error(self, expected: str) -> FormatError:
        """Return an error with the expected and the found value."""
        return FormatError(f"{self.path} must be {expected}, got {shown(self.value)}")

    def object(self) -> JsonObject:
        """Return an object's members."""
        if not isinstance(self.value, dict):
            raise self.error("an object")
        return self.value

    def member(self, key: str) -> "Field":
        """Return a member that must be there."""
        members = self.object()
        if key not in members:
            raise FormatError(f"{self.path} lacks the member {key!r}")
        return Field(members[key], f"{self.path}.{key}")

    def optional(self, key: str, default: Json) -> "Field":
        """Return a member, or its default."""
        return Field(self.object().get(key, default), f"{self.path}.{key}")

    def items(self, read: "Callable[[Field], T]") -> tuple[T, ...]:
        """Read every item of an array."""
        if not isinstance(self.value, list):
            raise self.error("an array")
        found = enumerate(self.value)
        return tuple(read(Field(item, f"{self.path}[{index}]")) for index, item in found)

    def text(self) -> str:
        """Return a string."""
        if not isinstance(self.value, str):
            raise self.error("a string")
        return self.value

    def integer(self) -> int:
        """Return a whole number; true and false are none."""
        if not isinstance(self.value, int) or isinstance(self.value, bool):
            raise self.error("a whole number")
        return self.value

    def number(self) -> float:
        """Return a finite number."""
        if not isinstance(self.value, int | float) or isinstance(self.value, bool):
            raise self.error("a number")
        if not abs(self.value) <= sys.float_info.max:
            raise self.error("a finite number")
        return float(self.value)

    def pair(self) -> tuple[int, int]:
        """Return two whole numbers."""
        numbers = self.items(Field.integer)
        if len(numbers) != 2:
            raise self.error("two whole numbers")
        return numbers[0], numbers[1]

    def flag(self) -> bool:
        """Return true or false."""
        if not isinstance(self.value, bool):
            raise self.error("true or false")
        return self.value


def shown(value: Json) -> str:
    """Show a scalar, shortened; a container may be too deep to be shown."""
    if isinstance(value, dict | list):
        kind = "an object" if isinstance(value, dict) else "an array"
        return f"{kind} of {len(value)}"
    if isinstance(value, int) and abs(value) >= _LARGE:
        return "a number of many digits"
    is_json = value is None or isinstance(value, bool | int | float)
    found = json.dumps(value) if is_json else repr(value)  # a table may hold bytes or dates
    return found if len(found) < 60 else f"{found[:57]}..."


def versioned(value: Json, name: str) -> Field:
    """Check the version of the whole object."""
    root = Field(value, name)
    version = root.member("format").integer()
    if version != FORMAT:
        raise FormatError(f"{name}.format is {version}; this discobert reads {FORMAT} only")
    return root


@contextmanager
def refused(field: Field) -> Iterator[None]:
    """Turn an invalid value inside the block into an error that names its path."""
    try:
        yield
    except InvalidValue as error:
        raise FormatError(f"{field.path}: {error}") from error
