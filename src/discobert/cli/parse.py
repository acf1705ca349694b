"""Arguments of the command line to the values that a command declares."""

import difflib
import re
from collections.abc import Iterable, Sequence
from enum import Enum
from typing import Any

from discobert.cli.declare import Parameter
from discobert.errors import UsageError

_WHOLE_NUMBER = re.compile(r"[+-]?\d+")


class ParseError(UsageError):
    """The command line cannot be understood; the help tells more."""


class HelpAsked(Exception):
    """``--help`` is among the arguments."""


HELP = ("-h", "--help")


def parse(parameters: Sequence[Parameter], arguments: Sequence[str]) -> dict[str, Any]:
    """Return the value of every parameter, by name."""
    reader = _Reader(parameters)
    reader.read(arguments)
    return reader.values()


class _Reader:
    def __init__(self, parameters: Sequence[Parameter]) -> None:
        self._parameters = parameters
        self._options = {name: each for each in parameters for name in each.names}
        self._given: dict[str, list[Any]] = {}
        self._rest: list[str] = []

    def read(self, arguments: Sequence[str]) -> None:
        todo = list(reversed(arguments))
        while todo:
            argument = todo.pop()
            if argument == "--":
                self._rest += reversed(todo)
                return
            if argument.startswith("-") and argument != "-":
                self._read_option(argument, todo)
            else:
                self._rest.append(argument)

    def _read_option(self, argument: str, todo: list[str]) -> None:
        """Read ``--name value``, ``--name=value``, ``-n value`` or ``-nvalue``."""
        if argument in HELP:
            raise HelpAsked
        name, has_value, value = argument.partition("=")
        if not argument.startswith("--") and argument not in self._options:
            name, value = argument[:2], argument[2:]
            has_value = value
        option = self._options.get(name)
        if option is None:
            raise ParseError(f"unknown option {name}{self._hint(name)}")
        if option.is_flag:
            self._read_flag(option, name, value if has_value else None, todo)
            return
        if not has_value:
            if not todo or todo[-1] in self._options:
                raise ParseError(f"{name} needs a value: {name} {option.metavar}")
            value = todo.pop()
        self._given.setdefault(option.name, []).append(_value(option, value))

    def _hint(self, name: str) -> str:
        """Return a hint at what other tools call so, or at the nearest name."""
        form = self._options.get("--format")
        if form is not None and name.removeprefix("--") in form.choices:
            return f" (did you mean --format {name.removeprefix('--')}?)"
        found = [each for each in _usual_names(name) if each in self._options]
        return f" (did you mean {either(found)}?)" if found else did_you_mean(name, self._options)

    def _read_flag(self, flag: Parameter, name: str, value: str | None, todo: list[str]) -> None:
        if value is not None:
            if name.startswith("--"):
                raise ParseError(f"{name} takes no value, got {value!r}")
            todo.append(f"-{value}")  # several flags in one: -qh
        self._given[flag.name] = [True]

    def values(self) -> dict[str, Any]:
        """Return all values; positions are filled from left to right, lists take the rest."""
        for argument in (each for each in self._parameters if not each.names):
            taken = len(self._rest) if argument.is_list else 1
            for text in self._rest[:taken]:
                self._given.setdefault(argument.name, []).append(_value(argument, text))
            del self._rest[:taken]
        if self._rest:
            raise ParseError(f"one argument too many: {self._rest[0]!r}")
        return {each.name: self._value_of(each) for each in self._parameters}

    def _value_of(self, parameter: Parameter) -> Any:  # noqa: ANN401 - of any type
        if parameter.name in self._given:
            given = self._given[parameter.name]
            return given if parameter.is_list else given[-1]
        if parameter.is_required:
            among = f"; use {either(parameter.choices)}" if parameter.choices else ""
            raise ParseError(f"{parameter.label} is missing{among}")
        return parameter.default


def _value(parameter: Parameter, text: str) -> Any:  # noqa: ANN401 - of any type
    """Read one value."""
    kind = parameter.kind
    if kind is int or kind is float:
        return _number(parameter, text)
    if isinstance(kind, type) and issubclass(kind, Enum):
        if text not in parameter.choices:
            raise ParseError(f"{parameter.label} takes {either(parameter.choices)}, got {text!r}")
        return kind(text)
    return kind(text)


def _number(parameter: Parameter, text: str) -> float:
    is_whole, least = parameter.kind is int, parameter.minimum
    taken = "a whole number" if is_whole else "a number"
    taken += "" if least is None else f" of at least {least}"
    try:
        number = int(text) if is_whole and _WHOLE_NUMBER.fullmatch(text) else float(text)
    except ValueError:
        number = float("nan")
    if number != number or (is_whole and not isinstance(number, int)):
        raise ParseError(f"{parameter.label} takes {taken}, got {text!r}")
    if least is not None and number < least:
        raise ParseError(f"{parameter.label} takes {taken}, got {text}")
    return number


def either(names: Sequence[str]) -> str:
    """Write names as ``a, b or c``."""
    *most, last = names
    return f"{', '.join(most)} or {last}" if most else last


def _usual_names(name: str) -> list[str]:
    """Return what an option of other tools is called here: --query, --max-words, -n."""
    from discobert.selection.request import usual_name  # rarely needed

    if name == "-n":
        return ["--sentences", "--words"]
    found = usual_name(name.removeprefix("--").replace("-", "_"))
    return [f"--{found.replace('_', '-')}"] if found else []


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return a hint at the nearest known name, if one is near."""
    near = difflib.get_close_matches(name, list(known), n=1)
    return f" (did you mean {near[0]}?)" if near else ""
