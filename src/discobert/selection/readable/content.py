"""Content words of sentences as stems, and what a definite description needs before it."""

import re
from functools import lru_cache

from discobert.language.stemmer import stem
from discobert.language.wordlists import FUNCTION_WORDS

_LONG_WORD = 30
"""Letters beyond which a word is too rare to be remembered."""
_WORD = re.compile(r"[a-z0-9]+(?:['’][a-z]+)?")
_WITHOUT_CONTENT = FUNCTION_WORDS | {"him", "said", "says"}

_RELATED = (
    "decision decide decided ruling verdict judgment ruled choice",
    "move plan plans planned proposal proposals propose proposed scheme idea measure measures",
    "incident accident crash collision crashed attack attacks attacked shooting shot blast "
    "explosion bombing killing killings killed murder murdered assault raid stabbing stabbed "
    "fire blaze death deaths died tragedy disaster",
    "finding findings study studies research researchers researcher scientists scientist survey "
    "report poll experts team found",
    "claim claims claimed allegation allegations alleged accusation accusations accused comment "
    "comments remark remarks statement announcement announced revelation said told",
    "deal agreement agreed contract pact accord transfer signed",
    "offer bid request application appeal letter petition asked",
    "video footage clip film filmed recording recorded",
    "image images photo photos photograph photographs picture pictures pictured",
    "post posts posted tweet tweets message messages note",
    "campaign initiative programme program project",
    "protest protests protesters demonstration demonstrators rally march strike",
    "row dispute controversy scandal argument feud",
    "investigation inquiry inquest probe trial hearing case lawsuit charge charges charged court",
    "law bill legislation ban rule rules change changes reform reforms policy",
    "document documents papers files dossier",
    "device gadget machine system technology",
    "problem problems issue issues situation question",
    "result results outcome score",
    "suspect suspects gunman attacker attackers killer defendant arrested accused",
    "victim victims",
    "couple pair duo trio",
)
_STEMS = {stem(word): related for related in _RELATED for word in related.split()}
_RELATED_STEMS = {related: frozenset(map(stem, related.split())) for related in _RELATED}
_DESCRIPTION = re.compile(r"[\W_]*the\s+(?P<words>(?:[\w’'-]+\s+){1,4})", re.IGNORECASE)
_MOST_ADJECTIVES = 2


def content_stems(text: str) -> frozenset[str]:
    """Return the stems of the content words of a text."""
    words = _WORD.findall(text.lower())
    return frozenset(
        _stem(word) if len(word) > 3 else word for word in words if word not in _WITHOUT_CONTENT
    )


def described_before(sentence: str) -> frozenset[str]:
    """Return stems of which one must be shown before a sentence that opens with a description.

    "The controversial decision …" needs a decision, a ruling or the like; "The president …" and
    sentences that open otherwise need none, so that the set is empty.
    """
    match = _DESCRIPTION.match(sentence)
    if not match:
        return frozenset()
    for word in match["words"].lower().split()[: _MOST_ADJECTIVES + 1]:
        related = _STEMS.get(_stem(word))
        if related is not None:
            return _RELATED_STEMS[related]
    return frozenset()


def _stem(word: str) -> str:
    return _common_stem(word) if len(word) <= _LONG_WORD else stem(word)


@lru_cache(maxsize=8192)
def _common_stem(word: str) -> str:
    return stem(word)
