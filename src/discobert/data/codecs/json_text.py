"""JSON text of any depth: the standard library's reader and writer recurse, and trees are deep."""

import json
import re
from collections.abc import Iterator
from typing import NoReturn

from discobert.errors import FormatError, InvalidValue

Json = None | bool | int | float | str | list["Json"] | dict[str, "Json"]
JsonObject = dict[str, Json]


def dumps(value: Json) -> str:
    """Write one line of JSON, readable in any script, however deeply the value is nested."""
    try:
        text = _shallow(value)
    except RecursionError:
        text = "".join(_pieces(value))
    # Half a surrogate pair cannot be written as UTF-8; JSON has an escape for it. Of two halves
    # that fit, a reader would make one character, and all offsets behind it would be wrong.
    if split_character(text) is not None:
        raise InvalidValue("two halves of one character in a row, which JSON cannot hold")
    return _SURROGATE.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def split_character(text: str) -> int | None:
    """Return where a text holds one character as two halves of a surrogate pair, if anywhere."""
    found = _PAIR.search(text)
    return None if found is None else found.start()


_PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")
_ENCODER = json.JSONEncoder(ensure_ascii=False, allow_nan=False)
_SURROGATE = re.compile("[\ud800-\udfff]")


def _shallow(value: Json) -> str:
    try:
        return _ENCODER.encode(value)
    except ValueError as error:
        raise InvalidValue(f"JSON has finite numbers only: {error}") from error


class _JsonText(str):
    """A piece of JSON text, as opposed to a string that is still to be written."""

    __slots__ = ()


def _pieces(value: Json) -> Iterator[str]:
    """Yield the text piece by piece; open containers are on a stack."""
    todo: list[Iterator[Json]] = [iter((value,))]
    while todo:
        item = next(todo[-1], _EXHAUSTED)
        if item is _EXHAUSTED:
            todo.pop()
        elif isinstance(item, _JsonText):
            yield item
        elif isinstance(item, dict):
            todo.append(_object_parts(item))
        elif isinstance(item, list):
            todo.append(_array_parts(item))
        else:
            yield _shallow(item)


_EXHAUSTED = _JsonText()


def _object_parts(members: JsonObject) -> Iterator[Json]:
    opening = "{"
    for key, member in members.items():
        yield _JsonText(f"{opening}{_shallow(key)}: ")
        yield member
        opening = ", "
    yield _JsonText("}" if members else "{}")


def _array_parts(items: list[Json]) -> Iterator[Json]:
    opening = "["
    for item in items:
        yield _JsonText(opening)
        yield item
        opening = ", "
    yield _JsonText("]" if items else "[]")


def loads(text: str, *, name: str = "the text") -> Json:
    """Read JSON however deeply it is nested; ``name`` is the source of the text in errors."""
    try:
        return _read(text)
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise FormatError(f"{name} is not valid JSON: {error.msg} ({place})") from error
    except ValueError as error:
        raise FormatError(f"{name} is not valid JSON: {error}") from error


def _read(text: str) -> Json:
    try:
        value: Json = _DECODER.decode(text)
    except RecursionError:
        value = _Reader(text).read()
    return value


def _refuse_constant(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is no number in JSON")


_DECODER = json.JSONDecoder(parse_constant=_refuse_constant)


class _Reader:
    """A place in a text and the containers open there."""

    __slots__ = ("_keys", "_open", "_position", "_text")

    def __init__(self, text: str) -> None:
        self._text = text
        self._position = 0
        self._open: list[list[Json] | JsonObject] = []
        self._keys: list[str] = []

    def read(self) -> Json:
        value = self._first_whole_value()
        while self._open:
            container = self._open[-1]
            self._put(value, container)
            if self._take(","):
                self._read_key(container)
                value = self._first_whole_value()
            elif self._take("]" if isinstance(container, list) else "}"):
                value = self._open.pop()
            else:
                raise self._error("Expecting ',' delimiter")
        self._skip_space()
        if self._position < len(self._text):
            raise self._error("Extra data")
        return value

    def _first_whole_value(self) -> Json:
        """Open containers until something is complete: a scalar or an empty container."""
        while True:
            container: list[Json] | JsonObject
            if self._take("["):
                container, end = [], "]"
            elif self._take("{"):
                container, end = {}, "}"
            else:
                return self._scalar()
            if self._take(end):
                return container
            self._open.append(container)
            self._read_key(container)

    def _put(self, value: Json, container: list[Json] | JsonObject) -> None:
        if isinstance(container, list):
            container.append(value)
        else:
            container[self._keys.pop()] = value

    def _read_key(self, container: list[Json] | JsonObject) -> None:
        if isinstance(container, list):
            return
        self._skip_space()
        if not self._text.startswith('"', self._position):
            raise self._error("Expecting property name enclosed in double quotes")
        self._keys.append(str(self._scalar()))
        if not self._take(":"):
            raise self._error("Expecting ':' delimiter")

    def _scalar(self) -> Json:
        value: Json
        value, self._position = _DECODER.raw_decode(self._text, self._position)
        return value

    def _take(self, mark: str) -> bool:
        """Step over a mark of one character if it is the next."""
        self._skip_space()
        found = self._text.startswith(mark, self._position)
        self._position += found
        return found

    def _skip_space(self) -> None:
        while self._position < len(self._text) and self._text[self._position] in " \t\n\r":
            self._position += 1

    def _error(self, message: str) -> json.JSONDecodeError:
        return json.JSONDecodeError(message, self._text, self._position)
