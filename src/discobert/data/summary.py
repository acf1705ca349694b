"""Results of the pipeline: scores, selections, summaries, training examples."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, overload

from discobert.data.analysis import Analysis, ModelId, check_cut
from discobert.data.codecs.json_text import JsonObject
from discobert.data.cuts import Cut
from discobert.data.document import Document, Span
from discobert.data.explanation import Explanation, Explanations, end_reason, explain
from discobert.data.graph import Edge
from discobert.data.markup import Segment
from discobert.data.views import ClusterView, TreeView
from discobert.errors import InvalidValue, UsageError

__all__ = [
    "Analysis",
    "Example",
    "ModelId",
    "Replacement",
    "Scores",
    "Selection",
    "SentenceSalience",
    "Summary",
    "SummaryWarning",
    "Unit",
]


@dataclass(frozen=True, slots=True)
class Scores:
    """One score per EDU; higher means more salient."""

    values: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class SentenceSalience:
    """Outputs of a network for every sentence as a whole."""

    salience: tuple[float, ...]
    """Logit: how much it deserves to be in a summary."""
    gain: tuple[float, ...]
    """Logit: its ROUGE alone, relative to the best sentence's."""
    best: tuple[float, ...]
    """Logit: an editor would choose it for a short summary."""
    never: tuple[float, ...]
    """Probability that it is a caption, heading, byline or other furniture."""


@dataclass(frozen=True, slots=True)
class Selection:
    """The chosen EDUs in reading order, each with its reason.

    That is ``score``, ``needed by N``, or ``lead`` where the first sentence was asked for.
    """

    edus: tuple[int, ...]
    reasons: tuple[str, ...]

    def __post_init__(self) -> None:
        if list(self.edus) != sorted(set(self.edus)):
            raise InvalidValue("selected EDUs must be in reading order, none twice")
        if len(self.edus) != len(self.reasons):
            raise InvalidValue(
                f"{len(self.edus)} EDUs were selected with {len(self.reasons)} reasons"
            )


@dataclass(frozen=True, slots=True)
class SummaryWarning:
    """A warning for readers of the summary."""

    code: str
    message: str
    unit: int | None = None

    def __str__(self) -> str:
        return f"{self.message} ({self.code})"


@dataclass(frozen=True, slots=True)
class Replacement:
    """A span of one EDU, by offsets into the text, that a summary replaces by other words."""

    unit: int
    start: int
    end: int
    by: str


@dataclass(frozen=True, slots=True)
class Unit:
    """One EDU in the output for users."""

    index: int
    sentence: int
    start: int
    end: int
    text: str
    score: float
    selected: bool
    reason: str | None
    depends_on: tuple[int, ...]
    left_out: str | None = None
    """Why it was left out, see ``data.explanation.LEFT``; None if chosen or not recorded."""
    source: Span | None = None
    """Its place in the decoded file, if the text was extracted from one and the place is known."""
    segments: tuple[Segment, ...] = ()
    """Headings, list items, turns and the like that it is part of."""

    def __str__(self) -> str:
        return self.text


class SummaryLine(str):
    """A line of a summary: a string that knows where its sentence stands in the source."""

    __slots__ = ("end", "start")
    start: int
    end: int

    def __new__(cls, text: str, span: Span) -> "SummaryLine":
        line = super().__new__(cls, text)
        line.start, line.end = span.start, span.end
        return line

    @property
    def text(self) -> str:
        """The line itself."""
        return str(self)

    def __reduce__(self) -> tuple[object, ...]:
        return SummaryLine, (str(self), Span(self.start, self.end))


_ALIASES = {
    **dict.fromkeys(("pieces", "chosen", "selected_units"), "selected"),
    **{f"save_{kind}": f"to_{kind}" for kind in ("html", "json", "markdown")},
    "as_dict": "to_dict",
    "html": "to_html",
}
"""What other libraries call a method, and its name here."""
_HINTS = {
    **dict.fromkeys(("scores_by_sentence", "reasons"), ": use units or explain()"),
    **dict.fromkeys(("chains", "coreference", "coref"), ": use clusters"),
    **dict.fromkeys(("source", "original"), ": use document.text"),
}


