"""Word lists and patterns that say what a cut takes away: sources, negation, conditions, time."""

import re
from dataclasses import dataclass
from functools import lru_cache

from discobert.language.clause_patterns import DOUBT, FIRST_PERSON
from discobert.language.verbs import FINITE
from discobert.language.wordlists import words

WORD = re.compile(r"[^\W_]+(?:[’'.-][^\W_]+)*")

STOP_WORDS = words(
    "a an the of to in on at by for with from as and or but that which who whom whose this these "
    "those it its he she they them his her their him i we you our your my me us is are was were be "
    "been being has have had do does did will would can could may might must should not no so than "
    "then there when while after before into over about out up down off also said says say mr mrs "
    "ms one if what how all more some any just s t"
)

REPORT = re.compile(
    r"\b(?:sa(?:y|ys|id|ying)|t(?:ells?|old|elling)|add(?:s|ed|ing)?|claim(?:s|ed|ing)?|"
    r"report(?:s|ed|ing|edly)?|according|announc(?:e|es|ed|ing)|wr(?:ite|ites|ote)|"
    r"insist(?:s|ed|ing)?|believ(?:e|es|ed)|argu(?:e|es|ed|ing)|warn(?:s|ed|ing)?|"
    r"suggest(?:s|ed|ing)?|admit(?:s|ted|ting)?|den(?:y|ies|ied|ying)|confirm(?:s|ed|ing)?|"
    r"reveal(?:s|ed|ing)?|stat(?:es|ed|ing)|alleg(?:e|es|ed|edly)|explain(?:s|ed|ing)?|"
    r"think(?:s|ing)?|thought|hears?|heard|tweet(?:s|ed)?|describ(?:e|es|ed)|ask(?:s|ed|ing)?|"
    r"found|shows?|showed|indicat\w+|know|knows|knew|hop(?:e|es|ed|ing)|fear(?:s|ed)?|"
    r"expect(?:s|ed)?|feel|feels|felt|conclud\w+|estimat\w+|acknowledg\w+|recall(?:s|ed)?|"
    r"not(?:es|ed|ing))\b",
    re.IGNORECASE,
)
"""Verbs of saying, thinking and finding."""

SAID = re.compile(
    r"\b(?:said|says|say|told|according|wrote|added|tweeted|claims?|claimed|insists?|insisted|"
    r"announced|reported|heard)\b",
    re.IGNORECASE,
)
"""What a clause that names a source nearly always has."""

PATTERNS: dict[str, re.Pattern[str]] = {
    "report": REPORT,
    "said": SAID,
    "neg": re.compile(
        r"\b(?:no|not|never|none|nobody|nothing|nor|neither|without|cannot|hardly|barely|"
        r"fail(?:s|ed)?|refus(?:e|es|ed))\b|n['’]t\b",
        re.IGNORECASE,
    ),
    "modal": re.compile(
        r"\b(?:can|could|may|might|must|should|would|will|shall|likely|possibly|perhaps|probably|"
        r"reportedly|allegedly|appears?|seems?)\b",
        re.IGNORECASE,
    ),
    "cond": re.compile(r"\b(?:if|unless|whether|provided|until|only|except)\b", re.IGNORECASE),
    "contrast": re.compile(
        r"\b(?:but|although|though|despite|however|while|whereas|yet|rather|instead|even)\b",
        re.IGNORECASE,
    ),
    "degree": re.compile(
        r"\b(?:so|such|too|more|less|most|least|as|same|only|first|last|enough|\w+est|those|"
        r"anyone|everyone|someone|something|anything|everything|nothing)\b",
        re.IGNORECASE,
    ),
    "time": re.compile(
        r"\b(?:yesterday|today|tomorrow|tonight|last|next|year|years|month|months|week|weeks|"
        r"(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|January|February|March|April|May|June|July|"
        r"August|September|October|November|December|(?:19|20)\d\d|earlier|later|ago|now)\b",
        re.IGNORECASE,
    ),
    "doubt": DOUBT,
    "me": FIRST_PERSON,
}
"""Kinds of meaning that a cut may take away or leave, by the name of the feature."""

