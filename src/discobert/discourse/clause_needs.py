"""Dependencies between clauses beyond those of the RST tree, so that each can be read alone.

Segments and trees are predicted, and even in a perfect tree a nucleus does not depend on a clause
that completes it. Each need is a small named rule that adds dependencies inside one sentence.
Selection enforces them; training labels, the paper's variants and the count of violations ignore
them.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from weakref import ref

from discobert.data.document import Document
from discobert.data.graph import Edge
from discobert.data.rst import Node, RstTree, nodes
from discobert.discourse.dependencies import (
    Attribution,
    attributions,
    closures,
    enforced_dependencies,
)
from discobert.language.clause_patterns import (
    CONDITION,
    DOUBT,
    FIRST_PERSON,
    OPEN_BEFORE_CLAUSE,
    OPEN_BEFORE_INFINITIVE,
    OPEN_END,
    PARALLEL,
    RELATIVE,
    SUBORDINATE,
)
from discobert.language.verbs import has_finite_verb
from discobert.language.wordlists import RELATIVE_PRONOUNS, any_of

_NEGATED = re.compile(r"\b(?:not|never|nobody|nothing|no)\b|n['’]t\b", re.IGNORECASE)
_LIMITS = re.compile(r"[\W_]*(?:until|till|unless|except|without)\b")
"""Limits of a negation: without [until May], "they may not cross" has another meaning."""
_CONTINUES = re.compile(rf"[\W_]*(?:{any_of(RELATIVE_PRONOUNS)}|that|where|when|why|how|to|as)\b")
_LONG_SENTENCE = 64
_LONG_ENDING, _LONG_WORD = 60, 20
"""Characters to look at for an ending of several words, and for one of a single word."""
_OF = re.compile(r"of\s")
_INFINITIVE = re.compile(r"(?:not\s+)?to\s")


@dataclass(frozen=True)
class Clauses:
    """A document with properties of its EDUs, computed on first use."""

    document: Document
    tree: RstTree
    needed: tuple[frozenset[int], ...]
    """The closure of each EDU under the dependencies so far."""

    @cached_property
    def texts(self) -> tuple[str, ...]:
        """The text of each EDU."""
        return tuple(self.document.edu_text(edu) for edu in range(len(self.document.edus)))

    @cached_property
    def verbs(self) -> dict[int, bool]:
        """Whether each EDU of ``sentences`` seems to contain a finite verb."""
        texts = self.texts
        return {edu: has_finite_verb(texts[edu]) for edus in self.sentences for edu in edus}

    @cached_property
    def attributions(self) -> tuple[Attribution, ...]:
        """The attributions inside sentences."""
        return attributions(self.document, self.tree)

    @cached_property
    def sentences(self) -> tuple[range, ...]:
        """The EDUs of the sentences with several, except very long lists."""
        found = self.document.edus_by_sentence()
        return tuple(edus for edus in found if 1 < len(edus) <= _LONG_SENTENCE)

    @cached_property
    def joins(self) -> dict[int, list[Node]]:
        """For each EDU the nodes inside its sentence with it in the right child, smallest first."""
        edus = self.document.edus
        found: dict[int, list[Node]] = {}
        for node in nodes(self.tree):
            inside = edus[node.start].sentence == edus[node.end - 1].sentence
            if inside and node.end - node.start <= _LONG_SENTENCE:
                for edu in range(node.middle, node.end):
                    found.setdefault(edu, []).append(node)
        return found

    def inner(self) -> Iterator[int]:
        """Yield the EDUs that another one follows in their sentence."""
        return (edu for edus in self.sentences for edu in edus[:-1])

    def later(self) -> Iterator[int]:
        """Yield the EDUs that follow another one in their sentence."""
        return (edu for edus in self.sentences for edu in edus[1:])


@dataclass(frozen=True, slots=True)
class Need:
    """A named rule that finds dependencies."""

    name: str
    find: Callable[[Clauses], Iterable[tuple[int, int]]]


Needs = tuple[Need, ...]


def _verb(clauses: Clauses) -> Iterator[tuple[int, int]]:
    """Make a phrase without a verb depend on its neighbour: "Militants" [linked to him were held].

    The parts of an interrupted clause depend on each other already.
    """
    for edus in clauses.sentences:
        for edu in edus:
            others = clauses.needed[edu] - {edu}
            has_verb = any(clauses.verbs[other] for other in clauses.needed[edu])
            is_joined = any(clauses.needed[other] == clauses.needed[edu] for other in others)
            if not has_verb and not is_joined:
                yield edu, edu + 1 if edu + 1 in edus else edu - 1


def _subject(clauses: Clauses) -> Iterator[tuple[int, int]]:
    """Make a clause without a subject depend on the nearest subject before it."""
    edus = clauses.document.edus
    for edu in clauses.later():
        if edus[edu].has_subject:
            continue
        if not any(edus[other].has_subject and other < edu for other in clauses.needed[edu]):
            yield edu, _nearest_subject(clauses, edu)


def _nearest_subject(clauses: Clauses, edu: int) -> int:
    """Return the first EDU with a subject in the smallest left sibling that has one."""
    edus = clauses.document.edus
    lefts = (range(node.start, node.middle) for node in clauses.joins.get(edu, ()))
    found = (other for left in lefts for other in left if edus[other].has_subject)
    return next(found, edu - 1)


def _antecedent(clauses: Clauses) -> Iterator[tuple[int, int]]:
    """Make a relative clause depend on what it modifies; "that" after "he said" is none."""
    said = {content for _, content in clauses.attributions}
    for edu in clauses.later():
        stands_alone = min(clauses.needed[edu]) == edu and edu not in said
        if stands_alone and RELATIVE.match(clauses.texts[edu]):
            yield edu, edu - 1


def _main_clause(clauses: Clauses) -> Iterator[tuple[int, int]]:
    """Make a clause with "if", "when" or "after" depend on the nearest main clause."""
    for edus in clauses.sentences:
        main = [edu for edu in edus if not SUBORDINATE.match(clauses.texts[edu])]
        for edu in edus if main else ():
            if clauses.needed[edu].isdisjoint(main):
                yield edu, min(main, key=lambda other: abs(other - edu))


def _completion(clauses: Clauses) -> Iterator[tuple[int, int]]:
    """Make a clause with an open end depend on the next: "It is the sort of meal" [that …]."""
    for edu in clauses.inner():
        text, following = clauses.texts[edu], clauses.texts[edu + 1]
        end = text[-_LONG_ENDING:]
        # The starts are tried first: to look for an ending takes many times as long.
        is_open = (
            _OF.match(following)
            or OPEN_END.search(text[-_LONG_WORD:])
            or (_CONTINUES.match(following) and OPEN_BEFORE_CLAUSE.search(end))
            or (_INFINITIVE.match(following) and OPEN_BEFORE_INFINITIVE.search(end))
            or (_LIMITS.match(following) and _NEGATED.search(text))
        )
        if is_open:
            yield edu, edu + 1


def _parallel(clauses: Clauses) -> Iterator[tuple[int, int]]:
    """Make "and because …" depend on the "because" before it, or else on its neighbour."""
    for edus in clauses.sentences:
        for edu in edus[1:]:
            if joined := PARALLEL.match(clauses.texts[edu]):
                opening = re.compile(rf"[\W_]*{joined['word']}\b", re.IGNORECASE)
                before = reversed(range(edus[0], edu))
                like = (other for other in before if opening.match(clauses.texts[other]))
                yield edu, next(like, edu - 1)


def _condition(clauses: Clauses) -> Iterator[tuple[int, int]]:
    """Make a clause depend on its condition: [If it costs more,] "members will pay"."""
    for edus in clauses.sentences:
        for edu in edus:
            if CONDITION.match(clauses.texts[edu]):
                opens = edu + 1 in edus and (edu == edus[0] or clauses.texts[edu].endswith(","))
                yield (edu + 1 if opens else edu - 1), edu


def _speaker(clauses: Clauses) -> Iterator[tuple[int, int]]:
    """Make a statement with "I" or "we" depend on its source."""
    for source, content in clauses.attributions:
        if FIRST_PERSON.search(clauses.texts[content]):
            yield content, source


def _doubt(clauses: Clauses) -> Iterator[tuple[int, int]]:
    """Make a statement depend on a source that denies or doubts it."""
    for source, content in clauses.attributions:
        if DOUBT.search(clauses.texts[source]):
            yield content, source


def _attribution(clauses: Clauses) -> Iterator[tuple[int, int]]:
    """Make every statement depend on its source."""
    for source, content in clauses.attributions:
        yield content, source


VERB = Need("verb", _verb)
SUBJECT = Need("subject", _subject)
ANTECEDENT = Need("antecedent", _antecedent)
MAIN_CLAUSE = Need("main-clause", _main_clause)
COMPLETION = Need("completion", _completion)
PARALLEL_CLAUSE = Need("parallel", _parallel)
CONDITIONAL = Need("condition", _condition)
SPEAKER = Need("speaker", _speaker)
DOUBTED = Need("doubt", _doubt)
ATTRIBUTION = Need("attribution", _attribution)

DEFAULT: Needs = (
    VERB,
    SUBJECT,
    ANTECEDENT,
    MAIN_CLAUSE,
    COMPLETION,
    PARALLEL_CLAUSE,
    CONDITIONAL,
    SPEAKER,
    DOUBTED,
)
"""Needs of clauses that are to be readable alone."""

STRICT: Needs = (*DEFAULT, ATTRIBUTION)
"""The default, and every statement needs its source."""

NONE: Needs = ()
"""The dependencies of the tree alone, as in the paper."""


def with_needs(
    document: Document, tree: RstTree, edges: tuple[Edge, ...], needs: Needs = DEFAULT
) -> tuple[Edge, ...]:
    """Add the dependencies of the needs to those inside sentences, none twice."""
    if not needs:
        return edges
    clauses = Clauses(document, tree, closures(len(document.edus), edges))
    found = {(edge.dependent, edge.head): edge for edge in edges}
    for need in needs:
        for pair in need.find(clauses):
            found.setdefault(pair, Edge(*pair, need.name))
    return tuple(found[pair] for pair in sorted(found))


class SelectionDependencies:
    """What selection obeys: the dependencies of a tree inside sentences, and needs.

    Cuts and selection ask for those of the same text, one after the other: the last answer is
    kept, without keeping the text.
    """

    def __init__(self) -> None:
        self._last: tuple[ref[Document], ref[RstTree], Needs, tuple[Edge, ...]] | None = None

    def __call__(
        self, document: Document, tree: RstTree, needs: Needs = DEFAULT
    ) -> tuple[Edge, ...]:
        """List the dependencies of a text."""
        last = self._last  # read once: other threads may replace it
        if last and last[0]() is document and last[1]() is tree and last[2] == needs:
            return last[3]
        edges = with_needs(document, tree, enforced_dependencies(document, tree), needs)
        self._last = (ref(document), ref(tree), needs, edges)
        return edges


selection_dependencies = SelectionDependencies()
"""The one for all texts."""
