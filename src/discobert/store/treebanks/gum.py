"""Reader of the corpora that the analyser is trained on: GUM, AMALGUM and LitBank as JSON lines.

GUM records which tokens a space follows; for the other two it is guessed. AMALGUM has no syntax, no
coreference and another inventory of relations; LitBank has coreference alone.
"""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import cast

from discobert.data.codecs.fields import Field, refused
from discobert.data.coref import Cluster, Mention
from discobert.data.document import Document, Edu, Span
from discobert.data.rst import Node, Nuclearity, tree_from_nodes
from discobert.data.summary import Analysis
from discobert.errors import InputError
from discobert.language.detokenise import guess_spaces
from discobert.store.jsonl import read_rows
from discobert.store.treebanks import coarse

SUBJECT_RELATIONS = frozenset({"nsubj", "csubj", "expl"})
"""UD relations of subjects, whatever their subtype (nsubj:pass, csubj:outer)."""


@dataclass(frozen=True, slots=True)
class GoldDocument:
    """An annotated document on character offsets; a layer that its corpus lacks is None."""

    id: str
    split: str
    genre: str
    non_commercial: bool
    """Whether the licence of the text forbids commercial use, and so the training of what ships."""
    text: str
    tokens: tuple[Span, ...]
    sentences: tuple[Span, ...]
    paragraphs: tuple[int, ...]
    """The first sentence of each paragraph; a single paragraph where the corpus has none."""
    edus: tuple[Span, ...] | None
    subjects: tuple[Span, ...] | None
    """The tokens that are subjects of their clauses."""
    nodes: tuple[Node, ...] | None
    """The branches of the RST tree with coarse relations."""
    has_relations: bool
    """Whether the relations of the nodes are those of GUM; nuclearity is comparable in any case."""
    clusters: tuple[tuple[Span, ...], ...] | None

    @property
    def by_people(self) -> bool:
        """Whether every layer is annotated by hand; of our corpora, only those have syntax."""
        return self.subjects is not None


def read_gum(path: Path) -> Iterator[GoldDocument]:
    """Stream the documents of a JSONL file (plain, gzip or xz) in any of the three formats."""
    for row in read_rows(path):
        with refused(row.field):
            document = gold_document(row.field)
        yield document


def gold_document(record: Field) -> GoldDocument:
    """Place the annotations of one record on the characters of its text."""
    tokens = _texts(record.member("tokens"))
    sents = _firsts(record.member("sents"), len(tokens))
    pars = _paragraphs(record, len(sents))
    text, spans = _join(tokens, _spaces(record, tokens, sents), {sents[par] for par in pars})
    edus = _optional(record, "edus")
    deprel = _optional(record, "deprel")
    tree = _optional(record, "rst_tree")
    clusters = _optional(record, "ontogum") or _optional(record, "clusters")
    return GoldDocument(
        id=record.member("doc").text(),
        split=record.optional("split", "train").text(),
        genre=record.optional("genre", "literature").text(),
        non_commercial="NC" in record.member("license").text(),
        text=text,
        tokens=spans,
        sentences=_units(sents, spans),
        paragraphs=pars,
        edus=_units(_firsts(edus, len(tokens)), spans) if edus else None,
        subjects=_subjects(deprel, spans) if deprel else None,
        nodes=tree.items(_node) if tree else None,
        has_relations="ontogum" in record.object(),
        clusters=clusters.items(lambda cluster: _mentions(cluster, spans)) if clusters else None,
    )


def _optional(record: Field, key: str) -> Field | None:
    field = record.optional(key, None)
    return None if field.value is None else field


def _texts(field: Field) -> Sequence[str]:
    """Read an array of strings; to make a path for each would take most of the time."""
    if isinstance(field.value, list) and set(map(type, field.value)) <= {str}:
        return cast("list[str]", field.value)
    return field.items(Field.text)


def _firsts(field: Field, n_items: int) -> tuple[int, ...]:
    """Read the first item of each unit; together the units hold every item."""
    firsts = field.items(Field.integer)
    rising = all(one < two for one, two in pairwise([*firsts, n_items]))
    if firsts[:1] != (0,) or not rising:
        raise field.error(f"rising numbers from 0 and below {n_items}")
    return firsts


