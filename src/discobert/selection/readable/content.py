"""Content words of sentences as stems, and what a definite description needs before it."""

import re
from functools import lru_cache

from discobert.language.stemmer import stem
from discobert.language.wordlists import FUNCTION_WORDS

_SHORT_WORD = 3
"""Letters up to which a word is its own stem."""
_LONG_WORD = 30
"""Letters beyond which a word is too rare to be remembered."""
_WORD = re.compile(r"[a-z0-9]+(?:['’][a-z]+)?")
_WITHOUT_CONTENT = FUNCTION_WORDS | {"him", "said", "says"}

_DESCRIPTIONS = (
    ("decision ruling verdict judgment choice", "decide decided ruled"),
    ("move plan plans proposal proposals scheme measure measures", "planned propose proposed"),
    (
        "incident accident crash collision attack attacks shooting blast explosion bombing killing "
        "killings murder assault raid stabbing blaze death deaths tragedy disaster",
        "crashed attacked shot killed murdered stabbed died fire",
    ),
    ("finding findings discovery", "found finds discovered discover show shows showed revealed"),
    ("result results outcome upshot", ""),
    ("idea notion concept", ""),
    (
        "study studies research researchers scientists survey report poll",
        "researcher scientist experts found finding findings",
    ),
    (
        "claim claims allegation allegations accusation accusations comment comments remark "
        "remarks statement announcement revelation",
        "claimed alleged accused announced revealed said told",
    ),
    ("deal agreement contract pact accord transfer", "agreed signed"),
    ("offer bid request application appeal letter petition", "offered asked applied wrote"),
    ("video footage clip film recording", "filmed recorded"),
    ("image images photo photos photograph photographs picture pictures", "pictured"),
    ("post posts tweet tweets message messages note", "posted tweeted wrote"),
    ("campaign initiative programme program project", ""),
    ("protest protests protesters demonstration demonstrators rally march strike", ""),
    ("row dispute controversy scandal argument feud", ""),
    ("investigation inquiry inquest probe trial hearing case lawsuit charge charges", "court"),
    ("law bill legislation ban rule rules change changes reform reforms policy", ""),
    ("document documents papers files dossier", ""),
    ("device gadget machine technology", ""),
    ("problem problems issue issues situation question", ""),
    ("suspect suspects gunman attacker attackers killer defendant", "arrested accused charged"),
    ("victim victims", "killed injured wounded"),
    ("couple pair duo trio", "husband wife married"),
)
"""Nouns that stand for something named before, and words that name such a thing besides them."""
_NEEDED = {
    noun: frozenset(map(stem, f"{nouns} {others}".split()))
    for nouns, others in _DESCRIPTIONS
    for noun in nouns.split()
}
_DESCRIPTION = re.compile(r"[\W_]*[Tt]he\s+(?P<words>(?:[\w’'-]+\s+){1,3})")


_DEFINITE = re.compile(r"[\W_]*[Tt]he\s+(?P<words>(?:[a-z][\w’'-]*\s+){1,2})")


def definite_stems(sentence: str) -> frozenset[str]:
    """Return the first content words of a sentence that opens with "The" and a common noun."""
    match = _DEFINITE.match(sentence)
    return content_stems(match["words"]) if match else frozenset()


def content_stems(text: str) -> frozenset[str]:
    """Return the stems of the content words of a text."""
    words = set(_WORD.findall(text.lower()))
    return frozenset(map(_stem, words - _WITHOUT_CONTENT))


def described_before(sentence: str) -> frozenset[str]:
    """Return stems of which one must be shown before a sentence that opens with a description.

    "The controversial decision …" needs a decision, a ruling or the like; "The president …" and
    sentences that open otherwise need none, so that the set is empty.
    """
    match = _DESCRIPTION.match(sentence)
    words = match["words"].split() if match else ()
    return next((_NEEDED[word] for word in words if word in _NEEDED), frozenset())


def _stem(word: str) -> str:
    if len(word) <= _SHORT_WORD:
        return word
    return _common_stem(word) if len(word) <= _LONG_WORD else stem(word)


@lru_cache(maxsize=8192)
def _common_stem(word: str) -> str:
    return stem(word)
