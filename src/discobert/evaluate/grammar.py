"""Errors of grammar and punctuation in summaries, as in the paper's Table 4 (which used Grammarly).

The rules are LanguageTool's, run by lingotweaker without Java. Spelling errors are not counted: the
words are those of the source, and most findings would be names.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from discobert.errors import MissingExtra

_PUNCTUATION = frozenset({"PUNCTUATION", "TYPOGRAPHY", "CASING"})
_GRAMMAR = frozenset({"GRAMMAR", "CONFUSED_WORDS", "COLLOCATIONS"})


@dataclass(frozen=True, slots=True)
class GrammarErrors:
    """Numbers of errors by kind, and the number of characters checked."""

    grammar: int
    punctuation: int
    other: int
    characters: int


class GrammarChecker(Protocol):
    """Counts errors in summaries."""

    def count(self, lines: Sequence[str]) -> GrammarErrors | None:
        """Count the errors of a summary; None if errors are not counted."""
        ...


@dataclass(frozen=True, slots=True)
class NoChecker:
    """Counts no errors, for evaluations without ``--grammar``."""

    def count(self, lines: Sequence[str]) -> GrammarErrors | None:
        """Return None."""
        return None


NO_CHECKER = NoChecker()


@dataclass(frozen=True, slots=True)
class RuleChecker:
    """Counts the findings of a rule engine, line by line."""

    engine: Any  # lingotweaker has no types

    def count(self, lines: Sequence[str]) -> GrammarErrors | None:
        """Count errors by kind."""
        kinds = [_kind(match) for line in lines for match in self.engine.check(line)]
        return GrammarErrors(
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


def total_errors(counts: Sequence[GrammarErrors | None]) -> GrammarErrors | None:
    """Sum over documents; None if errors were not counted."""
    found = [errors for errors in counts if errors is not None]
    if not found:
        return None
    return GrammarErrors(
        grammar=sum(errors.grammar for errors in found),
        punctuation=sum(errors.punctuation for errors in found),
        other=sum(errors.other for errors in found),
        characters=sum(errors.characters for errors in found),
    )


def per_ten_thousand(errors: GrammarErrors) -> dict[str, float]:
    """Return errors of each kind and of all together per 10,000 characters."""
    scale = 10_000 / max(errors.characters, 1)
    counts = {
        "all": errors.grammar + errors.punctuation + errors.other,
        "grammar": errors.grammar,
        "punctuation": errors.punctuation,
        "other": errors.other,
    }
    return {kind: count * scale for kind, count in counts.items()}
