"""Chosen EDUs to readable lines: slices of the source, then repairs where text was cut.

A document of which every EDU is chosen is returned verbatim. So is a sentence, except for a
connective to a sentence not shown, the stop after a heading, and the missing end of a quotation
that continues in a sentence not shown. In a sentence that lost a clause, any other quotation mark
or bracket stays only if its partner is shown somewhere.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Mapping
from itertools import pairwise
from typing import NamedTuple

from discobert.data.document import Document
from discobert.discourse.units import by_sentence
from discobert.errors import InvalidValue
from discobert.language.quotes import delimiters
from discobert.writing.fragments import LineFragments, Repairs, one_line
from discobert.writing.repairs import DEFAULT, apply_repairs
from discobert.writing.rules_inside import OPENING_MARKS

IsShown = Callable[[int], bool]


class _LocatedDelimiter(NamedTuple):
    start: int
    end: int
    partner: int | None
    """The EDU that contains the partner."""


class SentenceRealiser:
    """Writes the lines of one document, one per sentence."""

    def __init__(self, document: Document, repairs: Repairs = DEFAULT) -> None:
        self._document = document
        self.repairs = repairs
        self._of_whole_text = tuple(repair for repair in repairs if not repair.excerpt)
        self._edus = document.edus_by_sentence()
        self._delimiters = _delimiters_by_sentence(document)
        self._unclosed = _unclosed_quotations(document, self._delimiters)

    def line(
        self,
        sentence: int,
        edus: tuple[int, ...],
        is_shown: IsShown | None = None,
        *,
        is_excerpt: bool = True,
    ) -> str:
        """Return the line of some EDUs of a sentence, given in reading order.

        ``is_shown`` returns for EDUs of other sentences whether the summary shows them; the default
        is that all are shown. The line is empty if a repair deletes it.
        """
        repairs = self.repairs if is_excerpt else self._of_whole_text
        is_whole = len(edus) == len(self._edus[sentence])
        if is_whole and not any(repair.whole for repair in repairs):
            return one_line(self._text(edus[0], edus[-1] + 1))
        if is_shown is None:
            is_shown = self._elsewhere_or_in(sentence, edus)
        return apply_repairs(self.cut(sentence, edus, is_shown), repairs).text

    def verbatim(self, sentence: int, edus: tuple[int, ...]) -> str:
        """Return the line of some EDUs of a sentence without any repair."""
        if len(edus) == len(self._edus[sentence]):
            return one_line(self._text(edus[0], edus[-1] + 1))
        return self.cut(sentence, edus, lambda edu: True).text

    def _elsewhere_or_in(self, sentence: int, edus: tuple[int, ...]) -> IsShown:
        all_edus, shown = self._document.edus, frozenset(edus)
        return lambda edu: edu in shown or all_edus[edu].sentence != sentence

    def cut(self, sentence: int, edus: tuple[int, ...], is_shown: IsShown) -> LineFragments:
        """Cut the EDUs out of their sentence, ready for repairs."""
        everything = self._edus[sentence]
        runs = _runs(edus)
        gaps = [everything.start, *(index for run in runs for index in run), everything.stop]
        cuts = tuple(self._text(a, b) for a, b in zip(gaps[::2], gaps[1::2], strict=True))
        return LineFragments(
            shown=tuple(self._text(a, b) for a, b in runs),
            cuts=cuts,
            joints=tuple(self._joint(left, right) for (_, left), (right, _) in pairwise(runs)),
            orphans=self._orphans(sentence, runs, is_shown),
            n_edus=len(edus),
            follows=sentence == 0 or any(map(is_shown, self._edus[sentence - 1])),
            inside=self._inside(sentence, is_shown),
            continued=self._is_continued(sentence, is_shown),
        )

    def _is_continued(self, sentence: int, is_shown: IsShown) -> bool:
        """Return whether the next sentence is shown inside a quotation without an end."""
        after = sentence + 1
        return after in self._unclosed and self._is_shown(after, is_shown)

    def _is_shown(self, sentence: int, is_shown: IsShown) -> bool:
        return any(map(is_shown, self._edus[sentence]))

    def _inside(self, sentence: int, is_shown: IsShown) -> str:
        """Return the mark of a quotation without an end that goes on in a sentence, if shown."""
        opened, mark = self._unclosed.get(sentence, (sentence, ""))
        between = range(opened, sentence)
        return mark if all(self._is_shown(each, is_shown) for each in between) else ""

    def shows_all(self, chosen: Mapping[int, tuple[int, ...]]) -> bool:
        """Return whether the EDUs chosen in each sentence are all EDUs of the document."""
        return sum(map(len, chosen.values())) == len(self._document.edus)

    def _text(self, first: int, end: int) -> str:
        if first == end:
            return ""
        edus = self._document.edus
        return self._document.text[edus[first].span.start : edus[end - 1].span.end].strip()

    def _joint(self, left: int, right: int) -> str:
        """Return a space unless the source has none on either side of the cut."""
        edus, text = self._document.edus, self._document.text
        before = text[edus[left - 1].span.end - 1 : edus[left].span.start + 1]
        after = text[edus[right - 1].span.end - 1 : edus[right].span.start + 1]
        return " " if any(map(str.isspace, before + after)) else ""

    def _orphans(
        self, sentence: int, runs: list[tuple[int, int]], is_shown: IsShown
    ) -> tuple[tuple[tuple[int, int], ...], ...]:
        orphans = [
            delimiter
            for delimiter in self._delimiters.get(sentence, ())
            if delimiter.partner is None or not is_shown(delimiter.partner)
        ]
        return tuple(self._offsets(run, orphans) for run in runs) if orphans else ()

    def _offsets(
        self, run: tuple[int, int], orphans: list[_LocatedDelimiter]
    ) -> tuple[tuple[int, int], ...]:
        edus = self._document.edus
        start, end = edus[run[0]].span.start, edus[run[1] - 1].span.end
        text = self._document.text[start:end]
        start += len(text) - len(text.lstrip())
        inside = orphans[bisect_left(orphans, (start,)) : bisect_left(orphans, (end,))]
        return tuple((orphan.start - start, orphan.end - start) for orphan in inside)


def realise(
    document: Document, selected: Iterable[int], *, rules: Repairs = DEFAULT
) -> tuple[str, ...]:
    """Return the lines of the selected EDUs, one for each source sentence with a selected EDU.

    If the rules delete every line, the lines are returned without repairs.
    """
    chosen = frozenset(selected)
    n_edus = len(document.edus)
    for edu in sorted(chosen):
        if not 0 <= edu < n_edus:
            raise InvalidValue(f"{document.id}: EDU {edu} of {n_edus} cannot be shown")
    realiser = SentenceRealiser(document, rules)
    return lines(realiser, by_sentence(document, chosen))


def lines(realiser: SentenceRealiser, chosen: dict[int, tuple[int, ...]]) -> tuple[str, ...]:
    """Return the lines of the EDUs chosen in each sentence."""
    is_excerpt = not realiser.shows_all(chosen)
    is_shown = frozenset(edu for edus in chosen.values() for edu in edus).__contains__
    written = (
        realiser.line(sentence, edus, is_shown, is_excerpt=is_excerpt)
        for sentence, edus in chosen.items()
    )
    kept = tuple(filter(None, written))
    return kept or tuple(realiser.verbatim(sentence, edus) for sentence, edus in chosen.items())


def _runs(edus: tuple[int, ...]) -> list[tuple[int, int]]:
    """Group adjacent EDUs into half-open ranges."""
    breaks = [index for index in range(1, len(edus)) if edus[index] != edus[index - 1] + 1]
    return [(edus[a], edus[b - 1] + 1) for a, b in pairwise([0, *breaks, len(edus)])]


def _unclosed_quotations(
    document: Document, delimiters: Mapping[int, list[_LocatedDelimiter]]
) -> dict[int, tuple[int, str]]:
    """Map sentences inside a quotation without an end to its first sentence and its mark.

    A paragraph that opens a quotation and does not close it goes on in the next paragraph.
    """
    starts, found = frozenset(document.paragraphs), dict[int, tuple[int, str]]()
    for sentence, inside in delimiters.items():
        last = inside[-1]
        mark = document.text[last.start : last.end]
        if last.partner is None and mark in OPENING_MARKS and not _is_apostrophe(document, last):
            after = sentence + 1
            while after < len(document.sentences) and after not in starts:
                if after in delimiters:
                    break
                found[after] = (sentence, mark)
                after += 1
    return found


def _is_apostrophe(document: Document, delimiter: _LocatedDelimiter) -> bool:
    before = document.text[max(delimiter.start - 1, 0) : delimiter.start]
    return bool(before) and not before.isspace()


def _delimiters_by_sentence(document: Document) -> dict[int, list[_LocatedDelimiter]]:
    starts = [edu.span.start for edu in document.edus]
    found: dict[int, list[_LocatedDelimiter]] = {}
    for paragraph in document.paragraph_spans():
        for start, end, partner in delimiters(document.text, paragraph):
            edu = bisect_right(starts, start) - 1
            partner_edu = None if partner is None else bisect_right(starts, partner) - 1
            in_sentence = found.setdefault(document.edus[edu].sentence, [])
            in_sentence.append(_LocatedDelimiter(start, end, partner_edu))
    return found
