"""Repairs of a line that shows parts of a sentence, each a small named rule.

A rule sees the stretches that are shown and what was cut before, between and after them. Rules work
at the edges of the stretches: what the source says inside a stretch stays as it is, but for
quotation marks and brackets that lost their partner. No rule adds a word.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from itertools import chain, zip_longest

from discobert.errors import InvalidValue, UsageError


@dataclass(frozen=True, slots=True)
class Line:
    """The shown stretches of one sentence, and the text that was cut around and between them.

    ``cuts`` has one item more than ``shown``, empty where nothing was cut; ``joints`` stand between
    the stretches. ``orphans`` are the offsets, in each stretch, of marks whose partner is not
    shown; they hold for the untouched text, so changing a stretch forgets them.
    """

    shown: tuple[str, ...]
    cuts: tuple[str, ...]
    joints: tuple[str, ...] = ()
    orphans: tuple[tuple[tuple[int, int], ...], ...] = field(default=(), compare=False)
    n_edus: int = 1
    follows: bool = field(default=True, compare=False)
    """Whether something of the sentence before is shown, if there is one."""

    def __post_init__(self) -> None:
        if self.shown and (
            len(self.cuts) != len(self.shown) + 1 or len(self.joints) != len(self.shown) - 1
        ):
            raise InvalidValue(
                f"a line of {len(self.shown)} stretches has one cut more and one joint fewer, "
                f"got {len(self.cuts)} cuts and {len(self.joints)} joints"
            )

    @property
    def text(self) -> str:
        """The line as it reads; a line break of the source is a space."""
        if len(self.shown) == 1:
            return one_line(self.shown[0])
        parts = chain.from_iterable(zip_longest(self.shown, self.joints, fillvalue=""))
        return one_line("".join(parts))

    @property
    def is_whole(self) -> bool:
        """Whether nothing was cut."""
        return not any(self.cuts)

    def with_start(self, text: str) -> "Line":
        """Put another first stretch in place."""
        return self.with_shown((text, *self.shown[1:]))

    def with_end(self, text: str) -> "Line":
        """Put another last stretch in place."""
        return self.with_shown((*self.shown[:-1], text))

    def with_shown(self, shown: tuple[str, ...], joints: tuple[str, ...] | None = None) -> "Line":
        """Put other stretches in place; one that became empty counts as cut."""
        stripped = tuple([text.strip() for text in shown])
        joints = self.joints if joints is None else joints
        line = Line(stripped, self.cuts, joints, (), self.n_edus, self.follows)
        if all(stripped):
            return line
        for index in reversed(range(len(stripped))):
            if not stripped[index] and len(line.shown) > 1:
                line = _without_stretch(line, index)
        return line


def _without_stretch(line: Line, index: int) -> Line:
    cut = " ".join(filter(None, line.cuts[index : index + 2]))
    joint = min(index, len(line.joints) - 1)
    return replace(
        line,
        shown=line.shown[:index] + line.shown[index + 1 :],
        cuts=(*line.cuts[:index], cut, *line.cuts[index + 2 :]),
        joints=line.joints[:joint] + line.joints[joint + 1 :],
    )


def one_line(text: str) -> str:
    """Turn line breaks, with the space around them, into single spaces."""
    lines = text.splitlines()
    return text.strip() if len(lines) < 2 else " ".join(filter(None, map(str.strip, lines)))


def find_end(pattern: re.Pattern[str], text: str) -> re.Match[str] | None:
    """Search a pattern that ends with the text; only the end is looked at, for speed."""
    return pattern.search(text, max(0, len(text) - _END_LENGTH))


DROPPED = Line((), ("",))
"""A line that a rule leaves out altogether."""


@dataclass(frozen=True, slots=True)
class Repair:
    """A named rule.

    ``whole`` says whether it touches sentences of which nothing was cut, ``joins`` whether it works
    between two stretches only, ``once`` that it is not tried again after other changes, ``excerpt``
    that it has nothing to do in a text that is shown from its first word to its last.
    """

    name: str
    apply: Callable[[Line], Line]
    whole: bool = False
    joins: bool = False
    once: bool = False
    excerpt: bool = False


Repairs = tuple[Repair, ...]

_MAX_PASSES = 5
_END_LENGTH = 24


def repaired(line: Line, repairs: Repairs) -> Line:
    """Apply the rules in order, again and again until none changes anything.

    A change that would leave no letter or digit is not made. Sentences of which nothing was cut are
    left alone by most rules.
    """
    if line.is_whole:
        repairs = tuple(repair for repair in repairs if repair.whole)
    first = _one_pass(line, repairs)
    if first is line or not first.shown:
        return first
    line, repairs = first, tuple(repair for repair in repairs if not repair.once)
    for _ in range(_MAX_PASSES):
        changed = _one_pass(line, repairs)
        if changed is line:
            break
        line = changed
    return line


def _one_pass(line: Line, repairs: Repairs) -> Line:
    for repair in repairs:
        if repair.joins and len(line.shown) < 2:
            continue
        changed = repair.apply(line)
        if not changed.shown:
            return DROPPED
        if changed is not line and _says_something(changed):
            line = changed
    return line


def _says_something(line: Line) -> bool:
    return any(character.isalnum() for text in line.shown for character in text)


def without(repairs: Repairs, names: Iterable[str]) -> Repairs:
    """Switch rules off by name."""
    unwanted = frozenset(names)
    known = [repair.name for repair in repairs]
    unknown = sorted(unwanted.difference(known))
    if unknown:
        allowed = ", ".join(known) or "none, since there are no rules"
        raise UsageError(f"there is no repair named {unknown[0]!r}; the rules are: {allowed}")
    return tuple(repair for repair in repairs if repair.name not in unwanted)
