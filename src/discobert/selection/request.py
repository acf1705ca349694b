"""What a user asks of a summary: one value, from every surface down to selection."""

import difflib
import inspect
import re
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, fields
from enum import Enum
from numbers import Integral
from types import MappingProxyType
from typing import Any, SupportsFloat, TypedDict, Unpack, get_type_hints

from discobert.data.codecs.json_text import JsonObject
from discobert.discourse.clause_needs import DEFAULT as DEFAULT_NEEDS
from discobert.discourse.clause_needs import Needs
from discobert.discourse.units import UnitKind
from discobert.errors import UnknownOption, UsageError, WrongType
from discobert.selection.budget import NO_BUDGET, Budget
from discobert.selection.focus import query_words
from discobert.writing.fragments import Repairs
from discobert.writing.repairs import DEFAULT as DEFAULT_REPAIRS


class ReferencePolicy(Enum):
    """What happens to references whose antecedent was not selected."""

    KEEP = "keep"
    """They stay as they are, without a warning."""

    REPAIR = "repair"
    """Their antecedent is selected too if it fits, or else they are left out; or a warning."""

    RESOLVE = "resolve"
    """A name takes their place if there is one and it fits, or else a warning."""


class Style(Enum):
    """What a summary is made for."""

    READABLE = "readable"
    """Whole thoughts in reading order: sentences, whole or with safe cuts, and no filler."""

    PAPER = "paper"
    """The paper's way: clauses by score with all that they depend on, tuned for ROUGE."""

    @classmethod
    def _missing_(cls, value: object) -> "Style":
        allowed = " or ".join(member.value for member in cls)
        if not isinstance(value, str):
            raise WrongType("style", f"a string ({allowed})", value)
        raise UsageError(f"unknown style {value!r}: use {allowed}")


class Headings(Enum):
    """What happens to headings, labelled lists and notices."""

    KEEP = "keep"
    """They are selected like all other sentences."""

    SKIP = "skip"
    """They are selected only if there is nothing else, or if the whole text is shown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadabilityRules:
    """Which rules make a selection of clauses readable; evaluation switches them off in turn."""

    repairs: Repairs = DEFAULT_REPAIRS
    """Rules of writing, applied to every line."""
    needs: Needs = DEFAULT_NEEDS
    """Dependencies between clauses beyond those of the RST tree."""
    headings: Headings = Headings.SKIP
    coverage: bool = True
    """Whether units are chosen for the words that they add, too, not by their scores alone."""


DEFAULT_RULES = ReadabilityRules()


class SummaryOptions(TypedDict, total=False):
    """The options of a summary as flat keywords, as users type them; every surface takes them."""

    words: int | None
    sentences: int | None
    edus: int | None
    chars: int | None
    ratio: float | None
    min_words: int | None
    min_sentences: int | None
    min_edus: int | None
    min_chars: int | None
    min_ratio: float | None
    style: str | Style
    unit: str | UnitKind | None
    focus: str | None
    exclude_quotes: bool
    keep_lead: bool
    resolve_references: bool


DEFAULT_OPTIONS: Mapping[str, object] = MappingProxyType(
    {name: False if kind is bool else None for name, kind in SummaryOptions.__annotations__.items()}
    | {"style": Style.READABLE.value}
)
"""Every option with the value that changes nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SummaryRequest:
    """Length, units and preferences of one summary.

    It goes unchanged from the command line, Python, ``batch`` and spaCy to selection, so that a new
    option is one field here, one keyword in ``SummaryOptions`` and one help text.
    """

    budget: Budget = NO_BUDGET
    """Bounds on the length; without one, the length that the model was tuned to."""
    style: Style = Style.READABLE
    unit: UnitKind | None = None
    """Select clauses or whole sentences; ``None`` for what the model was trained on."""
    focus: str | None = None
    """Words that the summary should be about."""
    exclude_quotes: bool = False
    """Leave out quotations, and units that depend on one."""
    keep_lead: bool = False
    """Start with the first sentence, as far as the length allows."""
    references: ReferencePolicy = ReferencePolicy.REPAIR
    rules: ReadabilityRules = DEFAULT_RULES

    def __post_init__(self) -> None:
        if self.focus is not None:
            query_words(self.focus)  # refuses a focus without words

    @classmethod
    def of(cls, **options: Unpack[SummaryOptions]) -> "SummaryRequest":
        """Build a request from flat keywords; an unknown one is a TypeError."""
        given = _by_our_names(options)
        budget = Budget(**{name: given.pop(name) for name in _BOUNDS if name in given})
        unit = unit_kind(given.pop("unit", None))
        style = Style(given.pop("style", Style.READABLE))
        resolve = given.pop("resolve_references", False)
        _refuse_unknown(given)
        _check_types(given)
        _check_flag("resolve_references", resolve)
        policy = ReferencePolicy.RESOLVE if resolve else ReferencePolicy.REPAIR
        return cls(budget=budget, style=style, unit=unit, references=policy, **given)

    def describe(self) -> JsonObject:
        """Return the options that differ from the defaults, by their keywords, for JSON."""
        unit = None if self.unit is None else self.unit.value
        options: JsonObject = {
            **{name: _plain_number(value) for name, value in asdict(self.budget).items()},
            "style": None if self.style is Style.READABLE else self.style.value,
            "unit": unit,
            **{name: getattr(self, name) for name in sorted(_PLAIN - {"style", "unit"})},
            "resolve_references": self.references is ReferencePolicy.RESOLVE,
        }
        return {
            name: value
            for name, value in options.items()
            if value is not None and value is not False
        }

    def record(self) -> JsonObject:
        """Return what the JSON of a summary says of the request: ``describe`` with the style."""
        return {"style": self.style.value, **self.describe()}


