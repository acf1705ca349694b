"""Training targets of units: the oracle's selection, mixed with the ROUGE gain of each alone."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from discobert.data.summary import Analysis, Example
from discobert.discourse.dependencies import OURS, DependencyRules, closures, enforced_dependencies
from discobert.discourse.units import UnitKind
from discobert.errors import ConfigError
from discobert.language.tokens import tokenise
from discobert.metrics.oracle import find_oracle, soft_targets
from discobert.metrics.rouge import reference_of
from discobert.store.prepared.documents import Labels, Prepared

Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True, kw_only=True)
class TargetOptions:
    """How targets differ from the oracle's 0 and 1."""

    soft_share: float = 0.5
    """Weight of each unit's own ROUGE gain (as a share of the greatest) against the oracle's."""
    label_smoothing: float = 0.0
    """How far targets move towards the mean of their document."""

    def __post_init__(self) -> None:
        for name in ("soft_share", "label_smoothing"):
            if not 0 <= getattr(self, name) <= 1:
                raise ConfigError(f"{name} must be between 0 and 1, got {getattr(self, name)}")


def mixed_targets(chosen: Floats, gains: Floats, options: TargetOptions) -> Floats:
    """Mix the oracle's choice (0 or 1) with gains (0 to 1) of one document."""
    mixed = (1 - options.soft_share) * chosen + options.soft_share * gains
    centre = mixed.mean() if len(mixed) else 0.0
    smoothed = mixed + options.label_smoothing * (centre - mixed)
    return smoothed.astype(np.float32)


def chosen_units(labels: Labels, n_units: int) -> Floats:
    """Mark the units of an oracle."""
    chosen = np.zeros(n_units, dtype=np.float32)
    chosen[list(labels.oracle)] = 1
    return chosen


def labels_of(example: Example, kind: UnitKind, *, rules: DependencyRules = OURS) -> Labels:
    """Find oracle and gains of an example: greedy on ROUGE-1, whole closures, as in the paper."""
    document = example.analysis.document
    spans = [edu.span for edu in document.edus]
    needed = None
    if kind is UnitKind.SENTENCE:
        spans = list(document.sentences)
    else:
        edges = enforced_dependencies(document, example.analysis.rst, rules=rules)
        needed = closures(len(spans), edges)
    texts = [span.of(document.text) for span in spans]
    tokens = [tokenise(text) for text in texts]
    reference = reference_of(example.reference)
    oracle = find_oracle(tokens, reference, closures=needed)
    return Labels(
        oracle=oracle.units,
        score=oracle.score,
        targets=soft_targets(tokens, reference, closures=needed).astype(np.float32),
        words=sum(len(texts[unit].split()) for unit in oracle.units),
    )


def prepared_labels(document: Prepared, kind: UnitKind, *, rules: DependencyRules = OURS) -> Labels:
    """Return the labels of a prepared document; computes them for other dependency rules."""
    if kind is UnitKind.EDU and rules != OURS:
        return labels_of(Example(document.analysis, document.article.reference), kind, rules=rules)
    return document.edus if kind is UnitKind.EDU else document.sentences


def unit_texts(analysis: Analysis, kind: UnitKind) -> list[str]:
    """Return the verbatim text of each unit."""
    document = analysis.document
    if kind is UnitKind.SENTENCE:
        return [span.of(document.text) for span in document.sentences]
    return [document.edu_text(edu) for edu in range(len(document.edus))]
