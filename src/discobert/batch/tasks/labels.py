"""Training labels of an analysed article, or of its first sentences, from its reference."""

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from discobert.data.codecs.fields import Field
from discobert.data.codecs.json_text import JsonObject
from discobert.data.graph import DiscourseGraph
from discobert.data.summary import Analysis
from discobert.discourse.dependencies import closures, enforced_dependencies
from discobert.discourse.graphs import coref_graph, edge_counts, rst_graph
from discobert.language.tokens import tokenise
from discobert.metrics.oracle import PAPER, Objective, OracleConfig, find_oracle, soft_targets
from discobert.metrics.rouge import Reference, reference_of
from discobert.store.corpora.articles import Article
from discobert.store.prepared.documents import Counts, Labels

_TOKEN = re.compile(r"\w+|[^\w\s]")
# Pairs of a cluster grow with its square; beyond this many neighbours they are not counted.
_REACH = 1000


@dataclass(frozen=True, slots=True)
class ArticleLabels:
    """Oracles over EDUs and over sentences, and sizes."""

    edus: Labels
    sentences: Labels
    counts: Counts


def label_article(
    article: Article,
    analysis: Analysis,
    *,
    config: OracleConfig = PAPER,
    end: int | None = None,
) -> ArticleLabels:
    """Find the oracles of an article: over EDUs with all they depend on, and over sentences.

    ``end`` keeps only so many sentences of it, and the edges between their EDUs.
    """
    doc = analysis.document
    sentences = doc.sentences[:end]
    n_edus = edus_before(analysis, len(sentences))
    reference = reference_of(article.reference)
    needed = closures(len(doc.edus), enforced_dependencies(doc, analysis.rst))
    edu_texts = [doc.edu_text(edu) for edu in range(n_edus)]
    rst = _first_edus(rst_graph(analysis.rst), n_edus)
    coref = _first_edus(coref_graph(doc, analysis.coref, reach=_REACH), n_edus)
    return ArticleLabels(
        # Dependencies stay within a sentence, so those of the kept EDUs are complete.
        edus=_labels(edu_texts, reference, needed[:n_edus], config),
        sentences=_labels([span.of(doc.text) for span in sentences], reference, None, config),
        counts=Counts(
            tokens=count_tokens(doc.text[: sentences[-1].end]),
            reference_tokens=sum(map(count_tokens, article.reference)),
            rst_edges=len(rst.edges),
            coref_edges=edge_counts(coref).pairs,
        ),
    )


def describe_oracle(config: OracleConfig) -> JsonObject:
    """Return the settings of the oracle search as members of a manifest."""
    return {
        "objective": config.objective.value,
        "beam": config.beam,
        "max_steps": config.max_steps,
    }


def read_oracle(described: Field) -> OracleConfig:
    """Return the settings of the oracle search of a manifest."""
    steps = described.member("max_steps")
    return OracleConfig(
        objective=Objective(described.member("objective").text()),
        beam=described.member("beam").integer(),
        max_steps=None if steps.value is None else steps.integer(),
    )


def edus_before(analysis: Analysis, sentence: int) -> int:
    """Return the number of EDUs before a sentence."""
    return bisect_left(analysis.document.edus, sentence, key=lambda edu: edu.sentence)


def _first_edus(graph: DiscourseGraph, n_edus: int) -> DiscourseGraph:
    inside = (edge for edge in graph.edges if max(edge.dependent, edge.head) < n_edus)
    return DiscourseGraph(n_edus, tuple(inside))


def _labels(
    texts: Sequence[str],
    reference: Reference,
    needed: Sequence[frozenset[int]] | None,
    config: OracleConfig,
) -> Labels:
    units = [tokenise(text) for text in texts]
    oracle = find_oracle(units, reference, closures=needed, config=config)
    return Labels(
        oracle=oracle.units,
        score=oracle.score,
        targets=soft_targets(units, reference, closures=needed).astype(np.float32),
        words=sum(len(texts[unit].split()) for unit in oracle.units),
    )


def count_tokens(text: str) -> int:
    """Count words and punctuation marks, much as treebank tokenisers do."""
    return sum(1 for _ in _TOKEN.finditer(text))
