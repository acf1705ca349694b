"""Help texts of commands, wrapped to the terminal."""

import inspect
import os
import shutil
import sys
import textwrap
from collections.abc import Callable, Iterable, Iterator, Sequence

from discobert.cli.declare import Parameter
from discobert.cli.parse import either

_OPTIONS = "Options"
_WIDEST = 100
_LEFT = 26
"""Names that are longer than this have their explanation on the next line."""

Row = tuple[str, str]
"""A name and its explanation."""


def command_help(
    name: str, command: Callable[..., None], parameters: Sequence[Parameter], example: str
) -> str:
    """Write usage, description, arguments, options by group, and an example."""
    arguments = [each for each in parameters if not each.names]
    usage = " ".join(["Usage: discobert", name, "[OPTIONS]", *map(_place, arguments)])
    groups: dict[str, list[Row]] = {}
    if arguments:
        groups["Arguments"] = [(each.metavar, _explanation(each)) for each in arguments]
    for option in (each for each in parameters if each.names):
        group = getattr(option.info, "panel", None) or _OPTIONS
        groups.setdefault(group, []).append((_left(option), _explanation(option)))
    groups.setdefault(_OPTIONS, []).append(("-h, --help", "Show this help."))
    about = inspect.getdoc(command) or ""
    return _page(usage, about.split("\n\n"), groups, [f"Example: {example}"])


def root_help(about: str, groups: dict[str, list[Row]], example: str) -> str:
    """Write the help of ``discobert`` itself: all commands by group."""
    options = [("--version", "Show the version."), ("-h, --help", "Show this help.")]
    after = ["discobert COMMAND --help shows the options of a command.", f"Example: {example}"]
    usage = "Usage: discobert COMMAND [OPTIONS]"
    return _page(usage, [about], {**groups, _OPTIONS: options}, after)


def _place(argument: Parameter) -> str:
    shown = f"{argument.metavar}{' ...' if argument.is_list else ''}"
    return shown if argument.is_required else f"[{shown}]"


def _left(option: Parameter) -> str:
    short = sorted(option.names, key=len)
    return f"{', '.join(short)} {option.metavar}".rstrip()


def _explanation(parameter: Parameter) -> str:
    """Return the help with the choices that it does not name, and the default."""
    text, choices = parameter.info.help, parameter.choices
    if choices and not all(choice in text for choice in choices):
        text = f"{text.rstrip('.')} ({either(choices)})." if text else f"{either(choices)}."
    return f"{text} {_default(parameter)}".strip()


def _default(parameter: Parameter) -> str:
    shown, default = parameter.info.show_default, parameter.default
    if isinstance(shown, str):
        return f"[default: {shown}]"
    if parameter.is_required:
        return "[required]"
    if not shown or default is None or parameter.is_flag:
        return ""
    return f"[default: {getattr(default, 'value', default)}]"


def _page(
    usage: str, about: Iterable[str], groups: dict[str, list[Row]], after: Iterable[str]
) -> str:
    width = min(_WIDEST, shutil.get_terminal_size().columns)
    bold = _bold()
    longest = max(len(name) for rows in groups.values() for name, _ in rows)
    left = min(_LEFT, longest + 4) if width > 2 * _LEFT else 4
    lines = [*_wrapped(usage, width, after="    "), ""]
    for paragraph in about:
        lines += [*_wrapped(paragraph, width), ""]
    for title, rows in groups.items():
        lines += [f"{bold[0]}{line}{bold[1]}" for line in _wrapped(title, width)]
        lines += [line for row in rows for line in _row(row, width, left)]
        lines += [""]
    for line in after:
        lines += _wrapped(line, width, after="    ")
    return "".join(f"{line}\n" for line in lines)


def _row(row: Row, width: int, left: int) -> Iterator[str]:
    """Write a name and beside it, after ``left`` characters, its explanation."""
    name, text = row
    beside = _wrapped(text, width - left) or [""]
    if len(name) > left - 4:
        yield f"  {name}"
    else:
        yield f"  {name}".ljust(left) + beside.pop(0)
    for line in beside:
        yield " " * left + line


def _wrapped(text: str, width: int, *, after: str = "") -> list[str]:
    plain = " ".join(text.split())
    return textwrap.wrap(
        plain,
        max(width, 20),
        subsequent_indent=after,
        break_on_hyphens=False,
        break_long_words=False,
    )


def _bold() -> tuple[str, str]:
    """Return what starts and ends bold type, if the terminal may have it."""
    is_plain = "NO_COLOR" in os.environ or sys.stdout is None or not sys.stdout.isatty()
    return ("", "") if is_plain else ("\033[1m", "\033[0m")
