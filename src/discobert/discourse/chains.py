"""Chains of mentions that agree: one sort of pronoun, and names that may be of one thing.

A network scores pairs, so a chain of good pairs may drift from one person to another. What is
checked here is certain enough to overrule it: he is not she, and Smith is not Jones.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from discobert.discourse.mentions import HE, IT, NAME, SHE, IntArray

_GENDERED = frozenset({HE, SHE, IT})

_WEAK_WORDS = frozenset(
    "a an and at by de dr for gov in king lady lord miss mr mrs ms of on president prof queen "
    "rep s sen sir st to von".split()
)
"""Words and titles that many names share."""

_SHORT_FORM = 4
"""Letters with which a short form must begin the whole word: Steph and Stephanie."""

_LONGEST = 24
"""Letters of a word that are compared."""


@dataclass(frozen=True, slots=True)
class Name:
    """A name as far as it can be compared."""

    words: frozenset[str]
    """In lower case, weak ones left out."""
    letters: str
    """All of it in lower case, without article, spaces and marks."""
    initials: str
    """Of its words with a capital, in lower case."""


def name_of(words: Sequence[str]) -> Name:
    """Read a name from its words and marks."""
    spoken = [word for word in words if any(map(str.isalnum, word)) and word.lower() != "the"]
    lowered = [word[:_LONGEST].lower() for word in spoken]
    return Name(
        words=frozenset(lowered) - _WEAK_WORDS,
        letters="".join(lowered),
        initials="".join(word[0].lower() for word in spoken if word[0].isupper()),
    )


@dataclass(slots=True)
class Names:
    """Names of one thing, gathered so that a further one is compared with all of them at once."""

    words: set[str] = field(default_factory=set)
    beginnings: set[str] = field(default_factory=set)
    letters: set[str] = field(default_factory=set)
    initials: set[str] = field(default_factory=set)
    vague: bool = False
    """Whether one of them has only weak words, as The President has."""

    def add(self, name: Name) -> None:
        """Gather a name."""
        self.words |= name.words
        self.beginnings.update(start for word in name.words for start in _beginnings(word))
        self.letters.add(name.letters)
        self.initials.add(name.initials)
        self.vague |= not name.words

    def admit(self, name: Name) -> bool:
        """Tell whether a name shares a word or its short form with one of them, or is its initials.

        Anything goes with no names at all, and with a vague one.
        """
        if not self.letters or self.vague or not name.words:
            return True
        if name.letters in self.initials or name.initials in self.letters:
            return True
        return any(self._has_akin(word) for word in name.words)

    def _has_akin(self, word: str) -> bool:
        return word in self.beginnings or any(start in self.words for start in _beginnings(word))


def _beginnings(word: str) -> Iterator[str]:
    """Yield a word and its short forms."""
    yield word
    for end in range(_SHORT_FORM, len(word)):
        yield word[:end]


@dataclass(slots=True)
class _Chain:
    """What the mentions of a chain have been so far."""

    mentions: list[int] = field(default_factory=list)
    pronouns: set[int] = field(default_factory=set)
    names: Names = field(default_factory=Names)


class Chains:
    """Grows chains, mention by mention; a mention alone is a chain, too."""

    def __init__(
        self, words: Sequence[str], firsts: IntArray, lasts: IntArray, kinds: IntArray
    ) -> None:
        self.of = np.arange(len(firsts))
        """The chain of each mention, named by one of its mentions."""
        self._words = words
        self._spans = list(zip(firsts.tolist(), lasts.tolist(), strict=True))
        self._kinds = kinds.tolist()
        self._grown: dict[int, _Chain] = {}

    def admits(self, antecedent: int, mention: int) -> bool:
        """Tell whether a mention agrees with all that the chain of another holds."""
        chain, kind = self._chain(antecedent), self._kinds[mention]
        if kind in _GENDERED:
            return chain.pronouns <= {kind}
        return kind != NAME or chain.names.admit(self._name(mention))

    def link(self, antecedent: int, mention: int) -> None:
        """Add a mention that is alone to the chain of an earlier one."""
        number = int(self.of[antecedent])
        chain = self._grown.setdefault(number, self._chain(antecedent))
        self._add(chain, mention)
        self.of[mention] = number

    def spans(self) -> Iterator[list[tuple[int, int]]]:
        """Yield the chains of two mentions and more, each mention as its first and last word."""
        for chain in self._grown.values():
            yield [self._spans[mention] for mention in chain.mentions]

    def _chain(self, mention: int) -> _Chain:
        chain = self._grown.get(int(self.of[mention]))
        if chain is None:
            chain = _Chain()
            self._add(chain, mention)
        return chain

    def _add(self, chain: _Chain, mention: int) -> None:
        kind = self._kinds[mention]
        chain.mentions.append(mention)
        if kind in _GENDERED:
            chain.pronouns.add(kind)
        if kind == NAME:
            chain.names.add(self._name(mention))

    def _name(self, mention: int) -> Name:
        first, last = self._spans[mention]
        return name_of(self._words[first : last + 1])
