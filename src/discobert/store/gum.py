"""Readers of the gold and silver corpora that the analyser learns from (GUM, AMALGUM, LitBank)."""

import gzip
import json
import lzma
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from discobert.data.document import Span
from discobert.data.rst import Node, Nuclearity

SUBJECT_RELATIONS = ("nsubj", "csubj", "expl")
_OPENING = frozenset("([{$£€#“‘`")
_CLOSING = frozenset(")]}.,;:?!%”’…")
_CONTRACTIONS = (
    "n't",
    "'s",
    "'re",
    "'ve",
    "'ll",
    "'d",
    "'m",
    "’s",
    "n’t",
    "’re",
    "’ve",
    "’ll",
    "’d",
    "’m",
)


@dataclass(frozen=True, slots=True)
class GoldDocument:
    """An annotated document on character offsets; a layer the corpus lacks is None."""

    id: str
    split: str
    genre: str
    non_commercial: bool
    text: str
    tokens: tuple[Span, ...]
    sentences: tuple[Span, ...]
    paragraphs: tuple[int, ...]
    edus: tuple[Span, ...] | None
    subjects: tuple[Span, ...] | None
    nodes: tuple[Node, ...] | None
    has_relations: bool
    clusters: tuple[tuple[Span, ...], ...] | None


def read_gum(path: Path) -> Iterator[GoldDocument]:
    """Stream the documents of a JSONL file (plain, .gz or .xz) in the format of the shared corpora."""
    with _open(path) as lines:
        for line in lines:
            yield gold_document(json.loads(line))


def _open(path: Path) -> IO[str]:
    if path.suffix == ".xz":
        return lzma.open(path, "rt", encoding="utf-8")
    if path.suffix == ".gz":
        return gzip.open(path, "rt", encoding="utf-8")
    return path.open(encoding="utf-8")


def gold_document(record: dict[str, Any]) -> GoldDocument:
    """Place the annotations of one record on the characters of its text."""
    tokens: list[str] = record["tokens"]
    opened = {record["sents"][i] for i in record.get("pars", [])}
    spaces = record.get("space_after") or guess_spaces(tokens)
    text, spans = join_tokens(tokens, spaces, opened)
    clusters = record.get("ontogum", record.get("clusters"))
    deprel = record.get("deprel")
    tree = record.get("rst_tree")
    edus = record.get("edus")
    return GoldDocument(
        id=record["doc"],
        split=record.get("split", "train"),
        genre=record.get("genre", "literature"),
        non_commercial="NC" in record["license"],
        text=text,
        tokens=spans,
        sentences=_units(record["sents"], spans),
        paragraphs=tuple(record.get("pars") or (0,)),
        edus=None if edus is None else _units(edus, spans),
        subjects=None
        if deprel is None
        else tuple(
            span
            for span, label in zip(spans, deprel, strict=True)
            if label.split(":")[0] in SUBJECT_RELATIONS
        ),
        nodes=None if tree is None else tuple(_node(*branch) for branch in tree),
        has_relations="ontogum" in record,
        clusters=None
        if clusters is None
        else tuple(
            tuple(Span(spans[first].start, spans[last].end) for first, last in cluster)
            for cluster in clusters
        ),
    )


def coarse(relation: str) -> str:
    """Return the coarse class of a GUM relation: the part before the first hyphen, except same-unit."""
    return relation if relation == "same-unit" else relation.split("-")[0]


def _node(low: int, middle: int, high: int, nuclearity: str, relation: str) -> Node:
    return Node(low - 1, middle, high, Nuclearity(nuclearity), coarse(relation))


def _units(firsts: list[int], tokens: tuple[Span, ...]) -> tuple[Span, ...]:
    ends = [*firsts[1:], len(tokens)]
    return tuple(
        Span(tokens[a].start, tokens[b - 1].end) for a, b in zip(firsts, ends, strict=True)
    )


def join_tokens(
    tokens: list[str], space_after: str, opened: set[int]
) -> tuple[str, tuple[Span, ...]]:
    """Join tokens to a text, a line break before each token in ``opened``; return it with token spans."""
    pieces: list[str] = []
    spans: list[Span] = []
    position = 0
    for index, token in enumerate(tokens):
        if index > 0:
            gap = "\n" if index in opened else (" " if space_after[index - 1] == "1" else "")
            pieces.append(gap)
            position += len(gap)
        spans.append(Span(position, position + len(token)))
        pieces.append(token)
        position += len(token)
    return "".join(pieces), tuple(spans)


def guess_spaces(tokens: list[str]) -> str:
    """Guess which tokens were followed by a space, where the corpus does not say."""
    flags: list[str] = []
    inside_quote = False
    for index, token in enumerate(tokens):
        following = tokens[index + 1] if index + 1 < len(tokens) else ""
        if token == '"':
            inside_quote = not inside_quote
        opens_quote = token == '"' and inside_quote
        closes_quote = following == '"' and inside_quote
        glued = (
            token in _OPENING
            or opens_quote
            or closes_quote
            or following[:1] in _CLOSING
            or following.lower() in _CONTRACTIONS
            or (token in "-–" and token != "")
            and _hyphenates(tokens, index)
            or (following in ("-", "–") and _hyphenates(tokens, index + 1))
            or (token == "/" or following == "/")
        )
        flags.append("0" if glued else "1")
    return "".join(flags)


def _hyphenates(tokens: list[str], index: int) -> bool:
    """Tell whether a hyphen token joins two words (no way to know: letters on both sides decide)."""
    before = tokens[index - 1] if index > 0 else ""
    after = tokens[index + 1] if index + 1 < len(tokens) else ""
    return before[-1:].isalnum() and after[:1].isalnum()
