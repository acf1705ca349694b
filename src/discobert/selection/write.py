"""A choice written out: lines, what in them is not verbatim, and what a reader should know."""

from collections.abc import Sequence
from typing import NamedTuple

from discobert.data.coref import Cluster
from discobert.data.document import Document
from discobert.data.summary import Replacement, SummaryWarning
from discobert.discourse.references import Dangling, References
from discobert.selection.antecedents import ReferencePolicy, dangling_warnings
from discobert.selection.budget import measure
from discobert.selection.select import SelectionOptions
from discobert.writing.antecedent_names import replaced, replacements
from discobert.writing.realise import realise


class Written(NamedTuple):
    """The lines of a summary."""

    lines: tuple[str, ...]
    replacements: tuple[Replacement, ...] = ()
    warnings: tuple[SummaryWarning, ...] = ()


def written(
    document: Document, edus: Sequence[int], clusters: Sequence[Cluster], options: SelectionOptions
) -> Written:
    """Write EDUs out; names replace pronouns if that is asked for and the length allows it."""
    lines = realise(document, edus, rules=options.repairs)
    if options.references is ReferencePolicy.KEEP:
        return Written(lines)
    dangling = References(document, clusters).dangling(edus)
    if options.references is ReferencePolicy.RESOLVE and dangling:
        changes = replacements(document, clusters, dangling)
        lines, changes = _resolved(document, edus, changes, options)
        settled = {(change.unit, change.start) for change in changes}
        dangling = tuple(one for one in dangling if _place(one) not in settled)
    else:
        changes = ()
    return Written(lines, changes, dangling_warnings(dangling))


def _place(dangling: Dangling) -> tuple[int, int]:
    return dangling.unit, dangling.mention.span.start if dangling.mention else -1


def _resolved(
    document: Document,
    edus: Sequence[int],
    changes: Sequence[Replacement],
    options: SelectionOptions,
) -> tuple[tuple[str, ...], tuple[Replacement, ...]]:
    """Make as many changes, from the first on, as the length allows; halving finds how many."""
    limit = options.budget.limit(document)
    n_sentences = len({document.edus[edu].sentence for edu in edus})

    def lines_with(n_changes: int) -> tuple[str, ...]:
        return realise(replaced(document, changes[:n_changes]), edus, rules=options.repairs)

    def fits(n_changes: int) -> bool:
        lines = lines_with(n_changes)
        length = measure(limit.unit, lines, n_edus=len(edus), n_sentences=n_sentences)
        return limit.at_most is None or length <= limit.at_most

    low, high = 0, len(changes)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if fits(middle) else (low, middle - 1)
    return lines_with(low), tuple(changes[:low])
