"""Clause boundaries and relations between adjacent clauses, by words and punctuation alone.

A rule-based substitute for the trained segmenter and parser. The rules use commas, connectives,
relative pronouns, quotations and a few hundred verb forms; without such a cue there is no boundary.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import accumulate, dropwhile
from typing import overload

from discobert.data.rst import Nuclearity
from discobert.language.verbs import AUXILIARY_FORMS, SPEECH_VERBS, is_verb_form
from discobert.language.wordlists import (
    DEMONSTRATIVES,
    RELATIVE_PRONOUNS,
    SUBJECT_FORMS,
    words,
)

_PRONOUNS = SUBJECT_FORMS | DEMONSTRATIVES | {"there"}
_RELATIVES = RELATIVE_PRONOUNS | {"where"}
_COORDINATORS = words("and but or nor so yet")
# These open a clause wherever a verb follows ...
_SUBORDINATORS = words(
    "after although as because before if once since though till unless until when whenever "
    "whereas whether while"
)
# ... and these may also open a clause whose verb ends in -ing.
_BEFORE_GERUND = words("after before by despite when while without")
_BEFORE_SUBJECT = _COORDINATORS | _BEFORE_GERUND | {"to", "not"}
_PAIRS = frozenset({("so", "that"), ("in", "order"), ("even", "though"), ("even", "if")})

_QUOTES = "\"'“”‘’`«»"
_BREAK_MARKS = (";", ":")
_DASHES = words("- -- – —")
_QUOTED = re.compile(rf"[,.?!…-][{_QUOTES}]+$")
_REACH = 8  # the verb must be among so many words after a connective
_MIN_WORDS = 2


class Link(Enum):
    """Relation and nuclearity between two adjacent clauses."""

    ADVERSATIVE = ("adversative", Nuclearity.BOTH)
    ATTRIBUTION_AFTER = ("attribution", Nuclearity.LEFT)
    ATTRIBUTION_BEFORE = ("attribution", Nuclearity.RIGHT)
    CONTEXT_AFTER = ("context", Nuclearity.LEFT)
    CONTEXT_BEFORE = ("context", Nuclearity.RIGHT)
    ELABORATION = ("elaboration", Nuclearity.LEFT)
    JOINT = ("joint", Nuclearity.BOTH)
    SAME_UNIT = ("same-unit", Nuclearity.BOTH)

    @property
    def relation(self) -> str:
        """The relation's coarse label."""
        return self.value[0]

    @property
    def nuclearity(self) -> Nuclearity:
        """Which of the two clauses is central."""
        return self.value[1]


@dataclass(frozen=True, slots=True)
class Word:
    """A white-space word with its offsets in the sentence."""

    start: int
    end: int
    raw: str

    @property
    def core(self) -> str:
        """Lower case, without the punctuation around it."""
        return self.raw.strip(_QUOTES + "()[],.;:!?…—–-").lower().replace("’", "'")


@dataclass(frozen=True, slots=True)
class _Words(Sequence[Word]):
    """Adjacent words of a sentence; whether one is a verb form is known without looking at each."""

    sentence: Sequence[Word]
    verbs: Sequence[int]
    """How many verb forms stand before each word of the sentence, and in all of it."""
    place: range

    def __len__(self) -> int:
        return len(self.place)

    @overload
    def __getitem__(self, index: int) -> Word: ...
    @overload
    def __getitem__(self, index: slice) -> "_Words": ...
    def __getitem__(self, index: int | slice) -> "Word | _Words":
        if isinstance(index, int):
            return self.sentence[self.place[index]]
        return _Words(self.sentence, self.verbs, self.place[index])

    def has_verb_form(self) -> bool:
        return self.verbs[self.place.stop] > self.verbs[self.place.start]


def _indexed(words: Sequence[Word]) -> _Words:
    verbs = accumulate((is_verb_form(word.core) for word in words), initial=0)
    return _Words(words, tuple(verbs), range(len(words)))


def words_of(text: str) -> tuple[Word, ...]:
    """Cut a text at white space."""
    return tuple(Word(*match.span(), match.group()) for match in re.finditer(r"\S+", text))


def clause_starts(sentence: str) -> tuple[int, ...]:
    """Return the character offsets at which the clauses of a non-blank sentence start.

    A clause has at least two words, unless it is the whole sentence.
    """
    words = _indexed(words_of(sentence))
    starts = [0]
    for index in range(_MIN_WORDS, len(words) - 1):
        opened = words[starts[-1] : index]
        if len(opened) >= _MIN_WORDS and _starts_clause(opened, words[index:]):
            starts.append(index)
    return tuple(words[index].start for index in starts)


