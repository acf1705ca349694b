"""Write docs/api.md from the docstrings of the public names.

python scripts/api_reference.py          writes the page
python scripts/api_reference.py --check  says whether it is current
"""

import ast
import inspect
import re
import sys
import textwrap
from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass
from itertools import pairwise
from pathlib import Path
from typing import get_args

import discobert
from discobert.cli.request_options import OPTIONS
from discobert.data import views

PAGE = Path(__file__).parents[1] / "docs" / "api.md"
INTRODUCTION = """\
# Python reference

Written by `scripts/api_reference.py` from the docstrings; change those. What is listed here keeps
its meaning between versions (`CHANGELOG.md`); all other names of the package may move.

```python
from pathlib import Path

from discobert import Summarizer

summarizer = Summarizer.load()  # once
article = Path("examples/harbour-bridge.txt")
summary = summarizer.summarize(article, words=60)  # a text, a Path, or an Analysis
print(summary)
```
"""
CLASSES: tuple[type, ...] = (
    discobert.Summarizer,
    discobert.Summary,
    discobert.Unit,
    discobert.SummaryWarning,
    discobert.Analysis,
    views.SentenceView,
    views.EduView,
    views.MentionView,
    views.TreeView,
    discobert.Document,
    discobert.Edu,
    discobert.Span,
)
ERRORS = (
    discobert.DiscobertError,
    discobert.UsageError,
    discobert.InputError,
    discobert.BundleError,
)
_JSON = "dict[str, None | bool | int | float | str | list[Json] | dict[str, Json]]"
_HIDDEN = {"origin", "pipeline", "analyze_source", "reads"}


def page() -> str:
    """Return the page."""
    functions = (discobert.summarize, discobert.analyze)
    parts = [INTRODUCTION, "## Functions\n"]
    parts += [_function(f"discobert.{each.__name__}", each) for each in functions]
    parts += ["## Options of a summary\n", _options()]
    for each in CLASSES:
        parts += [f"## {each.__name__}\n", *_class(each)]
    parts += ["## Errors\n", _errors()]
    return "\n".join(parts)


def _class(kind: type) -> Iterator[str]:
    yield f"{_doc(kind)}\n"
    rows = [*_fields(kind), *_properties(kind)]
    if rows:
        lines = ["| attribute | type | |", "| --- | --- | --- |", *rows]
        yield "\n".join(lines) + "\n"
    for name, member in vars(kind).items():
        function = getattr(member, "__func__", member)
        if not name.startswith("_") and name not in _HIDDEN and inspect.isfunction(function):
            prefix = f"{kind.__name__}." if function is not member else f"{_instance(kind)}."
            yield _function(prefix + name, function)


def _instance(kind: type) -> str:
    return kind.__name__.lower()


def _function(name: str, function: Callable[..., object]) -> str:
    signature = inspect.signature(function)
    options = [each for each in signature.parameters.values() if each.name not in {"self", "cls"}]
    has_options = any(each.name == "words" for each in options)
    named = [each for each in options if not has_options or each.name not in OPTIONS]
    shown = [each.replace(annotation=each.empty, default=_default(each)) for each in named]
    inside = str(signature.replace(parameters=shown, return_annotation=signature.empty))
    if has_options:
        inside = f"{inside[:-1]}, **options)"
    returned = _type(signature.return_annotation).replace("\\|", "|")
    return f"### `{name}{inside}` → `{returned}`\n\n{_doc(function)}\n"


class _Elsewhere:
    """A default that is too long to be shown."""

    def __repr__(self) -> str:
        return "…"


def _default(parameter: inspect.Parameter) -> object:
    is_short = isinstance(parameter.default, str | int | float | bool | None | type)
    return parameter.default if is_short else _Elsewhere()


def _fields(kind: type) -> Iterator[str]:
    if not is_dataclass(kind):
        return
    about = _attribute_docs(kind)
    for each in fields(kind):
        if each.name not in _HIDDEN:
            yield f"| `{each.name}` | `{_type(each.type)}` | {about.get(each.name, '')} |"


def _properties(kind: type) -> Iterator[str]:
    for name, member in vars(kind).items():
        if isinstance(member, property) and not name.startswith("_") and member.fget:
            returned = _type(inspect.signature(member.fget).return_annotation)
            yield f"| `{name}` | `{returned}` | {_line(_doc(member))} |"


def _attribute_docs(kind: type) -> dict[str, str]:
    """Return the strings below the fields of a class."""
    (node,) = ast.parse(textwrap.dedent(inspect.getsource(kind))).body
    found: dict[str, str] = {}
    body = node.body if isinstance(node, ast.ClassDef) else []
    for field, below in pairwise(body):
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name):
            text = below.value if isinstance(below, ast.Expr) else None
            if isinstance(text, ast.Constant):
                found[field.target.id] = _line(_markdown(str(text.value)))
    return found


def _options() -> str:
    lines = ["| keyword | type | default | |", "| --- | --- | --- | --- |"]
    for name, (annotation, default) in OPTIONS.items():
        kind, option = get_args(annotation)
        shown = getattr(default, "value", default)
        taken = getattr(kind, "__name__", None) or str(kind)
        bound = {"upper": "At most: ", "lower": "At least: "}
        kind_of_bound = next((each for each in bound if f"one {each}" in option.panel), None)
        text = bound.get(kind_of_bound or "", "") + option.help
        lines.append(f"| `{name}` | `{_type(taken)}` | `{shown!r}` | {text} |")
    return "\n".join(lines) + "\n"


def _errors() -> str:
    return "\n".join(f"- `{each.__name__}`: {_line(_doc(each))}" for each in ERRORS) + "\n"


def _type(annotation: object) -> str:
    shown = annotation if isinstance(annotation, str) else inspect.formatannotation(annotation)
    plain = re.sub(r"\b(?:discobert|pathlib|collections)\.(?:\w+\.)*", "", shown.replace("'", ""))
    plain = plain.replace("os.PathLike[str]", "Path").replace("NoneType", "None")
    plain = plain.replace(_JSON, "dict[str, Any]")
    plain = plain.replace("Style", "str").replace("UnitKind", "str")
    return plain.replace("|", "\\|")


def _doc(thing: object) -> str:
    return _markdown(inspect.getdoc(thing) or "")


def _markdown(text: str) -> str:
    return inspect.cleandoc(text).replace("``", "`")


def _line(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


if __name__ == "__main__":
    if "--check" in sys.argv:
        sys.exit(0 if PAGE.read_text(encoding="utf-8") == page() else "docs/api.md is not current")
    PAGE.write_text(page(), encoding="utf-8")
