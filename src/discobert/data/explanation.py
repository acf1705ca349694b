"""Explanations of why a unit was chosen or left out."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from discobert.data.cuts import Cut
    from discobert.data.summary import Unit

CHOSEN = {
    "score": "chosen for its score",
    "lead": "chosen as part of the first sentence",
}
"""Reasons of chosen units; ``needed by N`` explains itself."""
_WITH_SENTENCE = "chosen with its sentence: no other sentences make a better summary of this length"
"""The reason ``score`` in the readable style, which compares whole summaries."""

LEFT = {
    "score": "left out: every unit chosen for its score has a higher one",
    "length": "left out: with it the summary would be too long",
    "repeats": "left out: it repeats what the summary tells",
    "quotation": "left out: it is a quotation",
    "needs quotation": "left out: it cannot stand without a quotation",
    "heading": "left out: it is a heading",
    "caption": "left out: it is a caption",
    "table": "left out: it is part of a table",
    "code": "left out: it is code",
    "attribution": "left out: it introduces the text of another mail",
    "greeting": "left out: it is a greeting",
    "signature": "left out: it is a signature",
    "quoted mail": "left out: the mail quotes it from another one",
    "method": "left out: other units together make the better summary",
    "cut": "left out of its sentence: a cut that does no harm",
    "furniture": "left out: it is a heading, caption, notice or filler",
    "reference": "left out: it refers to something that the summary does not show",
    "end": "left out: it is not worth its words, so the summary ends without it",
    "": "left out",
}
"""Reasons of units left out."""

ROLES = frozenset(
    {*"heading caption table code attribution greeting signature".split(), "quoted mail"}
)
"""Reasons that say what a unit is in its file."""

ENDS = {
    "whole": "the summary is the whole text",
    "worth": "the summary ends here because nothing that is left is worth its words",
    "length": "the summary ends here because nothing more that is worth telling fits its length",
    "score": "the summary ends here because every unit that is left has a lower score",
    "roles": "the summary ends here because nothing is left but headings, quoted mail, signatures "
    "and the like",
    "rest": "the summary ends here because what is left cannot stand by itself: it refers to "
    "something not shown, or is a heading, notice or quotation",
}
"""Why summaries end where they end."""


def end_reason(left: Sequence[str]) -> str:
    """Return why a summary ends, a key of ``ENDS``, by the reasons of the units left out."""
    if not left:
        return "whole"
    if "end" in left:
        return "worth"
    if "length" in left:
        return "length"
    if ROLES.issuperset(left):
        return "roles"
    return "rest" if {"score", "method"}.isdisjoint(left) else "score"


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why one unit was chosen or left; the best score of a document has rank 1."""

    unit: "Unit"
    rank: int
    n_units: int
    reason: str
    """A key of ``CHOSEN`` or ``LEFT``, or ``needed by N``."""
    harmless: float | None = None
    """How sure the analyser is that leaving it out of its sentence does no harm, if it was cut."""
    by_score: bool = True
    """Whether units were chosen by their scores, as in style paper; if not, ranks say nothing."""

    @property
    def why(self) -> str:
        """The reason in words."""
        if self.reason == "score" and self.unit.selected and not self.by_score:
            return _WITH_SENTENCE
        known = CHOSEN if self.unit.selected else LEFT
        return known.get(self.reason, f"chosen because it is {self.reason}")

    def __str__(self) -> str:
        score = f"score {self.unit.score:.3g}"
        if self.by_score:
            score += f", rank {self.rank} of {self.n_units}"
        return f"{self.unit.index}: {self.why} ({score}): {' '.join(self.unit.text.split())}"


class Explanations(tuple[Explanation, ...]):
    """Explanations of all units of a text, shown as a line for each."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "\n".join(map(str, self))


def explain(
    units: Sequence["Unit"], cuts: Sequence["Cut"] = (), *, by_score: bool = True
) -> Iterator[Explanation]:
    """Explain every unit; ``cuts`` are those that the summary made."""
    order = sorted(units, key=lambda unit: (-unit.score, unit.index))
    ranks = {unit.index: rank for rank, unit in enumerate(order, start=1)}
    harmless = {edu: cut.harmless for cut in cuts for edu in cut.edus}
    for unit in units:
        reason = (unit.reason if unit.selected else unit.left_out) or ""
        sure = harmless.get(unit.index)
        yield Explanation(unit, ranks[unit.index], len(units), reason, sure, by_score)
