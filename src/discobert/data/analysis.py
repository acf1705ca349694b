"""The discourse of one text: document, RST tree, coreference and cuts."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Unpack

from discobert.data.codecs.json_text import JsonObject
from discobert.data.coref import Cluster
from discobert.data.cuts import Cut
from discobert.data.document import Document
from discobert.data.rst import RstTree, check_tree
from discobert.data.views import (
    ClusterView,
    EduView,
    SentenceView,
    TreeView,
    cluster_views,
    edu_views,
    sentence_views,
)
from discobert.errors import InvalidSpan, InvalidValue

if TYPE_CHECKING:
    from discobert.data.summary import Summary
    from discobert.selection.request import SummaryOptions


@dataclass(frozen=True, slots=True)
class ModelId:
    """Name, version and language of a model."""

    name: str
    version: str
    language: str = "en"
    """The language that it was trained on, by its ISO 639 code."""


_CLUSTERS = ": use analysis.clusters"
_HINTS = {
    **dict.fromkeys(("coreference", "coreferences", "chains", "entities", "mentions"), _CLUSTERS),
    "rst_tree": ": use analysis.tree",
}
"""What other libraries call something, and its name here."""


@dataclass(frozen=True, slots=True, repr=False)
class Analysis:
    """A document with its RST tree and coreference clusters; neither is optional.

    ``sentences``, ``edus``, ``clusters`` and ``tree`` show them with their text. Notebooks
    show the tree.
    """

    document: Document
    rst: RstTree
    coref: tuple[Cluster, ...] = ()
    cuts: tuple[Cut, ...] = ()
    """EDUs that can be left out of their sentence, if the analyser estimates that."""
    model: ModelId | None = field(default=None, compare=False)
    """What made it; None if it was read from a file that does not say."""

    def __post_init__(self) -> None:
        check_tree(self.rst, len(self.document.edus))
        end = len(self.document.text)
        for cluster in self.coref:
            if max(mention.span.end for mention in cluster.mentions) > end:
                raise InvalidSpan(
                    f"{self.document.id}: a mention ends after the text ({end} characters)"
                )
        for cut in self.cuts:
            check_cut(self.document, cut)

    @property
    def text(self) -> str:
        """The text that was analysed."""
        return self.document.text

    @property
    def sentences(self) -> tuple[SentenceView, ...]:
        """The sentences with their text, offsets and EDUs."""
        return sentence_views(self.document)

    @property
    def edus(self) -> tuple[EduView, ...]:
        """The EDUs with their text and offsets."""
        return edu_views(self.document)

    @property
    def clusters(self) -> tuple[ClusterView, ...]:
        """The mentions of every entity that is mentioned more than once, with their text."""
        return cluster_views(self.document, self.coref)

    @property
    def tree(self) -> TreeView:
        """The root of the RST tree; ``print(analysis.tree)`` draws it."""
        return TreeView(self.document, self.rst)

    def summarize(self, **options: "Unpack[SummaryOptions]") -> "Summary":
        """Summarise the text with the shipped model; options are those of ``Summarizer.summarize``.

        ``summarizer.summarize(analysis)`` does it with another model, or one that is loaded once.
        """
        from discobert import summarize

        return summarize(self, **options)

    def to_dict(self) -> JsonObject:
        """Return what ``discobert analyze --format json`` writes, as a dict."""
        from discobert.formats import analysis_dict

        return analysis_dict(self)

    def to_json(self, path: str | Path | None = None) -> str:
        """Return what ``discobert analyze --format json`` writes.

        It is written to a file as well if ``path`` is given.
        """
        from discobert.formats import AnalysisFormat, format_analyses, kept_in

        return kept_in(path, format_analyses([self], AnalysisFormat.JSON))

    def to_html(self, path: str | Path | None = None) -> str:
        """Return a standalone page with the tree beside the text.

        It is written to a file as well if ``path`` is given.
        """
        from discobert.formats import AnalysisFormat, format_analyses, kept_in

        return kept_in(path, format_analyses([self], AnalysisFormat.HTML))

    def save(self, path: str | Path) -> None:
        """Write the analysis by the path's suffix: .json, .rs3, .dis, .html, or .txt (the tree)."""
        from discobert.formats import save_analysis

        save_analysis(self, Path(path))

    @staticmethod
    def load(path: str | Path) -> "Analysis":
        """Read what ``save`` wrote to .json, .rs3 or .dis, or a tree file of another tool."""
        from discobert.formats import load_analysis

        return load_analysis(Path(path))

    if not TYPE_CHECKING:  # pragma: no branch - to mypy no attribute would be unknown

        def __getattr__(self, name: str) -> object:
            hint = _HINTS.get(name, "")
            raise AttributeError(
                f"'Analysis' object has no attribute {name!r}{hint}", name=name, obj=self
            )

    def _repr_html_(self) -> str:
        from discobert.formats import analysis_fragment

        return analysis_fragment(self)

    def __str__(self) -> str:
        return str(self.tree)

    def __repr__(self) -> str:
        document = self.document
        return (
            f"<Analysis of {document.id!r}: {len(document.sentences)} sentences, "
            f"{len(document.edus)} EDUs, {len(self.coref)} coreference clusters>"
        )


def check_cut(document: Document, cut: Cut) -> None:
    """Raise an error unless all EDUs of a cut are in one sentence."""
    edus = document.edus
    if not 0 <= cut.edus[0] <= cut.edus[-1] < len(edus):
        raise InvalidValue(f"{document.id}: a cut of {list(cut.edus)} among {len(edus)} EDUs")
    if edus[cut.edus[0]].sentence != edus[cut.edus[-1]].sentence:
        raise InvalidValue(f"{document.id}: the cut {list(cut.edus)} is not in one sentence")