DEFAULT_REQUEST = SummaryRequest()
PAPER_REQUEST = SummaryRequest(style=Style.PAPER)
_BOUNDS = frozenset(field.name for field in fields(Budget))
_PLAIN = frozenset(field.name for field in fields(SummaryRequest)) & frozenset(
    SummaryOptions.__annotations__
)
"""Keywords that are fields of a request under the same name."""


_OTHER_UNITS = {
    "word": "words", "len": "words", "size": "words", "token": "words", "limit": "words",
    "sent": "sentences", "line": "sentences",
    "char": "chars", "letter": "chars",
    "edu": "edus", "clause": "edus", "unit": "edus",
    "ratio": "ratio", "percent": "ratio", "fraction": "ratio", "compression": "ratio",
}  # fmt: skip
"""What other tools count a length in, and the option for it here."""
_ALIASES = {
    "query": "focus",
    **{f"{prefix}_{unit}": unit for prefix in ("max", "n", "num") for unit in _BOUNDS},
}
"""Names that other tools give an option, and that are taken as well."""
_OTHER_FOCUS = frozenset({"query", "topic", "topics", "keywords", "question", "about"})
_OTHER_NAME = re.compile(
    rf"(?:(?:max|min|n|num|number_of|target|summary|top|at_most)_?)?"
    rf"(?P<unit>(?:{'|'.join(_OTHER_UNITS)})[a-z]*)(?:_?(?:count|limit|length|n|max|ratio|rate))?"
)


def unit_kind(unit: str | UnitKind | None) -> UnitKind | None:
    """Return the kind of unit with a name; ``None`` leaves it to the model."""
    if unit is None:
        return None
    allowed = " or ".join(kind.value for kind in UnitKind)
    if not isinstance(unit, str | UnitKind):
        raise WrongType("unit", f"a string ({allowed})", unit)
    try:
        return UnitKind(unit)
    except ValueError as error:
        raise UsageError(f"unknown unit {unit!r}: use {allowed}") from error


def _by_our_names(options: Mapping[str, object]) -> dict[str, Any]:
    """Take the names that other tools give an option, if it is not given by ours as well."""
    found = dict(options)
    for name in options.keys() & _ALIASES.keys():
        if _ALIASES[name] not in options:
            found[_ALIASES[name]] = found.pop(name)
    return found


def _refuse_unknown(given: Mapping[str, object]) -> None:
    for name in given:
        if name not in _PLAIN:
            near = difflib.get_close_matches(name, SummaryOptions.__annotations__, n=1)
            meant = usual_name(name) or next(iter(near), None)
            hint = f"; did you mean {meant!r}?" if meant else ""
            raise UnknownOption(f"unknown option {name!r} of a summary{hint}")


def usual_name(name: str) -> str | None:
    """Return the option that other tools give another name: max_words, n_sentences, length."""
    if name.lower() in _OTHER_FOCUS:
        return "focus"
    found = _OTHER_NAME.fullmatch(name.lower())
    if not found:
        return None
    unit = next(unit for unit in _OTHER_UNITS if (found["unit"] or "").startswith(unit))
    least = "min_" if name.lower().startswith("min") else ""
    return f"{least}{_OTHER_UNITS[unit]}"


def _check_types(given: Mapping[str, object]) -> None:
    """Refuse values of another type than the option's."""
    focus = given.get("focus")
    if focus is not None and not isinstance(focus, str):
        raise WrongType("focus", "a string of words", focus)
    for name in given.keys() - {"focus"}:
        _check_flag(name, given[name])


def _check_flag(name: str, value: object) -> None:
    if not isinstance(value, bool):
        raise WrongType(name, "True or False", value)


def _plain_number(value: SupportsFloat | None) -> float | None:
    """Return a number as JSON can hold it, whatever library it comes from."""
    if value is None:
        return None
    return int(value) if isinstance(value, Integral) else float(value)


def with_option_names(function: Callable[..., object]) -> inspect.Signature:
    """Return a function's signature with every option of a summary in place of ``**options``.

    Notebooks and editors complete by it, and spaCy checks configurations by it.
    """
    signature = inspect.signature(function, eval_str=True)
    options = [
        inspect.Parameter(
            name, inspect.Parameter.KEYWORD_ONLY, annotation=kind, default=DEFAULT_OPTIONS[name]
        )
        for name, kind in get_type_hints(SummaryOptions).items()
    ]
    *named, _ = signature.parameters.values()
    return signature.replace(parameters=[*named, *options])
