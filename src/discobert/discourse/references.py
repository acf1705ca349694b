"""Dangling references: mentions whose antecedent a summary does not show.

Mentions of one coreference cluster differ in specificity: "he" is less specific than "the player",
that less than "Henderson", that less than "Jordan Henderson". A mention dangles if the text has a
more specific one before it and the summary has none.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum, IntEnum
from itertools import islice

from discobert.data.coref import Cluster, Mention
from discobert.data.document import Document, Span
from discobert.discourse.units import by_sentence, quoted_units
from discobert.language.wordlists import (
    ANAPHORIC_PRONOUNS,
    DEFINITE_DETERMINERS,
    OTHER_PRONOUNS,
    POSSESSIVE_DETERMINERS,
    THIRD_PERSON,
    THIRD_PERSON_REFLEXIVES,
)

_DEFINITE = DEFINITE_DETERMINERS | {"both"}
_BOUND = (POSSESSIVE_DETERMINERS & THIRD_PERSON) | THIRD_PERSON_REFLEXIVES
NOUN = re.compile(
    r"\b(?:(?!(?:After|And|As|At|Before|But|By|For|From|He|Her|His|I|If|In|It|Its|On|Or|She|Since|So|"
    r"Their|Then|There|They|This|Though|To|We|What|When|Where|While|Who|With|Yet|You)\b)[A-Z]\w*|"
    r"[Tt]he|[Aa]n?)\s"
)
"""What opens a noun phrase or is a name."""
_LONE_SUBJECT = re.compile(
    r"(?P<word>He|She|They|(?:This|That|These|Those)(?=\s(?:all\s|also\s|\w+ly\s)?(?:is|was|are|were|has|"
    r"have|had|will|would|can|could|may|might|comes?|came|follow(?:s|ed)|happen(?:s|ed)|includes?|"
    r"included|leads?|led|makes?|made|means?|meant|prompt(?:s|ed)|sparked)\b))\b"
)
_POSSESSIVE_END = re.compile(r"['’]s?$")
_LONG_DESCRIPTION = 5
MOST_ANTECEDENTS = 64
"""More are of no use: who looks for antecedents tries the nearest few."""
MOST_DESCRIBED = 4096
"""Groups of units of which is kept what they need."""


class Specificity(IntEnum):
    """How precisely a mention identifies its entity."""

    NONE = -1
    """A pronoun that needs no antecedent: "I", "who"."""
    PRONOUN = 0
    DESCRIPTION = 1
    SURNAME = 2
    FULL = 3


class ReferenceKind(Enum):
    """Kinds of dangling references."""

    PRONOUN = "pronoun"
    DESCRIPTION = "description"
    SURNAME = "surname"
    QUOTATION = "quotation"


_KINDS = {
    Specificity.PRONOUN: ReferenceKind.PRONOUN,
    Specificity.DESCRIPTION: ReferenceKind.DESCRIPTION,
    Specificity.SURNAME: ReferenceKind.SURNAME,
}


@dataclass(frozen=True, slots=True)
class Dangling:
    """A reference whose antecedent is not shown.

    ``antecedents`` are the units with a more specific mention, the nearest before it first, those
    of at most ``MOST_ANTECEDENTS`` mentions. A quotation has neither ``mention`` nor ``cluster``; a
    subject outside all clusters has no ``cluster``.
    """

    unit: int
    kind: ReferenceKind
    antecedents: tuple[int, ...]
    mention: Mention | None = None
    cluster: int | None = None


@dataclass(frozen=True, slots=True)
class _LocatedMention:
    """A mention with its cluster, unit, sentence and specificity."""

    mention: Mention
    cluster: int
    unit: int
    sentence: int
    specificity: Specificity
    exceeds: tuple[tuple[int, int], ...]
    """The cluster with each lower specificity."""


@dataclass(frozen=True, slots=True)
class _NewUnits:
    """What matters of some units wherever they are added."""

    units: frozenset[int]
    lacking: tuple[_LocatedMention, ...]
    """Mentions whose antecedents are in none of the units."""
    after: tuple[range, ...]
    """Runs of units; of each, one has to be shown before some of the units."""


class References:
    """The mentions of a document, indexed to find dangling references of many selections."""

    def __init__(self, document: Document, clusters: Sequence[Cluster]) -> None:
        self._document = document
        starts = [edu.span.start for edu in document.edus]
        self._by_unit: dict[int, list[_LocatedMention]] = {}
        # By cluster and specificity: the mentions that are more specific, in reading order.
        self._above: dict[tuple[int, Specificity], list[_LocatedMention]] = {}
        for index, cluster in enumerate(clusters):
            for mention in _located(document, index, cluster, starts):
                self._by_unit.setdefault(mention.unit, []).append(mention)
                for _, lower in mention.exceeds:
                    self._above.setdefault((index, Specificity(lower)), []).append(mention)
        self._needy = {
            unit: needy
            for unit, mentions in self._by_unit.items()
            if (needy := [mention for mention in mentions if self._is_needy(mention)])
        }
        """By unit: the mentions that have an antecedent in the text."""
        self._quoted = quoted_units(document)
        self._sentences = document.edus_by_sentence()
        # A search asks of the same units again and again, after others each time.
        self._descriptions: dict[tuple[int, ...], _NewUnits] = {}
        self._lone_subjects: dict[int, Mention | None] = {}

    def dangling(
        self, units: Collection[int], known: "KnownEntities | None" = None
    ) -> tuple[Dangling, ...]:
        """Find the dangling references of a selection in reading order, at most one per cluster.

        ``known`` are the entities of the selection, if they were gathered already.
        """
        shown = frozenset(units)
        known = known or KnownEntities(self, shown)
        seen: set[int] = set()
        found: list[Dangling] = []
        for sentence, chosen in by_sentence(self._document, shown).items():
            for mention in self._needy_mentions(chosen):
                if mention.cluster not in seen and known.lacks_antecedent(mention):
                    seen.add(mention.cluster)
                    found.append(self._dangling(mention))
            found += self._quotation_without_speaker(sentence, chosen, shown)
            found += self._subject_without_antecedent(sentence, chosen, shown)
        return tuple(found)

    def would_dangle(
        self, new: Iterable[int], known: "KnownEntities", *, loose: Collection[int] = ()
    ) -> bool:
        """Return whether new units would have dangling references beside those known already.

        Mentions of the clusters in ``loose`` do not count: they dangle already.
        """
        added = self._described(tuple(new))
        if any(
            mention.cluster not in loose and known.lacks_antecedent(mention)
            for mention in added.lacking
        ):
            return True
        return any(
            added.units.isdisjoint(before) and known.units.isdisjoint(before)
            for before in added.after
        )

    def _described(self, new: tuple[int, ...]) -> _NewUnits:
        known = self._descriptions.get(new)
        if known is None:
            if len(self._descriptions) >= MOST_DESCRIBED:
                self._descriptions.clear()
            known = self._descriptions[new] = self._describe(new)
        return known

    def _describe(self, new: tuple[int, ...]) -> _NewUnits:
        units = frozenset(new)
        known = KnownEntities(self, units)
        lacking = filter(known.lacks_antecedent, self._needy_mentions(sorted(units)))
        after = (
            before
            for sentence, chosen in by_sentence(self._document, units).items()
            for before in (
                self._before_quotation(sentence, chosen),
                self._before_subject(sentence, chosen),
            )
            if before
        )
        return _NewUnits(units, tuple(lacking), tuple(after))

    def _is_needy(self, mention: _LocatedMention) -> bool:
        """Return whether the text has an antecedent of a mention."""
        return mention.specificity in _KINDS and next(self.antecedents(mention), None) is not None

    def _needy_mentions(self, units: Iterable[int]) -> Iterator[_LocatedMention]:
        return (mention for unit in units for mention in self._needy.get(unit, ()))

    def _mentions(self, units: Iterable[int]) -> Iterator[_LocatedMention]:
        return (mention for unit in units for mention in self._by_unit.get(unit, ()))

    def antecedents(self, mention: _LocatedMention) -> Iterator[_LocatedMention]:
        """Yield the more specific mentions of a cluster before a mention, the nearest first."""
        above = self._above.get((mention.cluster, mention.specificity), [])
        end = bisect_left(above, mention.mention, key=lambda other: other.mention)
        return (above[place] for place in range(end - 1, -1, -1))

    def _dangling(self, mention: _LocatedMention) -> Dangling:
        near = islice(self.antecedents(mention), MOST_ANTECEDENTS)
        antecedents = dict.fromkeys(other.unit for other in near)
        return Dangling(
            mention.unit,
            _KINDS[mention.specificity],
            tuple(antecedents),
            mention.mention,
            mention.cluster,
        )

    def _quotation_without_speaker(
        self, sentence: int, chosen: Sequence[int], shown: Collection[int]
    ) -> tuple[Dangling, ...]:
        """Find a line that is all quotation while the sentence before it is not shown."""
        before = self._before_quotation(sentence, chosen)
        if not before or before[0] in shown:
            return ()
        first = self._sentences[sentence].start
        speakers = self._unquoted(first) or self._unquoted(first - 1)[::-1]
        return (Dangling(chosen[0], ReferenceKind.QUOTATION, tuple(speakers)),)

    def _before_quotation(self, sentence: int, chosen: Sequence[int]) -> range:
        """Return the unit to be shown before a line, if that is all quotation."""
        first = self._sentences[sentence].start
        return range(first - 1, first) if first and self._quoted.issuperset(chosen) else range(0)

    def _subject_without_antecedent(
        self, sentence: int, chosen: Sequence[int], shown: Collection[int]
    ) -> tuple[Dangling, ...]:
        """Find a subject outside all clusters ("This was allowed") that follows nothing shown."""
        before = self._before_subject(sentence, chosen)
        if not before or any(unit in shown for unit in before):
            return ()
        mention = self._lone_subject(chosen[0])
        return (Dangling(chosen[0], ReferenceKind.PRONOUN, tuple(before)[::-1], mention),)

    def _before_subject(self, sentence: int, chosen: Sequence[int]) -> range:
        """Return the units of which one is to be shown before a line that opens with "This was"."""
        first = self._sentences[sentence].start
        opens = first > 0 and chosen[0] == first and self._lone_subject(first) is not None
        return self._sentences[sentence - 1] if opens else range(0)

    def _lone_subject(self, unit: int) -> Mention | None:
        if unit not in self._lone_subjects:
            self._lone_subjects[unit] = self._find_lone_subject(unit)
        return self._lone_subjects[unit]

    def _find_lone_subject(self, unit: int) -> Mention | None:
        """Return the subject outside all clusters with which a unit opens."""
        start = self._document.edus[unit].span.start
        match = _LONE_SUBJECT.match(self._document.text, start)
        known = {found.mention.span.start for found in self._by_unit.get(unit, ())}
        if not match or match.start("word") in known:
            return None
        return Mention(Span(*match.span("word")))

    def _unquoted(self, unit: int) -> list[int]:
        """Return the units of a unit's sentence that are not quotations."""
        sentence = self._document.edus[unit].sentence
        return [other for other in self._sentences[sentence] if other not in self._quoted]