@dataclass(frozen=True, slots=True, repr=False)
class Summary(Sequence[Unit]):
    """A summary with the evidence for it; ``str(summary)`` is its text.

    It is a sequence of the units that were chosen. ``sentences`` has a line per source sentence
    shown, ``units`` every EDU of the source. Notebooks show the summary above its source.
    """

    document: Document
    scores: Scores
    selection: Selection
    dependencies: tuple[Edge, ...]
    sentences: tuple[str, ...]
    """The lines of the summary; each has ``start`` and ``end`` of its sentence in the source."""
    model: ModelId
    warnings: tuple[SummaryWarning, ...] = ()
    left: tuple[str, ...] = ()
    """Why each EDU that was not chosen was left out, in reading order; empty if not recorded."""
    replacements: tuple[Replacement, ...] = ()
    """Words of the lines that are not verbatim."""
    cuts: tuple[Cut, ...] = ()
    """What was left out of sentences that are shown in part, where the analyser judged it."""
    is_news: bool | None = None
    """Whether the model took the text for news; None if it does not tell."""
    request: JsonObject = field(default_factory=dict, hash=False)
    """The style and every other option that was asked for, by its keyword."""
    analysis: Analysis | None = field(default=None, compare=False)
    """What the summary was made from; None if it was read from JSON."""

    def __post_init__(self) -> None:
        n_edus = len(self.document.edus)
        if len(self.scores.values) != n_edus:
            raise InvalidValue(
                f"{self.document.id}: {len(self.scores.values)} scores for {n_edus} EDUs"
            )
        if self.selection.edus and self.selection.edus[-1] >= n_edus:
            raise InvalidValue(
                f"{self.document.id}: EDU {self.selection.edus[-1]} of {n_edus} was selected"
            )
        if self.left and len(self.left) != n_edus - len(self.selection.edus):
            raise InvalidValue(
                f"{self.document.id}: {len(self.left)} reasons for the "
                f"{n_edus - len(self.selection.edus)} EDUs left out"
            )
        for cut in self.cuts:
            check_cut(self.document, cut)
        shown = sorted({self.document.edus[edu].sentence for edu in self.selection.edus})
        if len(shown) == len(self.sentences):
            spans = (self.document.sentences[sentence] for sentence in shown)
            object.__setattr__(self, "sentences", tuple(map(SummaryLine, self.sentences, spans)))

    @property
    def text(self) -> str:
        """The summary as one string."""
        return " ".join(self.sentences)

    @property
    def words(self) -> int:
        """White-space words of the summary."""
        return len(self.text.split())

    @property
    def units(self) -> tuple[Unit, ...]:
        """Every EDU of the document, chosen or not, with score, reason and dependencies."""
        markup = self.document.markup
        reasons = dict(zip(self.selection.edus, self.selection.reasons, strict=True))
        unchosen = (edu for edu in range(len(self.document.edus)) if edu not in reasons)
        left = dict(zip(unchosen, self.left, strict=False))
        needs: dict[int, list[int]] = {}
        for edge in self.dependencies:
            needs.setdefault(edge.dependent, []).append(edge.head)
        return tuple(
            Unit(
                index=index,
                sentence=edu.sentence,
                start=edu.span.start,
                end=edu.span.end,
                text=edu.span.of(self.document.text),
                score=self.scores.values[index],
                selected=index in reasons,
                reason=reasons.get(index),
                depends_on=tuple(sorted(needs.get(index, ()))),
                left_out=left.get(index),
                source=markup.source_of(edu.span),
                segments=markup.segments_of(edu.span),
            )
            for index, edu in enumerate(self.document.edus)
        )

    @property
    def selected(self) -> tuple[Unit, ...]:
        """The chosen units in reading order: ``tuple(summary)``."""
        return tuple(unit for unit in self.units if unit.selected)

    @property
    def edus(self) -> tuple[Unit, ...]:
        """Every EDU of the source: ``units``."""
        return self.units

    @property
    def tree(self) -> TreeView | None:
        """The root of the source's RST tree; None if the summary was read from JSON."""
        return None if self.analysis is None else self.analysis.tree

    @property
    def clusters(self) -> tuple[ClusterView, ...]:
        """The source's coreference clusters; none if the summary was read from JSON."""
        return () if self.analysis is None else self.analysis.clusters

    @property
    def left_out(self) -> tuple[Unit, ...]:
        """The units that were not chosen; ``unit.left_out`` says why."""
        return tuple(unit for unit in self.units if not unit.selected)

    def __len__(self) -> int:
        return len(self.selection.edus)

    def __iter__(self) -> Iterator[Unit]:
        return iter(self.selected)

    @overload
    def __getitem__(self, index: int) -> Unit: ...

    @overload
    def __getitem__(self, index: slice) -> tuple[Unit, ...]: ...

    def __getitem__(self, index: int | slice) -> Unit | tuple[Unit, ...]:
        return self.selected[index]

    @overload
    def explain(self) -> Explanations: ...

    @overload
    def explain(self, unit: int) -> Explanation: ...

    def explain(self, unit: int | None = None) -> Explanation | Explanations:
        """Explain why one unit, or each, was chosen or left out; ``print`` shows a line of each."""
        by_score = self.request.get("style") != "readable"
        found = Explanations(explain(self.units, self.cuts, by_score=by_score))
        if unit is None:
            return found
        if unit not in range(len(found)):
            raise UsageError(f"unit must be the index of one, 0 to {len(found) - 1}, got {unit!r}")
        return found[unit]

    @property
    def end(self) -> str | None:
        """Why the summary ends where it ends, see ``data.explanation.ENDS``; None if unknown."""
        is_known = self.left or len(self.selection.edus) == len(self.document.edus)
        return end_reason(self.left) if is_known else None

    def to_dict(self) -> JsonObject:
        """Return what ``discobert summarize --format json`` writes, as a dict."""
        from discobert.data.codecs.summary import encode_summary

        return encode_summary(self)

    def to_json(self, path: str | Path | None = None) -> str:
        """Return what ``discobert summarize --format json`` writes.

        It is written to a file as well if ``path`` is given.
        """
        from discobert.formats import SummaryFormat, format_summaries, kept_in

        return kept_in(path, format_summaries([self], SummaryFormat.JSON))

    def to_markdown(self, path: str | Path | None = None) -> str:
        """Return the summary in Markdown, with the source and what was left out struck through.

        It is written to a file as well if ``path`` is given.
        """
        from discobert.formats import SummaryFormat, format_summaries, kept_in

        return kept_in(path, format_summaries([self], SummaryFormat.MARKDOWN))

    def to_html(self, path: str | Path | None = None) -> str:
        """Return a standalone page: the summary, its source, what was left out and why.

        It is written to a file as well if ``path`` is given.
        """
        from discobert.formats import SummaryFormat, format_summaries, kept_in

        return kept_in(path, format_summaries([self], SummaryFormat.HTML))

    def save(self, path: str | Path) -> None:
        """Write the summary by the path's suffix: .txt, .md, .json, .jsonl or .html."""
        from discobert.formats import save_summary

        save_summary(self, Path(path))

    if not TYPE_CHECKING:  # pragma: no branch - to mypy no attribute would be unknown

        def __getattr__(self, name: str) -> object:
            if name in _ALIASES:
                return getattr(self, _ALIASES[name])
            raise AttributeError(
                f"'Summary' object has no attribute {name!r}{_HINTS.get(name, '')}",
                name=name,
                obj=self,
            )

    def _repr_html_(self) -> str:
        from discobert.formats import summary_fragment

        return summary_fragment(self)

    def __str__(self) -> str:
        return self.text

    def __format__(self, spec: str) -> str:
        return format(self.text, spec)

    def __repr__(self) -> str:
        n_words = len(self.document.text.split())
        return (
            f"<Summary of {self.document.id!r}: {self.words} of {n_words} words, "
            f"{len(self.selection.edus)} of {len(self.document.edus)} units>"
        )


@dataclass(frozen=True, slots=True)
class Example:
    """An analysed document with the lines of its reference summary."""

    analysis: Analysis
    reference: tuple[str, ...]
