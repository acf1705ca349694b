"""Errors of grammar and punctuation in summaries, as in the paper's Table 4 (which used Grammarly).

Two checkers count, since no two agree on what an error is: LanguageTool's rules, run by
lingotweaker without Java, and Harper. Spelling errors are not counted: the words are those of the
source, and most findings would be names.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from discobert.errors import MissingExtra

LANGUAGETOOL, HARPER = "languagetool", "harper"
_SPELLING = "spelling"

FindKinds = Callable[[str], Iterable[str]]
"""A checker: the kind of every finding in a line."""


@dataclass(frozen=True, slots=True)
class GrammarErrors:
    """Numbers of errors by kind, and the number of characters checked."""

    grammar: int
    punctuation: int
    other: int
    characters: int


Counts = Mapping[str, GrammarErrors]
"""What each checker has counted, by its name."""


@dataclass(frozen=True, slots=True)
class GrammarCheckers:
    """Counts errors in summaries, line by line, by each of its checkers."""

    checkers: Mapping[str, FindKinds] = field(default_factory=dict)

    def count(self, lines: Sequence[str]) -> Counts:
        """Count the errors of a summary by kind."""
        return {name: _counted(find, lines) for name, find in self.checkers.items()}


NO_CHECKERS = GrammarCheckers()
"""Counts nothing, for evaluations without ``--grammar``."""


def _counted(find: FindKinds, lines: Sequence[str]) -> GrammarErrors:
    kinds = [kind for line in lines for kind in find(line)]
    return GrammarErrors(
        grammar=kinds.count("grammar"),
        punctuation=kinds.count("punctuation"),
        other=kinds.count("other"),
        characters=sum(map(len, lines)),
    )


_LANGUAGETOOL_KINDS = MappingProxyType(
    {
        "TYPOS": _SPELLING,
        **dict.fromkeys(("PUNCTUATION", "TYPOGRAPHY", "CASING"), "punctuation"),
        **dict.fromkeys(("GRAMMAR", "CONFUSED_WORDS", "COLLOCATIONS"), "grammar"),
    }
)
_HARPER_KINDS = MappingProxyType(
    {
        **dict.fromkeys(("Spelling", "Typo"), _SPELLING),
        **dict.fromkeys(("Punctuation", "Formatting", "Capitalization"), "punctuation"),
        **dict.fromkeys(
            (
                "Agreement",
                "BoundaryError",
                "Eggcorn",
                "Grammar",
                "Malapropism",
                "Usage",
                "WordOrder",
            ),
            "grammar",
        ),
    }
)


def languagetool_kinds(engine: Any) -> FindKinds:  # noqa: ANN401 - lingotweaker has no types
    """Return a checker that asks LanguageTool's rules."""

    def kinds(line: str) -> Iterable[str]:
        for found in engine.check(line):
            misspelt = found["issue_type"] == "misspelling"
            kind = _LANGUAGETOOL_KINDS.get(found["category_id"], "other")
            yield _SPELLING if misspelt else kind

    return kinds


def harper_kinds(linter: Any) -> FindKinds:  # noqa: ANN401 - need not be installed
    """Return a checker that asks Harper."""
    return lambda line: (_HARPER_KINDS.get(f.lint_kind, "other") for f in linter.lint(line))


def load_checkers() -> GrammarCheckers:
    """Load both checkers, which takes seconds and some 500 MB."""
    try:
        import lt_py
    except ImportError as error:
        raise MissingExtra("lingotweaker", "grammar") from error
    try:
        import harper
    except ImportError as error:
        raise MissingExtra("harper-py", "grammar") from error
    return GrammarCheckers(
        {
            LANGUAGETOOL: languagetool_kinds(lt_py.Engine("en-US")),
            HARPER: harper_kinds(harper.Linter()),
        }
    )


def total_errors(counts: Sequence[Counts]) -> dict[str, GrammarErrors]:
    """Sum over documents, for each checker."""
    names = dict.fromkeys(name for of_document in counts for name in of_document)
    return {name: _sum([found[name] for found in counts if name in found]) for name in names}


def _sum(found: Sequence[GrammarErrors]) -> GrammarErrors:
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
