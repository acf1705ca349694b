"""A rating sheet as one standalone HTML page; which system wrote which summary is hidden."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from string import Template

from discobert.data.rating import HIGHEST, LOWEST, Place, Question
from discobert.render.page import Page, template
from discobert.render.ratings.form import COUNTS, FAULTS, WORDING, RatingItem, Wording

PAGE = Page(styles=["page.css", "rating.css"], scripts=["rating.js"], footer="rating_legend.html")
_RANK = Wording("Rank", "", "best first, ties allowed", "best", "last")


def render_rating_html(items: Sequence[RatingItem], *, sheet: str, key: str) -> str:
    """Write the page; ``key`` is the encoded key, saved with the answers.

    All text is escaped, and the page's own policy forbids any script but ours.
    """
    count = len(items)
    n_summaries = COUNTS[len(items[0].summaries)]
    body = Template(template("rating_sheet.html")).substitute(
        sheet=escape(sheet),
        key=escape(key),
        facts=f"1 document, {n_summaries} summaries"
        if count == 1
        else f"{count} documents, {n_summaries} summaries of each",
        n_summaries=n_summaries,
        n_programs=n_summaries.capitalize(),
        lowest=LOWEST,
        highest=HIGHEST,
        questions="\n".join(_question(question) for question in WORDING),
        n_documents=count,
        items="".join(_item(item, number, count) for number, item in enumerate(items, start=1)),
        chips="\n".join(_chip(number) for number in range(1, count + 1)),
    )
    return PAGE.fill("Rating sheet", (), [body])


def _question(question: Question) -> str:
    wording = WORDING[question]
    ends = f"{question.scale[0]}: {wording.low}, {question.scale[-1]}: {wording.high}"
    return f'<dt>{wording.title}</dt><dd>{wording.asks} <span class="mute">{ends}</span></dd>'


def _chip(number: int) -> str:
    spoken = '<span class="vh">Document </span>'
    return f'<li><a href="#d{number}">{spoken}{number}<span class="vh state"></span></a></li>'


def _item(item: RatingItem, number: int, count: int) -> str:
    n_words = len(item.text.split())
    return Template(template("rating_item.html")).substitute(
        id=f"d{number}",
        item=item.number,
        number=number,
        n_documents=count,
        words="1 word" if n_words == 1 else f"{n_words:,} words",
        article="\n".join(f'<p dir="auto">{escape(text)}</p>' for text in item.paragraphs()),
        cards="\n".join(card.html() for card in _cards(item, f"d{number}")),
    )


def _cards(item: RatingItem, document: str) -> Iterator["_Card"]:
    """Yield a card for each summary; those that read the same share one."""
    places = tuple(Place)[: len(item.summaries)]
    distinct = dict.fromkeys(item.summaries)
    for text in distinct:
        same = [
            place for place, summary in zip(places, item.summaries, strict=True) if summary == text
        ]
        n_ranks = len(places) if len(distinct) > 1 else 0
        yield _Card(text, document, tuple(same), n_ranks)


@dataclass(frozen=True, slots=True)
class _Card:
    """A summary with its questions; it may stand at several places."""

    text: str
    document: str
    places: tuple[Place, ...]
    n_ranks: int
    """Ranks to choose from; none if there is nothing to compare with."""

    @property
    def id(self) -> str:
        return f"{self.document}-{self.places[0].value}"

    @property
    def letters(self) -> str:
        return " and ".join(place.letter for place in self.places)

    def html(self) -> str:
        one = len(self.places) == 1
        title = f"Summary {self.letters}" if one else f"Summaries {self.letters} read the same"
        shown = f'<p class="shown" dir="auto">{escape(self.text)}</p>'
        if not self.text.strip():
            shown = '<p class="shown mute">(This summary is empty.)</p>'
        asks = [self._ask(q.value, WORDING[q], list(q.scale)) for q in Question]
        if self.n_ranks:
            asks.append(self._ask("rank", _RANK, list(range(1, self.n_ranks + 1))))
        return "\n".join(
            [
                f'<section class="card" aria-labelledby="{self.id}">',
                f'<h3 id="{self.id}">{title}</h3>',
                shown,
                *asks,
                self._reason(),
                self._faults(),
                "</section>",
            ]
        )

    @property
    def _where(self) -> str:
        return f'data-place="{" ".join(place.value for place in self.places)}"'

    def _ask(self, name: str, wording: Wording, values: Sequence[int]) -> str:
        ends = {values[0]: wording.low, values[-1]: wording.high}
        buttons = "".join(
            f'<label><input type="radio" name="{self.id}-{name}" value="{value}">'
            f"<span>{value}{_spoken(ends.get(value))}</span></label>"
            for value in values
        )
        return (
            f'<fieldset class="ask" {self._where} data-question="{name}">'
            f'<legend>{wording.title}<span class="vh"> of summary {self.letters}:</span>'
            f' <span class="mute">{wording.reminder}</span></legend>'
            f'<div class="scale"><span class="end" aria-hidden="true">{wording.low}</span>{buttons}'
            f'<span class="end" aria-hidden="true">{wording.high}</span></div></fieldset>'
        )

    def _reason(self) -> str:
        return (
            f'<label class="remark" {self._where}>Misleading line, quoted, and why'
            f'<span class="vh">, summary {self.letters}</span>'
            '<textarea class="reason" rows="2" maxlength="1000"></textarea></label>'
        )

    def _faults(self) -> str:
        boxes = "".join(
            f'<label><input type="checkbox" class="fault" value="{kind.value}"> {meaning}</label>'
            for kind, meaning in FAULTS.items()
        )
        return (
            f'<fieldset class="remark faults" {self._where}><legend>Faults, if any'
            f'<span class="vh">, of summary {self.letters}</span></legend>{boxes}</fieldset>'
        )


def _spoken(meaning: str | None) -> str:
    return "" if meaning is None else f'<span class="vh">, {meaning}</span>'