class KnownEntities:
    """The entities of a growing selection: where each level of specificity is first exceeded."""

    def __init__(self, references: References, units: Iterable[int] = ()) -> None:
        self._references = references
        self.units: set[int] = set()
        # By cluster and specificity: where the selection has a more specific mention.
        self._first: dict[tuple[int, int], int] = {}
        self._in_sentence: set[tuple[int, int, int]] = set()
        self.add(units)

    def add(self, units: Iterable[int]) -> None:
        """Add units to the selection."""
        new = [unit for unit in units if unit not in self.units]
        self.units.update(new)
        for mention in self._references._mentions(new):  # noqa: SLF001 - the two are one
            start = mention.mention.span.start
            for key in mention.exceeds:
                self._first[key] = min(start, self._first.get(key, start))
                self._in_sentence.add((*key, mention.sentence))

    def lacks_antecedent(self, mention: _LocatedMention) -> bool:
        """Return whether the selection lacks the antecedent that the text has of a mention."""
        key = mention.cluster, mention.specificity
        if (*key, mention.sentence) in self._in_sentence:
            return False
        start = mention.mention.span.start
        return self._first.get(key, start) >= start


def _located(
    document: Document, index: int, cluster: Cluster, starts: Sequence[int]
) -> Iterator[_LocatedMention]:
    """Find the unit of each mention by the ``starts`` of all units."""
    names = {
        words[-1]
        for words in (mention.span.of(document.text).split() for mention in cluster.mentions)
        if len(words) > 1 and words[-2][:1].isupper()
    }
    for mention in cluster.mentions:
        unit = max(0, bisect_right(starts, mention.span.start) - 1)
        specificity = _specificity(mention.span.of(document.text), names)
        if specificity is Specificity.PRONOUN and _is_bound(document, unit, mention):
            specificity = Specificity.NONE
        lower = range(Specificity.PRONOUN, specificity)
        exceeds = tuple((index, level) for level in lower)
        sentence = document.edus[unit].sentence
        yield _LocatedMention(mention, index, unit, sentence, specificity, exceeds)


def _is_bound(document: Document, unit: int, mention: Mention) -> bool:
    """Return whether "his" or "itself" follows a noun of its clause, its likely antecedent."""
    before = document.text[document.edus[unit].span.start : mention.span.start]
    is_bindable = mention.span.of(document.text).lower() in _BOUND
    return is_bindable and NOUN.search(before) is not None


def is_pronoun(text: str) -> bool:
    """Return whether a mention is a single pronoun."""
    return text.lower() in ANAPHORIC_PRONOUNS | OTHER_PRONOUNS


def _specificity(text: str, names: Collection[str]) -> Specificity:
    words = _POSSESSIVE_END.sub("", text).split()
    if not words:
        return Specificity.NONE
    lowered = words[0].lower()
    if len(words) == 1:
        if lowered in OTHER_PRONOUNS:
            return Specificity.NONE
        if lowered in ANAPHORIC_PRONOUNS:
            return Specificity.PRONOUN
        return Specificity.SURNAME if words[0] in names else Specificity.FULL
    named = any(word[:1].isupper() for word in words[1:])
    vague = lowered in _DEFINITE and not named and len(words) < _LONG_DESCRIPTION
    return Specificity.DESCRIPTION if vague else Specificity.FULL
