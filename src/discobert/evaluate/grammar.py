"""Errors of grammar and punctuation in summaries, as in the paper's Table 4 (which used Grammarly).

The rules are LanguageTool's, run by lingotweaker without Java. Spelling is left out: the words are
the source's own, and most findings would be names.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from discobert.errors import MissingExtra

_PUNCTUATION = frozenset({"PUNCTUATION", "TYPOGRAPHY", "CASING"})
_GRAMMAR = frozenset({"GRAMMAR", "CONFUSED_WORDS", "COLLOCATIONS"})


@dataclass(frozen=True, slots=True)
class Faults:
    """Errors by kind, and the characters they were found in."""

    grammar: int
    punctuation: int
    other: int
    characters: int


class GrammarChecker(Protocol):
    """Counts errors, or does not look for any."""

    def count(self, lines: Sequence[str]) -> Faults | None:
        """Count the errors of a summary, or return nothing."""
        ...


@dataclass(frozen=True, slots=True)
class NoChecker:
    """Does not look."""

    def count(self, lines: Sequence[str]) -> Faults | None:
        """Say nothing."""
        return None


NO_CHECKER = NoChecker()


@dataclass(frozen=True, slots=True)
class RuleChecker:
    """Counts what the rules of an engine find, line by line."""

    engine: Any  # lingotweaker has no types

    def count(self, lines: Sequence[str]) -> Faults | None:
        """Count errors by kind."""
        kinds = [_kind(match) for line in lines for match in self.engine.check(line)]
        return Faults(
            grammar=kinds.count("grammar"),
            punctuation=kinds.count("punctuation"),
            other=kinds.count("other"),
            characters=sum(map(len, lines)),
        )


def _kind(match: dict[str, str]) -> str:
    if match["category_id"] == "TYPOS" or match["issue_type"] == "misspelling":
        return "spelling"
    if match["category_id"] in _PUNCTUATION:
        return "punctuation"
    return "grammar" if match["category_id"] in _GRAMMAR else "other"


def load_checker() -> RuleChecker:
    """Load the English rules, which takes seconds and some 400 MB."""
    try:
        import lt_py
    except ImportError as error:
        raise MissingExtra("lingotweaker", "grammar") from error
    return RuleChecker(lt_py.Engine("en-US"))


def add(faults: Sequence[Faults | None]) -> Faults | None:
    """Sum over documents; nothing if nobody looked."""
    found = [one for one in faults if one is not None]
    if not found:
        return None
    return Faults(
        grammar=sum(one.grammar for one in found),
        punctuation=sum(one.punctuation for one in found),
        other=sum(one.other for one in found),
        characters=sum(one.characters for one in found),
    )


def per_ten_thousand(faults: Faults) -> dict[str, float]:
    """Return errors of each kind and of all together per 10,000 characters."""
    scale = 10_000 / max(faults.characters, 1)
    counts = {
        "all": faults.grammar + faults.punctuation + faults.other,
        "grammar": faults.grammar,
        "punctuation": faults.punctuation,
        "other": faults.other,
    }
    return {kind: count * scale for kind, count in counts.items()}