VAGUE_NOUNS = words(
    """ability access activity agreement aim amount area areas argument attempt attempts authority
    belief call calls capacity case cases chance claim claims companies company condition conditions
    danger decision deal desire duty effort efforts event events evidence example fact fear fears
    feeling force form goal group groups hope idea ideas individuals information intention issue
    issues job kind lack letter level list matter matters means men method methods moment need
    number obligation offer one ones opportunity opportunities option order part people permission
    person place places plan plans point policy position possibility potential power pressure
    problem problems process project proposal question reason reasons report reports request
    responsibility result right rights risk role rule scheme sense service set side sign signs
    situation something anything everything someone anyone sort state statement step steps story
    strategy study suggestion support system task thing things those threat time times tool type
    types use view warning way ways willingness woman women work years year day man"""
)
"""Nouns that mean little without the clause that completes them."""

_FIRST_WORDS: dict[str, str] = {
    "rel": "who which where whose whom wherein",
    "that": "that",
    "to": "to",
    "when": "when whenever",
    "after": "after before since once until till following during",
    "as": "as while whilst",
    "because": "because due owing so",
    "if": "if unless whether provided",
    "and": "and plus",
    "but": "but or yet nor",
    "though": "although though despite whereas even",
    "prep": "in on at by for with from of into under over through without within against between "
    "among amid like via",
    "pron": "he she it they we i you there this these those",
    "det": "the a an his her its their our my your some many most all no every each both another",
    "what": "what how why",
    "incl": "including such especially particularly notably namely",
    "than": "than",
    "accord": "according",
    "not": "not rather instead",
    "adv": "just only also then later now meanwhile however still nearly about",
}
_CLASS_OF = {word: name for name, listed in _FIRST_WORDS.items() for word in listed.split()}
_PARTICIPLES = words(
    "known seen taken made held born given written led set found thought built left sent shown"
)
FIRST_CLASSES = (*_FIRST_WORDS, "ing", "ed", "name", "digit", "finite", "other")
"""Classes of the first word of a clause."""

_SUFFIXES = ("ing", "ed", "es", "s", "e")
_SHORTEST_STEM = 3


def first_class(word: str) -> str:
    """Return the class of a clause's first word."""
    lower = word.lower()
    tests = {
        "ing": lower.endswith("ing") and len(word) > 4,
        "ed": (lower.endswith("ed") and len(word) > 3) or lower in _PARTICIPLES,
        "digit": word[:1].isdigit(),
        "finite": lower in FINITE,
        "name": word[:1].isupper(),
    }
    found = (name for name, holds in tests.items() if holds)
    return _CLASS_OF.get(lower) or next(found, "other")


def rough_stem(word: str) -> str:
    """Cut one common ending off a word."""
    lower = word.lower()
    for suffix in _SUFFIXES:
        if lower.endswith(suffix) and len(lower) - len(suffix) >= _SHORTEST_STEM:
            return lower[: -len(suffix)]
    return lower


def is_finite_form(word: str) -> bool:
    """Return whether a form may be a finite verb: a listed one, or any in "-ed"."""
    lower = word.lower()
    return lower in FINITE or lower.endswith("ed")


PHRASES = {"cond": "in case", "degree": "one of"}
"""Phrases of two words that count as the patterns do."""


@dataclass(frozen=True, slots=True)
class WordFacts:
    """What any cut needs of a word, whatever is around it."""

    stem: str
    """Empty for a stop word."""
    kinds: frozenset[str]
    """The patterns that it has."""
    is_capital: bool
    is_number: bool
    is_finite: bool


@lru_cache(maxsize=1 << 14)
def word_facts(word: str) -> WordFacts:
    """Look a word up; texts repeat words, so answers are kept."""
    lower = word.lower()
    return WordFacts(
        stem="" if lower in STOP_WORDS else rough_stem(word),
        kinds=frozenset(name for name, pattern in PATTERNS.items() if pattern.search(word)),
        is_capital=word[0].isupper(),
        is_number=any(map(str.isdigit, word)),
        is_finite=is_finite_form(word),
    )
