"""Readability faults of summaries, counted in the same way for every system."""

from collections import Counter
from collections.abc import Mapping, Sequence

from discobert.data.summary import Analysis
from discobert.discourse.references import ReferenceKind, References
from discobert.metrics import readability as faults

DANGLING = tuple(f"dangling-{kind.value}s" for kind in ReferenceKind)
LINE_FAULTS = tuple(faults.LINE_FAULTS)
CUT_FAULTS = ("stranded-relatives", "missing-subjects", "missing-verbs", "split-attributions")
KINDS = (*LINE_FAULTS, *CUT_FAULTS, "lone-connectives", *DANGLING)
"""Every kind of fault; those after ``LINE_FAULTS`` need the source."""


def line_faults(lines: Sequence[str]) -> dict[str, int]:
    """Count the faults that can be seen in the lines alone."""
    return {name: count(lines) for name, count in faults.LINE_FAULTS.items()}


def all_faults(analysis: Analysis, edus: Sequence[int], lines: Sequence[str]) -> dict[str, int]:
    """Count all faults of a summary with its lines and EDUs."""
    document, tree = analysis.document, analysis.rst
    dangling = Counter(
        f"dangling-{found.kind.value}s"
        for found in References(document, analysis.coref).dangling(edus)
    )
    return {
        **line_faults(lines),
        "stranded-relatives": faults.stranded_relatives(document, edus, lines),
        "missing-subjects": faults.missing_subjects(document, edus),
        "missing-verbs": faults.missing_verbs(document, edus),
        "split-attributions": faults.split_attributions(document, tree, edus),
        "lone-connectives": faults.lone_connectives(document, edus, lines),
        **{kind: dangling[kind] for kind in DANGLING},
    }


def per_summary(counts: Sequence[Mapping[str, int]]) -> dict[str, float]:
    """Average over summaries; ``dangling`` is the sum of all dangling references.

    Kinds that were not counted are missing: systems without EDUs have line faults alone.
    """
    total = Counter[str]()
    for found in counts:
        total.update(found)
    known = [kind for kind in KINDS if any(kind in found for found in counts)]
    means = {kind: total[kind] / len(counts) for kind in known}
    if not set(DANGLING).issubset(means):
        return means
    return means | {"dangling": sum(means[kind] for kind in DANGLING)}
