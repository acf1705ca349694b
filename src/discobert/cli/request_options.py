"""The options of a summary on the command line: one table for every command that summarises."""

import inspect
import re
from collections.abc import Callable, Mapping
from dataclasses import fields
from functools import wraps
from types import MappingProxyType
from typing import Annotated, Any

from discobert.cli.declare import Option
from discobert.discourse.units import UnitKind
from discobert.errors import UsageError
from discobert.selection.budget import Budget
from discobert.selection.request import Style, SummaryRequest

_UPPER = "Length: one upper bound, exceeded only if not even one clause fits"
_LOWER = "Length: one lower bound, kept to as far as the text and the upper bound allow"
_CONTENT = "Content"


def _bound(explanation: str, panel: str = _UPPER, metavar: str = "N") -> Option:
    return Option(metavar=metavar, help=explanation, show_default=False, panel=panel)


def _switch(name: str, explanation: str) -> Option:
    return Option(name, help=explanation, panel=_CONTENT)


OPTIONS: Mapping[str, tuple[Any, object]] = MappingProxyType(
    {
        "words": (Annotated[int | None, _bound("Words.")], None),
        "sentences": (
            Annotated[int | None, _bound("Sentences of the text that are touched.")],
            None,
        ),
        "edus": (Annotated[int | None, _bound("Clauses (elementary discourse units).")], None),
        "chars": (Annotated[int | None, _bound("Characters.")], None),
        "ratio": (
            Annotated[float | None, _bound("Share of the words, 0 < R <= 1.", metavar="R")],
            None,
        ),
        "min_words": (Annotated[int | None, _bound("Words.", _LOWER)], None),
        "min_sentences": (Annotated[int | None, _bound("Sentences of the text.", _LOWER)], None),
        "min_edus": (Annotated[int | None, _bound("Clauses.", _LOWER)], None),
        "min_chars": (Annotated[int | None, _bound("Characters.", _LOWER)], None),
        "min_ratio": (Annotated[float | None, _bound("Share of the words.", _LOWER, "R")], None),
        "style": (
            Annotated[
                Style,
                Option(
                    help="readable: whole thoughts in reading order; "
                    "paper: clauses by score, tuned for ROUGE.",
                    panel=_CONTENT,
                ),
            ],
            Style.READABLE,
        ),
        "unit": (
            Annotated[
                UnitKind | None,
                Option(
                    help="Select clauses or whole sentences.",
                    show_default="what the model was trained on, else edu",
                    panel=_CONTENT,
                ),
            ],
            None,
        ),
        "focus": (
            Annotated[
                str | None,
                Option(
                    metavar="WORDS",
                    help="Favour what is about these words.",
                    show_default=False,
                    panel=_CONTENT,
                ),
            ],
            None,
        ),
        "exclude_quotes": (
            Annotated[
                bool,
                _switch("--exclude-quotes", "Leave out quotations, and clauses that need one."),
            ],
            False,
        ),
        "keep_lead": (
            Annotated[
                bool,
                _switch(
                    "--keep-lead", "Start with the first sentence, as far as the length allows."
                ),
            ],
            False,
        ),
        "resolve_references": (
            Annotated[
                bool,
                _switch(
                    "--resolve-references",
                    "Put names in the place of pronouns without antecedent; JSON tells which.",
                ),
            ],
            False,
        ),
    }
)
"""Type with help, and default, by the keyword of ``SummaryOptions``."""


_LENGTHS = frozenset(field.name for field in fields(Budget))
_LENGTH_NAME = re.compile(rf"(?<!\w)({'|'.join(sorted(_LENGTHS, key=len, reverse=True))})(?!\w)")


def _check_lengths(chosen: Mapping[str, Any]) -> None:
    """Refuse bounds that contradict each other, by the names that the command line has for them."""
    try:
        Budget(**{name: chosen[name] for name in _LENGTHS})
    except UsageError as error:
        named = _LENGTH_NAME.sub(lambda name: f"--{name[1].replace('_', '-')}", str(error))
        raise UsageError(named) from error


def takes_request(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command all options of a summary; it receives them as one ``request``.

    They stand in its signature, where the parser looks for options, in the place of ``request``.
    """

    @wraps(command)
    def with_options(*args: object, **given: Any) -> None:  # noqa: ANN401 - options of any type
        chosen = {name: given.pop(name) for name in OPTIONS}
        _check_lengths(chosen)
        command(*args, request=SummaryRequest.of(**chosen), **given)

    signature = inspect.signature(command, eval_str=True)
    parameters: list[inspect.Parameter] = []
    for parameter in signature.parameters.values():
        if parameter.name == "request":
            parameters += [
                inspect.Parameter(
                    name, inspect.Parameter.KEYWORD_ONLY, annotation=annotation, default=default
                )
                for name, (annotation, default) in OPTIONS.items()
            ]
        else:
            parameters.append(parameter)
    with_options.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
    with_options.__annotations__ = {each.name: each.annotation for each in parameters}
    return with_options
