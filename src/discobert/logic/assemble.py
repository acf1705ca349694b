"""Scores and dependencies to a summary that can explain itself."""

from discobert.data.document import Document
from discobert.data.graph import Edge
from discobert.data.summary import ModelId, Scores, Summary
from discobert.logic.realise import realise
from discobert.logic.select import DEFAULT_OPTIONS, SelectionOptions, select


def summarise(
    document: Document,
    scores: Scores,
    edges: tuple[Edge, ...],
    *,
    model: ModelId,
    options: SelectionOptions = DEFAULT_OPTIONS,
) -> Summary:
    """Select EDUs and write them out; ``model`` says whose scores they are."""
    choice = select(document, scores, edges, options)
    return Summary(
        document=document,
        scores=scores,
        selection=choice.selection,
        dependencies=edges,
        sentences=realise(document, choice.selection.edus, rules=options.repairs),
        model=model,
        warnings=choice.warnings,
    )
