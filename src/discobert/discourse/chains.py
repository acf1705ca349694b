"""Coreference chains whose mentions agree in the gender of pronouns and in names.

A network scores pairs, so a chain of plausible pairs may mix two persons. The checks here are
certain enough to overrule it: he is not she, and Smith is not Jones.
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
"""Words and titles that are part of many names."""

_SHORT_FORM = 4
"""Fewest letters of a short form, which is the start of the full one: Steph, Stephanie."""

_LONGEST = 24
"""Most letters of a word that are compared."""


@dataclass(frozen=True, slots=True)
class NameKey:
    """The parts of a name that are compared."""

    words: frozenset[str]
    """In lower case, without weak words."""
    letters: str
    """All letters in lower case, without article, spaces and punctuation."""
    initials: str
    """Initials of its capitalised words, in lower case."""


def name_key(words: Sequence[str]) -> NameKey:
    """Return the key of a name, given as its tokens."""
    alphanumeric = [word for word in words if any(map(str.isalnum, word)) and word.lower() != "the"]
    lowered = [word[:_LONGEST].lower() for word in alphanumeric]
    return NameKey(
        words=frozenset(lowered) - _WEAK_WORDS,
        letters="".join(lowered),
        initials="".join(word[0].lower() for word in alphanumeric if word[0].isupper()),
    )


@dataclass(slots=True)
class NameIndex:
    """The names of one entity, indexed so that another one is compared with all at once."""

    words: set[str] = field(default_factory=set)
    beginnings: set[str] = field(default_factory=set)
    letters: set[str] = field(default_factory=set)
    initials: set[str] = field(default_factory=set)
    vague: bool = False
    """Whether one of them has only weak words, as in The President."""

    def add(self, name: NameKey) -> None:
        """Add a name."""
        self.words |= name.words
        self.beginnings.update(start for word in name.words for start in _beginnings(word))
        self.letters.add(name.letters)
        self.initials.add(name.initials)
        self.vague |= not name.words

    def admit(self, name: NameKey) -> bool:
        """Return whether a name has a word, a short form or the initials of one of them.

        An empty index and one with a vague name admit every name.
        """
        if not self.letters or self.vague or not name.words:
            return True
        if name.letters in self.initials or name.initials in self.letters:
            return True
        return any(self._has_variant_of(word) for word in name.words)

    def _has_variant_of(self, word: str) -> bool:
        return word in self.beginnings or any(start in self.words for start in _beginnings(word))


def _beginnings(word: str) -> Iterator[str]:
    """Yield a word and its short forms."""
    yield word
    for end in range(_SHORT_FORM, len(word)):
        yield word[:end]


@dataclass(slots=True)
class _Chain:
    """The mentions of a chain, with their pronouns and names."""

    mentions: list[int] = field(default_factory=list)
    pronouns: set[int] = field(default_factory=set)
    names: NameIndex = field(default_factory=NameIndex)


class Chains:
    """Builds chains, mention by mention; a single mention is a chain, too."""

    def __init__(
        self, words: Sequence[str], firsts: IntArray, lasts: IntArray, kinds: IntArray
    ) -> None:
        self.of = np.arange(len(firsts))
        """The chain of each mention, identified by one of its mentions."""
        self._words = words
        self._spans = list(zip(firsts.tolist(), lasts.tolist(), strict=True))
        self._kinds = kinds.tolist()
        self._grown: dict[int, _Chain] = {}

    def admits(self, antecedent: int, mention: int) -> bool:
        """Return whether a mention agrees with all mentions in the chain of another."""
        chain, kind = self._chain(antecedent), self._kinds[mention]
        if kind in _GENDERED:
            return chain.pronouns <= {kind}
        return kind != NAME or chain.names.admit(self._name(mention))

    def link(self, antecedent: int, mention: int) -> None:
        """Add a single mention to the chain of an earlier one."""
        number = int(self.of[antecedent])
        chain = self._grown.setdefault(number, self._chain(antecedent))
        self._add(chain, mention)
        self.of[mention] = number

    def spans(self) -> Iterator[list[tuple[int, int]]]:
        """Yield the chains of two or more mentions, each mention as its first and last word."""
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

    def _name(self, mention: int) -> NameKey:
        first, last = self._spans[mention]
        return name_key(self._words[first : last + 1])
