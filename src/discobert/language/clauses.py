"""Where clauses start and how they hang together, told from words and punctuation alone.

A modest stand-in for the trained segmenter and parser: it knows commas, connectives, relative
pronouns, quotations and a few hundred verb forms, and keeps silent where these do not decide.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from discobert.data.rst import Nuclearity


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_AUXILIARIES = _words(
    "am is are was were be been being has have had do does did will would can could shall should "
    "may might must isn't aren't wasn't weren't hasn't haven't hadn't don't doesn't didn't won't "
    "wouldn't can't cannot couldn't shouldn't mustn't ain't i'm i've i'd i'll he's he'd he'll "
    "she's she'd she'll it's it'd it'll we're we've we'd we'll you're you've you'd you'll they're "
    "they've they'd they'll that's there's"
)
_SPEECH = _words(
    "said says say saying told tells tell added adds announced announces argued argues asked asks "
    "believed believes believe claimed claims confirmed confirms declared denied explained "
    "explains hoped hopes insisted insists noted notes recalled reported reports revealed showed "
    "shows stated states suggested suggests thinks thought tweeted warned warns wrote writes"
)
_VERBS = (
    _AUXILIARIES
    | _SPEECH
    | _words(
        "ate became become becomes began begin begins began bought breaks broke brings brought "
        "built buys came carries caught caused chose comes costs cut drew drives drove fell felt "
        "fight finds flew forgot fought found gave gets gives goes got grew grows happens held "
        "helps hit hurt keep keeps kept killed knew know knows lay leads learnt leave leaves led "
        "left lets lies lives looks lost loves made makes means meant meets met moves needs opens "
        "paid pays plays put ran read remains rose runs sang sat saw seem seems seen sees sells "
        "sends sent set sets shot shut sits slept sold speaks spent spoke spoken stands starts "
        "stays stole stood struck swam swore takes taken taught threw tries took turns understood "
        "wants went wins won wore work works"
    )
)
_NOT_VERBS = _words(
    "hundred indeed exceed breed speed kindred sacred naked wicked during anything everything "
    "nothing something morning evening building ceiling according including regarding king thing "
    "spring string wedding meeting being feeling ring wing"
)
_PRONOUNS = _words("i he she it they we you there this that these those")
_RELATIVES = _words("who whom whose which where")
_COORDINATORS = _words("and but or nor so yet")
# These open a clause wherever a verb follows ...
_SUBORDINATORS = _words(
    "after although as because before if once since though till unless until when whenever "
    "whereas whether while"
)
# ... and these may also open a clause whose verb ends in -ing.
_BEFORE_GERUND = _words("after before by despite when while without")
_PAIRS = frozenset({("so", "that"), ("in", "order"), ("even", "though"), ("even", "if")})

_QUOTES = "\"'“”‘’`«»"
_BREAK_MARKS = (";", ":")
_DASHES = _words("- -- – —")
_QUOTED = re.compile(rf"[,.?!…-][{_QUOTES}]+$")
_REACH = 8  # words after a connective among which its verb must stand
_MIN_WORDS = 2


class Link(Enum):
    """How a clause hangs on its neighbour: relation and nuclearity of the branch between them."""

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
    """A white-space word with its place in the sentence."""

    start: int
    end: int
    raw: str

    @property
    def core(self) -> str:
        """Lower case, without the punctuation around it."""
        return self.raw.strip(_QUOTES + "()[],.;:!?…—–-").lower().replace("’", "'")


def words_of(text: str) -> tuple[Word, ...]:
    """Cut a text at white space."""
    return tuple(Word(*match.span(), match.group()) for match in re.finditer(r"\S+", text))


def clause_starts(sentence: str) -> tuple[int, ...]:
    """Return the character offsets at which the clauses of a non-blank sentence start.

    A clause has at least two words, unless it is the whole sentence.
    """
    words = words_of(sentence)
    starts = [0]
    for index in range(_MIN_WORDS, len(words) - 1):
        opened = words[starts[-1] : index]
        if len(opened) >= _MIN_WORDS and _starts_clause(opened, words[index:]):
            starts.append(index)
    return tuple(words[index].start for index in starts)


def _starts_clause(before: Sequence[Word], after: Sequence[Word]) -> bool:
    """Tell whether a clause ends with ``before`` and the next one begins with ``after``."""
    last, first, rest = before[-1].raw, after[0].core, after[1:]
    if last.endswith(_BREAK_MARKS) or last in _DASHES:
        return len(after) > _MIN_WORDS and _has_verb(after)
    if _QUOTED.search(last):
        return any(word.core in _SPEECH for word in after[:5])
    if last.endswith(","):
        return _starts_after_comma(before, after)
    if first in _COORDINATORS:
        return _has_verb(before) and rest[0].core in _PRONOUNS | _AUXILIARIES and _has_verb(rest)
    return _starts_inside(before, after)


def _starts_after_comma(before: Sequence[Word], after: Sequence[Word]) -> bool:
    first, rest = after[0].core, after[1:]
    if first in _RELATIVES or _is_participle(first, rest):
        return True
    if first in _COORDINATORS:
        return _has_verb(before) and _has_verb(rest[:_REACH])
    if _is_embedded(before):
        return _is_verb(first)
    if before[0].core in _SUBORDINATORS | _BEFORE_GERUND and _has_verb(before):
        return _has_verb(after[: 2 * _REACH])
    return _opens_subordinate(after)


def _starts_inside(before: Sequence[Word], after: Sequence[Word]) -> bool:
    previous, first, rest = before[-1].core, after[0].core, after[1:]
    if first == "that":
        return previous in _SPEECH or rest[0].core in _AUXILIARIES
    if first in _RELATIVES:
        return _is_verb(rest[0].core) and previous not in _AUXILIARIES
    return _has_verb(before) and _opens_subordinate(after)


def _opens_subordinate(after: Sequence[Word]) -> bool:
    first, rest = after[0].core, after[1:]
    if first in _BEFORE_GERUND and rest[0].core.endswith("ing") and _is_verb(rest[0].core):
        return True
    opens = first in _SUBORDINATORS or (first, rest[0].core) in _PAIRS
    return opens and _has_verb(_up_to_comma(rest[:_REACH]))


def _up_to_comma(words: Sequence[Word]) -> Sequence[Word]:
    ends = (index + 1 for index, word in enumerate(words) if word.raw.endswith(","))
    return words[: next(ends, len(words))]


def _is_embedded(clause: Sequence[Word]) -> bool:
    first = clause[0].core
    return first in _RELATIVES or _is_participle(first, clause[1:])


def _is_participle(first: str, rest: Sequence[Word]) -> bool:
    passive = first.endswith("ed") and any(word.core in {"by", "in", "as"} for word in rest[:3])
    return len(rest) >= _MIN_WORDS and _is_verb(first) and (first.endswith("ing") or passive)


def _is_verb(word: str) -> bool:
    by_ending = len(word) > 4 and word.endswith(("ed", "ing"))
    return word in _VERBS or (by_ending and word not in _NOT_VERBS)


def _has_verb(words: Sequence[Word]) -> bool:
    return any(_is_verb(word.core) for word in words)


def has_subject(clause: str) -> bool:
    """Tell whether a clause seems to name who acts; one that starts with its verb does not."""
    words = [word.core for word in words_of(clause)]
    while words and (not words[0] or words[0] in _COORDINATORS | _BEFORE_GERUND | {"to", "not"}):
        words = words[1:]
    if not words:
        return False
    return not _is_verb(words[0]) or words[0] in _SPEECH


def link(left: str, right: str, *, opens_sentence: bool) -> Link:
    """Tell how two neighbouring clauses hang together; the left one may open their sentence."""
    before, after = words_of(left), words_of(right)
    first, last = after[0].core, before[-1]
    if _QUOTED.search(last.raw) and any(word.core in _SPEECH for word in after[:5]):
        return Link.ATTRIBUTION_AFTER
    if first == "that" and last.core in _SPEECH:
        return Link.ATTRIBUTION_BEFORE
    if opens_sentence and before[0].core in _SUBORDINATORS | _BEFORE_GERUND:
        return Link.CONTEXT_BEFORE
    if first in _SUBORDINATORS | _BEFORE_GERUND or tuple(w.core for w in after[:2]) in _PAIRS:
        return Link.CONTEXT_AFTER
    if first in _COORDINATORS or last.raw.endswith(";"):
        return Link.ADVERSATIVE if first in {"but", "yet"} else Link.JOINT
    return Link.ELABORATION


def resumes(host: str, embedded: str, right: str) -> bool:
    """Tell whether ``right`` takes up the clause ``host`` that ``embedded`` has interrupted."""
    inside, after = words_of(embedded), words_of(right)
    interrupted = host.endswith(",") and embedded.endswith(",")
    return interrupted and _is_embedded(inside) and _is_verb(after[0].core)
