"""References that lead nowhere: mentions whose antecedent a summary does not show.

Coreference tells which mentions mean the same thing, and the words of a mention how much it tells:
"he" less than "the player", that less than "Henderson", that less than "Jordan Henderson". A
mention dangles if the text told more before it and the summary does not.
"""

import re
from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum, IntEnum

from discobert.data.coref import Cluster, Mention
from discobert.data.document import Document, Span
from discobert.discourse.quoted_units import quoted_units
from discobert.discourse.units import by_sentence

_PRONOUNS = frozenset(
    """he him his himself she her hers herself it its itself they them their theirs themselves this
    that these those""".split()
)
_PERSONAL = frozenset(
    """i me my mine myself we us our ours ourselves you your yours yourself who whom whose which
    what one there here""".split()
)
_DEFINITE = frozenset("the this that these those both".split())
_POSSESSIVES = frozenset("his her its their himself herself itself themselves".split())
_NOUN = re.compile(
    r"\b(?:(?!(?:After|And|As|At|Before|But|By|For|From|He|Her|His|I|If|In|It|Its|On|Or|She|Since|So|"
    r"Their|Then|There|They|This|Though|To|We|What|When|Where|While|Who|With|Yet|You)\b)[A-Z]\w*|"
    r"[Tt]he|[Aa]n?)\s"
)
_LONE_SUBJECT = re.compile(
    r"(?P<word>He|She|They|(?:This|That|These|Those)(?=\s(?:all\s|also\s|\w+ly\s)?(?:is|was|are|were|has|"
    r"have|had|will|would|can|could|may|might|comes?|came|follow(?:s|ed)|happen(?:s|ed)|includes?|"
    r"included|leads?|led|makes?|made|means?|meant|prompt(?:s|ed)|sparked)\b))\b"
)
_POSSESSIVE_END = re.compile(r"['’]s?$")
_LONG_DESCRIPTION = 5


class Telling(IntEnum):
    """How much a mention says about what it means."""

    NOTHING = -1
    """A pronoun that no antecedent explains: "I", "who"."""
    PRONOUN = 0
    DESCRIPTION = 1
    SURNAME = 2
    ALL = 3


class ReferenceKind(Enum):
    """What dangles."""

    PRONOUN = "pronoun"
    DESCRIPTION = "description"
    SURNAME = "surname"
    QUOTATION = "quotation"


_KINDS = {
    Telling.PRONOUN: ReferenceKind.PRONOUN,
    Telling.DESCRIPTION: ReferenceKind.DESCRIPTION,
    Telling.SURNAME: ReferenceKind.SURNAME,
}


@dataclass(frozen=True, slots=True)
class Dangling:
    """A reference whose antecedent is not shown.

    ``antecedents`` are units that would explain it, the nearest before it first; ``mention`` and
    ``cluster`` are there unless it is a quotation.
    """

    unit: int
    kind: ReferenceKind
    antecedents: tuple[int, ...]
    mention: Mention | None = None
    cluster: int | None = None


@dataclass(frozen=True, slots=True)
class _Placed:
    """A mention with its unit, its sentence and how much it tells."""

    mention: Mention
    cluster: int
    unit: int
    sentence: int
    telling: Telling


