"""How a command declares its arguments and options: in the annotations of its parameters.

``words: Annotated[int | None, Option(metavar="N", help="Words.")] = None`` is the option ``--words
N``. A flag is an option of type ``bool``; a type ``list[…]`` makes it repeatable.
"""

import inspect
from collections.abc import Callable, Sequence
from enum import Enum
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, Union, get_args, get_origin


class Argument:
    """A value given by its place."""

    def __init__(
        self, *, metavar: str | None = None, help: str = "", show_default: bool | str = True
    ) -> None:
        self.metavar = metavar
        self.help = help
        self.show_default = show_default


class Option:
    """A value given by name: ``names``, or the parameter's own with dashes."""

    def __init__(
        self,
        *names: str,
        metavar: str | None = None,
        help: str = "",
        show_default: bool | str = True,
        min: int | None = None,
        panel: str | None = None,
    ) -> None:
        self.names = names
        self.metavar = metavar
        self.help = help
        self.show_default = show_default
        self.min = min
        self.panel = panel


class Parameter:
    """One parameter of a command, as the parser and the help need it."""

    def __init__(self, parameter: inspect.Parameter) -> None:
        declared, self.info = _declaration(parameter)
        self.name = parameter.name
        self.is_list, self.kind = _kind(declared)
        self.is_required = parameter.default is inspect.Parameter.empty
        self.default = None if self.is_required else parameter.default

    @property
    def names(self) -> tuple[str, ...]:
        """The names of an option, none for an argument."""
        if isinstance(self.info, Argument):
            return ()
        return self.info.names or (f"--{self.name.replace('_', '-')}",)

    @property
    def label(self) -> str:
        """What messages call it."""
        return max(self.names, key=len) if self.names else self.metavar

    @property
    def is_flag(self) -> bool:
        """Whether the option has no value."""
        return self.kind is bool

    @property
    def metavar(self) -> str:
        """What stands for the value in help and messages."""
        if self.is_flag:
            return ""
        usual = {int: "N", float: "X", Path: "PATH", str: "TEXT"}
        own = self.name.upper() if isinstance(self.info, Argument) else None
        return self.info.metavar or own or usual.get(self.kind, "NAME")

    @property
    def choices(self) -> list[str]:
        """The values that are taken, if there are few."""
        if isinstance(self.kind, type) and issubclass(self.kind, Enum):
            return [str(member.value) for member in self.kind]
        return []

    @property
    def minimum(self) -> int | None:
        """The smallest number that is taken."""
        return self.info.min if isinstance(self.info, Option) else None


def parameters_of(command: Callable[..., None]) -> list[Parameter]:
    """Return what a command declares, in the order of its signature."""
    signature = inspect.signature(command, eval_str=True)
    return [Parameter(parameter) for parameter in signature.parameters.values()]


def _declaration(parameter: inspect.Parameter) -> tuple[Any, Argument | Option]:
    """Return type and declaration; without one, a keyword is an option."""
    annotation = parameter.annotation
    if get_origin(annotation) is Annotated:
        declared, *found = get_args(annotation)
        for info in found:
            if isinstance(info, Argument | Option):
                return declared, info
        annotation = declared
    is_keyword = parameter.kind is inspect.Parameter.KEYWORD_ONLY
    return annotation, Option() if is_keyword else Argument()


def _kind(declared: Any) -> tuple[bool, Any]:  # noqa: ANN401 - any annotation
    """Return whether a type is a list, and the type of one value, without ``None``."""
    if get_origin(declared) in (Union, UnionType):
        declared = next(part for part in get_args(declared) if part is not NoneType)
    if get_origin(declared) in (list, Sequence):
        return True, get_args(declared)[0]
    return False, declared