def _starts_clause(before: _Words, after: _Words) -> bool:
    """Return whether there is a clause boundary between ``before`` and ``after``."""
    last, first, rest = before[-1].raw, after[0].core, after[1:]
    if last.endswith(_BREAK_MARKS) or last in _DASHES:
        return len(after) > _MIN_WORDS and after.has_verb_form()
    if _QUOTED.search(last):
        return any(word.core in SPEECH_VERBS for word in after[:5])
    if last.endswith(","):
        return _starts_after_comma(before, after)
    if first in _COORDINATORS:
        return (
            before.has_verb_form()
            and rest[0].core in _PRONOUNS | AUXILIARY_FORMS
            and rest.has_verb_form()
        )
    return _starts_inside(before, after)


def _starts_after_comma(before: _Words, after: _Words) -> bool:
    first, rest = after[0].core, after[1:]
    if first in _RELATIVES or _is_participle(first, rest):
        return True
    if first in _COORDINATORS:
        return before.has_verb_form() and rest[:_REACH].has_verb_form()
    if _is_embedded(before):
        return is_verb_form(first)
    if before[0].core in _SUBORDINATORS | _BEFORE_GERUND and before.has_verb_form():
        return after[: 2 * _REACH].has_verb_form()
    return _opens_subordinate(after)


def _starts_inside(before: _Words, after: _Words) -> bool:
    previous, first, rest = before[-1].core, after[0].core, after[1:]
    if first == "that":
        return previous in SPEECH_VERBS or rest[0].core in AUXILIARY_FORMS
    if first in _RELATIVES:
        return is_verb_form(rest[0].core) and previous not in AUXILIARY_FORMS
    return before.has_verb_form() and _opens_subordinate(after)


def _opens_subordinate(after: _Words) -> bool:
    first, rest = after[0].core, after[1:]
    if first in _BEFORE_GERUND and rest[0].core.endswith("ing") and is_verb_form(rest[0].core):
        return True
    opens = first in _SUBORDINATORS or (first, rest[0].core) in _PAIRS
    return opens and _up_to_comma(rest[:_REACH]).has_verb_form()


def _up_to_comma(words: _Words) -> _Words:
    ends = (index + 1 for index, word in enumerate(words) if word.raw.endswith(","))
    return words[: next(ends, len(words))]


def _is_embedded(clause: Sequence[Word]) -> bool:
    first = clause[0].core
    return first in _RELATIVES or _is_participle(first, clause[1:])


def _is_participle(first: str, rest: Sequence[Word]) -> bool:
    passive = first.endswith("ed") and any(word.core in {"by", "in", "as"} for word in rest[:3])
    return len(rest) >= _MIN_WORDS and is_verb_form(first) and (first.endswith("ing") or passive)


def has_subject(clause: str) -> bool:
    """Return whether a clause seems to have a subject; one that starts with its verb has none."""
    words = (word.core for word in words_of(clause))
    first = next(dropwhile(lambda word: not word or word in _BEFORE_SUBJECT, words), None)
    return first is not None and (not is_verb_form(first) or first in SPEECH_VERBS)


def link(left: str, right: str, *, opens_sentence: bool) -> Link:
    """Return the relation between two adjacent clauses; the left one may open their sentence."""
    before, after = words_of(left), words_of(right)
    first, last = after[0].core, before[-1]
    if _QUOTED.search(last.raw) and any(word.core in SPEECH_VERBS for word in after[:5]):
        return Link.ATTRIBUTION_AFTER
    if first == "that" and last.core in SPEECH_VERBS:
        return Link.ATTRIBUTION_BEFORE
    if opens_sentence and before[0].core in _SUBORDINATORS | _BEFORE_GERUND:
        return Link.CONTEXT_BEFORE
    if first in _SUBORDINATORS | _BEFORE_GERUND or tuple(w.core for w in after[:2]) in _PAIRS:
        return Link.CONTEXT_AFTER
    if first in _COORDINATORS or last.raw.endswith(";"):
        return Link.ADVERSATIVE if first in {"but", "yet"} else Link.JOINT
    return Link.ELABORATION


def resumes(host: str, embedded: str, right: str) -> bool:
    """Return whether ``right`` continues the clause ``host`` that ``embedded`` interrupted."""
    inside, after = words_of(embedded), words_of(right)
    interrupted = host.endswith(",") and embedded.endswith(",")
    return interrupted and _is_embedded(inside) and is_verb_form(after[0].core)
