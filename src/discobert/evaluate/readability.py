"""What readers trip over, counted for every system alike."""

from collections import Counter
from collections.abc import Mapping, Sequence

from discobert.data.summary import Analysis
from discobert.discourse.references import ReferenceKind, References
from discobert.metrics import readability as faults

DANGLING = tuple(f"dangling-{kind.value}s" for kind in ReferenceKind)
LINE_FAULTS = tuple(faults.LINE_FAULTS)
CUT_FAULTS = ("stranded-relatives", "missing-subjects", "missing-verbs", "split-attributions")
KINDS = (*LINE_FAULTS, *CUT_FAULTS, "lone-connectives", *DANGLING)
"""Every kind of fault; those after the first four need the text that was cut."""


def line_faults(lines: Sequence[str]) -> dict[str, int]:
    """Count the faults that show in the lines."""
    return {name: count(lines) for name, count in faults.LINE_FAULTS.items()}


def all_faults(analysis: Analysis, edus: Sequence[int], lines: Sequence[str]) -> dict[str, int]:
    """Count all faults of lines that show these EDUs."""
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
    """Average over summaries, dangling references together too; kinds nobody counted are left out.

    Systems that know nothing of EDUs have line faults alone.
    """
    total = Counter[str]()
    for found in counts:
        total.update(found)
    known = [kind for kind in KINDS if any(kind in found for found in counts)]
    means = {kind: total[kind] / len(counts) for kind in known}
    if not set(DANGLING).issubset(means):
        return means
    return means | {"dangling": sum(means[kind] for kind in DANGLING)}
