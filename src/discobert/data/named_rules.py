"""Sets of named rules, which can be switched off one by one."""

from collections.abc import Iterable
from typing import Protocol, TypeVar

from discobert.errors import UsageError


class NamedRule(Protocol):
    """Anything with a name: a clause need, a repair."""

    @property
    def name(self) -> str:
        """The name, unique among the rules of one set."""
        ...


Rule = TypeVar("Rule", bound=NamedRule)


def without(rules: tuple[Rule, ...], names: Iterable[str]) -> tuple[Rule, ...]:
    """Return the rules except those named; an unknown name is refused."""
    unwanted = frozenset(names)
    known = [rule.name for rule in rules]
    unknown = sorted(unwanted.difference(known))
    if unknown:
        allowed = ", ".join(known) or "none"
        raise UsageError(f"there is no rule named {unknown[0]!r}; the rules are: {allowed}")
    return tuple(rule for rule in rules if rule.name not in unwanted)
