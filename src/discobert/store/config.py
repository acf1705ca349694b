"""Settings files: TOML on disk, frozen dataclasses in memory."""

import difflib
import tomllib
from dataclasses import fields
from pathlib import Path
from typing import Any, TypeVar

from discobert.errors import ConfigError, InputError

T = TypeVar("T")
_LARGEST = 10**15
"""Whole numbers that a double still tells apart, and no setting comes near."""


def read_config(path: Path, kind: type[T]) -> T:
    """Read a flat TOML file as a settings dataclass."""
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror}") from error
    except (ValueError, RecursionError) as error:  # numbers of thousands of digits, too
        raise ConfigError(f"{path} is not valid TOML: {error}") from error
    return config_from(content, kind, where=str(path))


def config_from(content: dict[str, Any], kind: type[T], *, where: str) -> T:
    """Build a settings dataclass from plain values, checking names and types."""
    known = {field.name: field for field in fields(kind)}  # type: ignore[arg-type]
    values: dict[str, Any] = {}
    for key, value in content.items():
        if key not in known:
            near = difflib.get_close_matches(key, known, n=1)
            hint = (
                f"; did you mean {near[0]!r}?"
                if near
                else f"; known keys: {', '.join(sorted(known))}"
            )
            raise ConfigError(f"{where}: unknown key {key!r}{hint}")
        values[key] = _checked(value, known[key].type, f"{where}: {key}")
    return kind(**values)


def _checked(value: object, wanted: object, where: str) -> object:
    """Return a value of the wanted type: a list becomes a tuple, an integer a float if need be."""
    if isinstance(value, list):
        return tuple(value)
    if isinstance(value, int) and abs(value) > _LARGEST:
        raise ConfigError(f"{where} must be at most {_LARGEST:,} in size")
    if wanted is float and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    if isinstance(wanted, type) and not isinstance(value, wanted):
        raise ConfigError(f"{where} must be {wanted.__name__}, got {value!r}")
    return value
