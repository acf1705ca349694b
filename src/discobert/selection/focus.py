"""Scores that favour what a query is about.

A unit is about the query as far as it holds the query's words, rare ones counting more, or lies in
a sentence that does. A name counts wherever the text refers to it: the unit's own words are joined
by those of all mentions of whatever the unit mentions.
"""

import math
import re
from collections import Counter
from collections.abc import Collection, Sequence

from discobert.data.coref import Cluster
from discobert.data.document import Document
from discobert.discourse.graphs import cluster_edus
from discobert.errors import UsageError
from discobert.language.stemmer import stem
from discobert.language.wordlists import FUNCTION_WORDS

NEIGHBOUR_SHARE = 0.5
"""What a unit has of the relevance of its sentence as a whole."""

_WORD = re.compile(r"\w+")
_LONGEST_UNSTEMMED = 3
_LONGEST_NAME = 6


def stems_of(text: str) -> list[str]:
    """Return the stems of a text's words, of any script, without regard to case."""
    words = (word.casefold() for word in _WORD.findall(text))
    return [stem(word) if len(word) > _LONGEST_UNSTEMMED else word for word in words]


def query_words(query: str) -> frozenset[str]:
    """Return the words that a query is about; function words count only if there are no others."""
    given = [word.casefold() for word in _WORD.findall(query)]
    if not given:
        raise UsageError(f"the focus must hold a word, got {query!r}")
    content = [word for word in given if word not in FUNCTION_WORDS] or given
    return frozenset(stems_of(" ".join(content)))


def relevances(units: Sequence[Collection[str]], query: frozenset[str]) -> tuple[float, ...]:
    """Return how much of a query each unit holds, from 0 to 1, by the rarity of the words.

    Words that no unit holds do not count; if that leaves none, all get 0.
    """
    found = Counter(word for words in units for word in query.intersection(words))
    weights = {word: math.log(1 + len(units) / count) for word, count in found.items()}
    total = math.fsum(weights.values())
    if not total:
        return (0.0,) * len(units)
    return tuple(
        math.fsum(weights[word] for word in sorted(query.intersection(words))) / total
        for words in units
    )


def unit_relevances(
    document: Document, clusters: Sequence[Cluster], query: str
) -> tuple[float, ...]:
    """Return how much each unit of a document is about a query, from 0 to 1."""
    wanted = query_words(query)
    units = [set(stems_of(document.edu_text(edu))) for edu in range(len(document.edus))]
    for cluster, edus in zip(clusters, cluster_edus(document, clusters), strict=True):
        named = _names(document, cluster)
        for edu in edus:
            units[edu] |= named
    own = relevances(units, wanted)
    by_sentence = document.edus_by_sentence()
    whole = relevances([set().union(*(units[edu] for edu in edus)) for edus in by_sentence], wanted)
    return tuple(
        max(relevance, NEIGHBOUR_SHARE * whole[edu.sentence])
        for relevance, edu in zip(own, document.edus, strict=True)
    )


def _names(document: Document, cluster: Cluster) -> frozenset[str]:
    """Collect the words of mentions short enough to be names, not descriptions with clauses."""
    mentions = (stems_of(mention.span.of(document.text)) for mention in cluster.mentions)
    return frozenset(word for words in mentions if len(words) <= _LONGEST_NAME for word in words)


def boost(
    scores: Sequence[float], relevances: Sequence[float], *, weight: float = 1.0
) -> tuple[float, ...]:
    """Add to each score its relevance times ``weight`` times the range of all scores.

    At a weight of 1, what is wholly about the query and scores lowest is on a par with what is not
    and scores highest.
    """
    if not 0 <= weight < math.inf:
        raise UsageError(f"the weight of the focus must be 0 or more and finite, got {weight}")
    span = max(scores) - min(scores) or 1.0
    return tuple(
        score + weight * span * relevance
        for score, relevance in zip(scores, relevances, strict=True)
    )


def sentence_relevances(
    document: Document, clusters: Sequence[Cluster], focus: str | None
) -> tuple[float, ...] | None:
    """Return how much each sentence is about a focus, or ``None`` without one."""
    if focus is None:
        return None
    found = unit_relevances(document, clusters, focus)
    return tuple(max(found[edu] for edu in edus) for edus in document.edus_by_sentence())
