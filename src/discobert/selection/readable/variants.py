"""Variants of the sentences of a readable summary: each one whole, and with its safe cuts."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

from discobert.data.cuts import Cut
from discobert.data.document import Document

_MOST_CUTS = 4
"""Cuts of one sentence that are combined."""


@dataclass(frozen=True, slots=True)
class SentenceVariant:
    """A sentence with the EDUs of it that are shown."""

    sentence: int
    edus: tuple[int, ...]
    harmless: float = 1.0
    """Probability that what was cut does no harm; 1 if nothing was cut."""

    @property
    def is_cut(self) -> bool:
        """Whether something of the sentence is left out."""
        return self.harmless < 1


def sentence_variants(
    document: Document,
    closures: Sequence[frozenset[int]],
    cuts: Iterable[Cut],
    *,
    threshold: float,
) -> tuple[tuple[SentenceVariant, ...], ...]:
    """List the variants of each sentence, the whole sentence first.

    A cut is offered if it is safe enough and leaves EDUs that depend on nothing cut; of several,
    also two at once if they are safe together.
    """
    by_sentence: dict[int, list[Cut]] = {}
    for cut in cuts:
        if cut.harmless >= threshold:
            by_sentence.setdefault(document.edus[cut.edus[0]].sentence, []).append(cut)
    return tuple(
        (
            SentenceVariant(sentence, tuple(edus)),
            *_shortened(sentence, edus, by_sentence.get(sentence, []), closures, threshold),
        )
        for sentence, edus in enumerate(document.edus_by_sentence())
    )


def _shortened(
    sentence: int,
    edus: range,
    cuts: Sequence[Cut],
    closures: Sequence[frozenset[int]],
    threshold: float,
) -> Iterable[SentenceVariant]:
    safest = sorted(cuts, key=lambda cut: (-cut.harmless, cut.edus))[:_MOST_CUTS]
    singles = [(frozenset(cut.edus), cut.harmless) for cut in safest]
    pairs = [
        (one | other, first * second)
        for (one, first), (other, second) in combinations(singles, 2)
        if one.isdisjoint(other) and first * second >= threshold
    ]
    for gone, harmless in (*singles, *pairs):
        rest = tuple(edu for edu in edus if edu not in gone)
        if rest and all(closures[edu].isdisjoint(gone) for edu in rest):
            yield SentenceVariant(sentence, rest, min(harmless, 1 - 1e-9))
