"""Pronouns and surnames replaced by full names, on request: the only change of words.

The names are taken from the source. Every replacement is recorded, so that the summary states
which words are not verbatim.
"""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from discobert.data.coref import Cluster
from discobert.data.document import Document, Span
from discobert.data.summary import Replacement
from discobert.discourse.references import Dangling, ReferenceKind, is_pronoun
from discobert.language.wordlists import (
    OBJECT_FORMS,
    PLURAL_PRONOUNS,
    POSSESSIVE_DETERMINERS,
    SUBJECT_FORMS,
    THIRD_PERSON,
)

_POSSESSIVE = (POSSESSIVE_DETERMINERS & THIRD_PERSON) - {"her"}
_SUBJECT_OR_OBJECT = ((SUBJECT_FORMS | OBJECT_FORMS) & THIRD_PERSON) - {"her"} | {"this", "these"}
_PLURAL = PLURAL_PRONOUNS | {"these"}
_NAME = re.compile(
    r"(?:[^\W\d_a-z][\w’'.-]*)(?:\s+(?:(?:of|de|da|van|von|bin|al|and|the)\s+)*[^\W\d_a-z][\w’'.-]*){0,4}"
)
_POSSESSIVE_END = re.compile(r"['’]s?$")
_NOUN_FOLLOWS = re.compile(
    r"\s+(?!(?:and|or|but|to|in|on|at|for|with|from|by|as|that|who|when|while|after|before|because|"
    r"if|is|was|a|an|the|his|her|their|its|out|up|off|into|over|about|again)\b)[^\W\d_]"
)
_SEVERAL = re.compile(r"\band\b|(?:[^s]s)$")


def replacements(
    document: Document, clusters: Sequence[Cluster], dangling: Iterable[Dangling]
) -> tuple[Replacement, ...]:
    """Return full names for the dangling pronouns and surnames that have one."""
    found = (_replacement(document, clusters, one) for one in dangling)
    return tuple(filter(None, found))


def _replacement(
    document: Document, clusters: Sequence[Cluster], dangling: Dangling
) -> Replacement | None:
    if dangling.mention is None or dangling.cluster is None:
        return None
    if dangling.kind is ReferenceKind.DESCRIPTION:
        return None
    span = dangling.mention.span
    name = representative(document.text, clusters[dangling.cluster])
    shown = name and _form(document.text, span, name)
    return Replacement(dangling.unit, span.start, span.end, shown) if shown else None


def representative(text: str, cluster: Cluster) -> str | None:
    """Return the longest proper name of a cluster, the first of equals."""
    mentions = (_POSSESSIVE_END.sub("", mention.span.of(text)) for mention in cluster.mentions)
    names = [found for found in mentions if _NAME.fullmatch(found) and not is_pronoun(found)]
    return max(names, key=len, default=None)


def _form(text: str, span: Span, name: str) -> str | None:
    """Return a name in the case of the word it replaces; nothing if it does not fit."""
    word = span.of(text)
    lowered = word.lower()
    if lowered in _PLURAL and not _SEVERAL.search(name):
        return None
    follows = _NOUN_FOLLOWS.match(text, span.end)
    if lowered in _POSSESSIVE or (lowered == "her" and follows):
        return f"{name}{'’' if '’' in text else chr(39)}s"
    if lowered in _SUBJECT_OR_OBJECT or lowered == "her" or name.endswith(word):
        return name
    return None


def replaced(document: Document, changes: Sequence[Replacement]) -> Document:
    """Return the document with the replacements made and all spans adjusted."""
    ordered = sorted(changes, key=lambda change: change.start)
    parts, position = list[str](), 0
    for change in ordered:
        parts += document.text[position : change.start], change.by
        position = change.end
    moved = _mover(ordered)
    return replace(
        document,
        text="".join([*parts, document.text[position:]]),
        sentences=tuple(Span(moved(s.start), moved(s.end)) for s in document.sentences),
        edus=tuple(
            replace(edu, span=Span(moved(edu.span.start), moved(edu.span.end)))
            for edu in document.edus
        ),
    )


def _mover(ordered: Sequence[Replacement]) -> Callable[[int], int]:
    ends = [change.end for change in ordered]
    shifts = [0]
    for change in ordered:
        shifts.append(shifts[-1] + len(change.by) - (change.end - change.start))
    return lambda offset: offset + shifts[bisect_right(ends, offset)]
