"""Settings of a bundle, each checked for its kind and its range before it is used."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from discobert.data.codecs.fields import Field, shown
from discobert.errors import BundleError, FormatError

_LONGEST = 200


@dataclass(frozen=True, slots=True)
class BundleSettings:
    """A part of the settings and where it was found."""

    values: Mapping[str, Any]
    path: str = "settings"

    def part(self, name: str) -> "BundleSettings":
        """Return the settings of a part."""
        try:
            return BundleSettings(self._field(name).object(), f"{self.path}.{name}")
        except FormatError as error:
            raise _refused(error) from error

    def integer(self, name: str, low: int, high: int, default: int | None = None) -> int:
        """Return a whole number of a range."""
        try:
            value = self._field(name, default).integer()
        except FormatError as error:
            raise _refused(error) from error
        self._check_range(name, value, low, high)
        return value

    def number(self, name: str, low: float, high: float, default: float | None = None) -> float:
        """Return a number of a range."""
        try:
            value = self._field(name, default).number()
        except FormatError as error:
            raise _refused(error) from error
        self._check_range(name, value, low, high)
        return value

    def numbers(self, name: str, count: int, low: float, high: float) -> tuple[float, ...]:
        """Return so many numbers of a range."""
        try:
            values = self._field(name).items(Field.number)
        except FormatError as error:
            raise _refused(error) from error
        self._check_range(f"the length of {name}", len(values), count, count)
        for value in values:
            self._check_range(name, value, low, high)
        return values

    def texts(self, name: str, most: int) -> tuple[str, ...]:
        """Return different strings, at least one and not too many or too long."""
        try:
            values = self._field(name).items(Field.text)
        except FormatError as error:
            raise _refused(error) from error
        self._check_range(f"the length of {name}", len(values), 1, most)
        if len(set(values)) < len(values) or max(map(len, values)) > _LONGEST:
            raise BundleError(f"{self.path}.{name} repeats a name or has an overlong one")
        return values

    def flag(self, name: str) -> bool:
        """Return true or false."""
        try:
            return self._field(name).flag()
        except FormatError as error:
            raise _refused(error) from error

    def choice(self, name: str, allowed: "frozenset[str] | tuple[str, ...]") -> str:
        """Return one of some words."""
        try:
            value = self._field(name).text()
        except FormatError as error:
            raise _refused(error) from error
        if value not in allowed:
            known = ", ".join(sorted(allowed))
            raise BundleError(f"{self.path}.{name} must be one of {known}, got {value[:60]!r}")
        return value

    def _field(self, name: str, default: float | None = None) -> Field:
        root = Field(dict(self.values), self.path)
        return root.member(name) if default is None else root.optional(name, default)

    def _check_range(self, name: str, value: float, low: float, high: float) -> None:
        if not low <= value <= high:
            raise BundleError(
                f"{self.path}: {name} must be from {low} to {high}, got {shown(value)}"
            )


def _refused(error: FormatError) -> BundleError:
    return BundleError(f"{error}; export the model again")