class References:
    """Who means whom in a document, ready to be asked about many selections."""

    def __init__(self, document: Document, clusters: Sequence[Cluster]) -> None:
        self._document = document
        self._by_cluster = [
            tuple(_placed(document, index, cluster)) for index, cluster in enumerate(clusters)
        ]
        self._by_unit: dict[int, list[_Placed]] = {}
        for placed in self._by_cluster:
            for mention in placed:
                self._by_unit.setdefault(mention.unit, []).append(mention)
        self._quoted = quoted_units(document)
        self._sentences = document.edus_by_sentence()

    def dangling(self, units: Collection[int]) -> tuple[Dangling, ...]:
        """Find what dangles in a selection, each thing once, in reading order."""
        shown = frozenset(units)
        told = Told(self, shown)
        seen: set[int] = set()
        found: list[Dangling] = []
        for sentence, chosen in by_sentence(self._document, shown).items():
            for mention in self._mentions(chosen):
                if mention.cluster not in seen and told.lacks(mention):
                    seen.add(mention.cluster)
                    found.append(self._describe(mention))
            found += self._speechless(sentence, chosen, shown)
            found += self._unlinked(sentence, chosen, shown)
        return tuple(found)

    def would_dangle(self, new: Iterable[int], told: "Told") -> bool:
        """Tell whether units would dangle if they were added to what is told already."""
        added = frozenset(new)
        own = Told(self, added)
        if any(told.lacks(found) and own.lacks(found) for found in self._mentions(sorted(added))):
            return True
        shown = added | told.units
        return any(
            self._speechless(sentence, chosen, shown) or self._unlinked(sentence, chosen, shown)
            for sentence, chosen in by_sentence(self._document, added).items()
        )

    def _mentions(self, units: Iterable[int]) -> Iterator[_Placed]:
        return (mention for unit in units for mention in self._by_unit.get(unit, ()))

    def earlier(self, mention: _Placed) -> Iterator[_Placed]:
        """Yield what tells more of the same thing before a mention, the nearest first."""
        placed = self._by_cluster[mention.cluster]
        end = bisect_right(placed, mention.mention, key=lambda other: other.mention) - 1
        return (other for other in reversed(placed[:end]) if other.telling > mention.telling)

    def _describe(self, mention: _Placed) -> Dangling:
        antecedents = dict.fromkeys(other.unit for other in self.earlier(mention))
        return Dangling(
            mention.unit,
            _KINDS[mention.telling],
            tuple(antecedents),
            mention.mention,
            mention.cluster,
        )

    def _speechless(
        self, sentence: int, chosen: Sequence[int], shown: Collection[int]
    ) -> tuple[Dangling, ...]:
        """Find a line that is all quotation, if the sentence before it is not there to speak it."""
        first = self._sentences[sentence].start
        follows = first == 0 or first - 1 in shown
        if follows or not self._quoted.issuperset(chosen):
            return ()
        speakers = self._unquoted(first) or self._unquoted(first - 1)[::-1]
        return (Dangling(chosen[0], ReferenceKind.QUOTATION, tuple(speakers)),)

    def _unlinked(
        self, sentence: int, chosen: Sequence[int], shown: Collection[int]
    ) -> tuple[Dangling, ...]:
        """Find "This was allowed" that follows nothing, its subject being of no cluster."""
        first = self._sentences[sentence].start
        before = self._sentences[sentence - 1] if sentence else ()
        if chosen[0] != first or not before or any(unit in shown for unit in before):
            return ()
        start = self._document.edus[first].span.start
        match = _LONE_SUBJECT.match(self._document.text, start)
        known = {found.mention.span.start for found in self._by_unit.get(first, ())}
        if not match or match.start("word") in known:
            return ()
        mention = Mention(Span(*match.span("word")))
        return (Dangling(first, ReferenceKind.PRONOUN, tuple(before)[::-1], mention),)

    def _unquoted(self, unit: int) -> list[int]:
        """List the units of a unit's sentence that are no quotation."""
        sentence = self._document.edus[unit].sentence
        return [other for other in self._sentences[sentence] if other not in self._quoted]


class Told:
    """What a growing selection tells of each thing: where first, and in which sentences."""

    def __init__(self, references: References, units: Iterable[int] = ()) -> None:
        self._references = references
        self.units: set[int] = set()
        self._first: dict[tuple[int, Telling], int] = {}
        self._in_sentence: set[tuple[int, Telling, int]] = set()
        self.add(units)

    def add(self, units: Iterable[int]) -> None:
        """Take more units in."""
        new = [unit for unit in units if unit not in self.units]
        self.units.update(new)
        for mention in self._references._mentions(new):  # noqa: SLF001 - the two are one
            start = mention.mention.span.start
            for less in range(Telling.PRONOUN, mention.telling):
                key = mention.cluster, Telling(less)
                self._first[key] = min(start, self._first.get(key, start))
                self._in_sentence.add((*key, mention.sentence))

    def lacks(self, mention: _Placed) -> bool:
        """Tell whether the text says more of a mention before it, and the selection does not."""
        key = mention.cluster, mention.telling
        if mention.telling not in _KINDS or (*key, mention.sentence) in self._in_sentence:
            return False
        start = mention.mention.span.start
        if self._first.get(key, start) < start:
            return False
        return next(self._references.earlier(mention), None) is not None


def _placed(document: Document, index: int, cluster: Cluster) -> Iterator[_Placed]:
    starts = [edu.span.start for edu in document.edus]
    names = {
        words[-1]
        for words in (mention.span.of(document.text).split() for mention in cluster.mentions)
        if len(words) > 1 and words[-2][:1].isupper()
    }
    for mention in cluster.mentions:
        unit = max(0, bisect_right(starts, mention.span.start) - 1)
        telling = _telling(mention.span.of(document.text), names)
        if telling is Telling.PRONOUN and _is_bound(document, unit, mention):
            telling = Telling.NOTHING
        yield _Placed(mention, index, unit, document.edus[unit].sentence, telling)


def _is_bound(document: Document, unit: int, mention: Mention) -> bool:
    """Tell whether "his" or "its" follows a noun of its own clause, which it mostly means."""
    before = document.text[document.edus[unit].span.start : mention.span.start]
    is_possessive = mention.span.of(document.text).lower() in _POSSESSIVES
    return is_possessive and _NOUN.search(before) is not None


def is_pronoun(text: str) -> bool:
    """Tell whether a mention is a mere pronoun."""
    return text.lower() in _PRONOUNS | _PERSONAL


def _telling(text: str, names: Collection[str]) -> Telling:
    words = _POSSESSIVE_END.sub("", text).split()
    if not words:
        return Telling.NOTHING
    lowered = words[0].lower()
    if len(words) == 1:
        if lowered in _PERSONAL:
            return Telling.NOTHING
        if lowered in _PRONOUNS:
            return Telling.PRONOUN
        return Telling.SURNAME if words[0] in names else Telling.ALL
    named = any(word[:1].isupper() for word in words[1:])
    vague = lowered in _DEFINITE and not named and len(words) < _LONG_DESCRIPTION
    return Telling.DESCRIPTION if vague else Telling.ALL
