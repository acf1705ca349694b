"""The fragments of a sentence that a line shows, and the repair rules that act on them.

A rule has access to the shown fragments and to the text cut before, between and after them. Rules
change the edges of fragments: the text inside stays verbatim, except for quotation marks and
brackets that lost their partner. No rule adds a word.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from itertools import chain, zip_longest

from discobert.errors import InvalidValue


@dataclass(frozen=True, slots=True)
class LineFragments:
    """The shown fragments of one sentence, and the text that was cut around and between them.

    ``cuts`` has one item more than ``shown``, empty where nothing was cut; ``joints`` are the
    spaces between the fragments. ``orphans`` are the offsets, in each fragment, of quotation marks
    and brackets whose partner is not shown; they are valid for the unchanged text, so any change of
    a fragment discards them.
    """

    shown: tuple[str, ...]
    cuts: tuple[str, ...]
    joints: tuple[str, ...] = ()
    orphans: tuple[tuple[tuple[int, int], ...], ...] = field(default=(), compare=False)
    n_edus: int = 1
    follows: bool = field(default=True, compare=False)
    """Whether there is no sentence before, or some of it is shown."""
    inside: str = field(default="", compare=False)
    """The mark of a quotation without an end that a sentence shown before opens."""
    continued: bool = field(default=False, compare=False)
    """Whether the next sentence is shown, too, and goes on with a quotation without an end."""

    def __post_init__(self) -> None:
        if self.shown and (
            len(self.cuts) != len(self.shown) + 1 or len(self.joints) != len(self.shown) - 1
        ):
            raise InvalidValue(
                f"a line of {len(self.shown)} fragments has one cut more and one joint fewer, "
                f"got {len(self.cuts)} cuts and {len(self.joints)} joints"
            )

    @property
    def text(self) -> str:
        """The text of the line; line breaks and runs of spaces become single spaces."""
        if len(self.shown) == 1:
            return one_line(self.shown[0])
        parts = chain.from_iterable(zip_longest(self.shown, self.joints, fillvalue=""))
        return one_line("".join(parts))

    @property
    def is_whole(self) -> bool:
        """Whether nothing was cut."""
        return not any(self.cuts)

    def with_start(self, text: str) -> "LineFragments":
        """Replace the first fragment."""
        return self.with_shown((text, *self.shown[1:]))

    def with_end(self, text: str) -> "LineFragments":
        """Replace the last fragment."""
        return self.with_shown((*self.shown[:-1], text))

    def with_shown(
        self, shown: tuple[str, ...], joints: tuple[str, ...] | None = None
    ) -> "LineFragments":
        """Replace all fragments; one that became empty counts as cut."""
        stripped = tuple([text.strip() for text in shown])
        joints = self.joints if joints is None else joints
        line = replace(self, shown=stripped, joints=joints, orphans=())
        if all(stripped):
            return line
        for index in reversed(range(len(stripped))):
            if not stripped[index] and len(line.shown) > 1:
                line = _without_fragment(line, index)
        return line


def _without_fragment(line: LineFragments, index: int) -> LineFragments:
    cut = " ".join(filter(None, line.cuts[index : index + 2]))
    joint = min(index, len(line.joints) - 1)
    return replace(
        line,
        shown=line.shown[:index] + line.shown[index + 1 :],
        cuts=(*line.cuts[:index], cut, *line.cuts[index + 2 :]),
        joints=line.joints[:joint] + line.joints[joint + 1 :],
    )


_END_LENGTH = 24
_SPACES = re.compile(r"[ \t]{2,}")


def one_line(text: str) -> str:
    """Turn line breaks, with the space around them, and runs of spaces into single spaces."""
    lines = text.splitlines()
    joined = text.strip() if len(lines) < 2 else " ".join(filter(None, map(str.strip, lines)))
    return _SPACES.sub(" ", joined)


def find_end(pattern: re.Pattern[str], text: str) -> re.Match[str] | None:
    """Search a pattern anchored at the end of a text; only the last characters are searched."""
    return pattern.search(text, max(0, len(text) - _END_LENGTH))


DROPPED = LineFragments((), ("",))
"""A line that a rule deletes."""


@dataclass(frozen=True, slots=True)
class Repair:
    """A named rule that changes a line, or returns it unchanged."""

    name: str
    apply: Callable[[LineFragments], LineFragments]
    whole: bool = False
    """Whether it applies to sentences of which nothing was cut."""
    joins: bool = False
    """Whether it applies between two fragments only."""
    once: bool = False
    """Whether it is not applied again after other changes."""
    excerpt: bool = False
    """Whether it applies only if some of the document is not shown."""


Repairs = tuple[Repair, ...]