def _paragraphs(record: Field, n_sentences: int) -> tuple[int, ...]:
    """Read the first sentence of each paragraph; some documents of GUM leave out the very first."""
    pars = record.optional("pars", []).items(Field.integer)
    return _firsts(Field([0, *(par for par in pars if par)], f"{record.path}.pars"), n_sentences)


def _spaces(record: Field, tokens: Sequence[str], sents: Sequence[int]) -> Sequence[bool]:
    flags = _optional(record, "space_after")
    if flags is None:
        return guess_spaces(tokens, sents)
    if len(flags.text()) != len(tokens):
        raise flags.error(f"a string of {len(tokens)} digits, one for each token")
    return [flag == "1" for flag in flags.text()]


def _join(
    tokens: Sequence[str], spaces: Sequence[bool], opening: set[int]
) -> tuple[str, tuple[Span, ...]]:
    """Join tokens to a text, a line break before each token that opens a paragraph."""
    pieces: list[str] = []
    spans: list[Span] = []
    position = 0
    for index, token in enumerate(tokens):
        gap = "" if index == 0 else "\n" if index in opening else " " if spaces[index - 1] else ""
        start = position + len(gap)
        position = start + len(token)
        pieces += (gap, token)
        spans.append(Span(start, position))
    return "".join(pieces), tuple(spans)


def _units(firsts: Sequence[int], tokens: Sequence[Span]) -> tuple[Span, ...]:
    bounds = pairwise([*firsts, len(tokens)])
    return tuple(Span(tokens[first].start, tokens[end - 1].end) for first, end in bounds)


def _subjects(deprel: Field, tokens: Sequence[Span]) -> tuple[Span, ...]:
    labels = _texts(deprel)
    if len(labels) != len(tokens):
        raise deprel.error(f"{len(tokens)} labels, one for each token")
    pairs = zip(tokens, labels, strict=True)
    return tuple(token for token, label in pairs if label.split(":")[0] in SUBJECT_RELATIONS)


def _node(branch: Field) -> Node:
    parts = branch.items(lambda part: part)
    if len(parts) != 5:
        raise branch.error("first, middle and last EDU, nuclearity and relation")
    first, middle, last = (part.integer() for part in parts[:3])
    return Node(first - 1, middle, last, Nuclearity(parts[3].text()), coarse(parts[4].text()))


def _mentions(cluster: Field, tokens: Sequence[Span]) -> tuple[Span, ...]:
    return cluster.items(lambda mention: _mention(mention, tokens))


def _mention(mention: Field, tokens: Sequence[Span]) -> Span:
    first, last = mention.pair()
    if not 0 <= first <= last < len(tokens):
        raise mention.error(f"first and last of {len(tokens)} tokens")
    return Span(tokens[first].start, tokens[last].end)


def gold_edus(gold: GoldDocument) -> Document:
    """Build the document of a corpus with EDUs; where subjects are unknown, all EDUs have one."""
    if gold.edus is None:
        raise InputError(f"{gold.id}: its corpus has no EDUs")
    edus: list[Edu] = []
    sentence = 0
    for edu in gold.edus:
        while gold.sentences[sentence].end <= edu.start:
            sentence += 1
        edus.append(Edu(edu, sentence, _has_subject(gold.subjects, edu)))
    return Document(gold.id, gold.text, gold.sentences, tuple(edus), gold.paragraphs)


def _has_subject(subjects: Sequence[Span] | None, edu: Span) -> bool:
    if subjects is None:
        return True
    following = bisect_left(subjects, edu.start, key=lambda subject: subject.start)
    return following < len(subjects) and subjects[following] in edu


def gold_clusters(gold: GoldDocument) -> tuple[Cluster, ...]:
    """Build the clusters of a corpus with coreference, mentions in reading order, none twice."""
    if gold.clusters is None:
        raise InputError(f"{gold.id}: its corpus has no coreference")
    return tuple(Cluster(tuple(Mention(span) for span in sorted(set(c)))) for c in gold.clusters)


def gold_analysis(gold: GoldDocument) -> Analysis:
    """Build the whole analysis of a document whose corpus has every layer (GUM)."""
    document = gold_edus(gold)
    if gold.nodes is None or gold.subjects is None:
        raise InputError(f"{gold.id}: no analysis without an RST tree and subjects")
    tree = tree_from_nodes(len(document.edus), gold.nodes)
    return Analysis(document, tree, gold_clusters(gold))
