"""A rating sheet as one standalone HTML page: who wrote which summary stays hidden."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from string import Template

from discobert.data.rating import HIGHEST, LOWEST, Place, Question
from discobert.render.page import Page, template

PAGE = Page(styles=["page.css", "rating.css"], scripts=["rating.js"], legend="rating_legend.html")


@dataclass(frozen=True, slots=True)
class Wording:
    """How a question is put, at length and as a reminder, and the ends of its scale."""

    title: str
    asks: str
    reminder: str
    low: str
    high: str


WORDING = {
    Question.OVERALL: Wording(
        title="Overall",
        asks="How good is it, all in all, as a summary of the article?",
        reminder="as a summary of the article",
        low="very poor",
        high="very good",
    ),
    Question.COHERENCE: Wording(
        title="Coherence",
        asks="Do its sentences belong together, and is it clear who or what each is about?",
        reminder="connected, clear who is who",
        low="not at all coherent",
        high="fully coherent",
    ),
    Question.GRAMMATICALITY: Wording(
        title="Grammaticality",
        asks="Is it correct English, with whole sentences and proper punctuation?",
        reminder="correct, whole sentences",
        low="full of errors",
        high="no errors",
    ),
}
"""The paper names its three questions but not their wording, which is ours."""

_LETTERS = {Place.FIRST: "A", Place.SECOND: "B"}


@dataclass(frozen=True, slots=True)
class RatingItem:
    """An article and two summaries of it, in the order in which they are shown."""

    article: str
    first: str
    second: str


def render_rating_sheet(items: Sequence[RatingItem], *, sheet: str, key: str) -> str:
    """Write the page; ``key`` tells those who can read it which system wrote what.

    All text is escaped, and the page's own policy forbids any script but ours.
    """
    count = len(items)
    body = Template(template("rating_sheet.html")).substitute(
        sheet=escape(sheet),
        key=escape(key),
        facts="1 document, two summaries"
        if count == 1
        else f"{count} documents, two summaries of each",
        lowest=LOWEST,
        highest=HIGHEST,
        questions="\n".join(map(_question, WORDING.values())),
        n_documents=count,
        items="".join(_item(item, number, count) for number, item in enumerate(items, start=1)),
        chips="\n".join(_chip(number) for number in range(1, count + 1)),
    )
    return PAGE.fill("Rating sheet", (), [body])


def _question(wording: Wording) -> str:
    ends = f"{LOWEST}: {wording.low}, {HIGHEST}: {wording.high}"
    return f'<dt>{wording.title}</dt><dd>{wording.asks} <span class="mute">{ends}</span></dd>'


def _chip(number: int) -> str:
    spoken = '<span class="vh">Document </span>'
    return f'<li><a href="#d{number}">{spoken}{number}<span class="vh state"></span></a></li>'


def _item(item: RatingItem, number: int, count: int) -> str:
    n_words = len(item.article.split())
    paragraphs = filter(str.strip, item.article.splitlines())
    return Template(template("rating_item.html")).substitute(
        id=f"d{number}",
        number=number,
        n_documents=count,
        words="1 word" if n_words == 1 else f"{n_words:,} words",
        article="\n".join(f'<p dir="auto">{escape(text)}</p>' for text in paragraphs),
        cards="\n".join(_cards(item, f"d{number}")),
    )


def _cards(item: RatingItem, name: str) -> list[str]:
    """Write a card for each summary, or one for both if they read the same."""
    if item.first == item.second:
        return [_card(item.first, name, (Place.FIRST, Place.SECOND))]
    return [_card(item.first, name, (Place.FIRST,)), _card(item.second, name, (Place.SECOND,))]


def _card(text: str, name: str, places: tuple[Place, ...]) -> str:
    letters = " and ".join(_LETTERS[place] for place in places)
    title = f"Summary {letters}" if len(places) == 1 else f"Summaries {letters} read the same"
    shown = f'<p class="shown" dir="auto">{escape(text)}</p>'
    if not text.strip():
        shown = '<p class="shown mute">(This summary is empty.)</p>'
    card = f"{name}-{places[0].value}"
    return "\n".join(
        [
            f'<section class="card" aria-labelledby="{card}">',
            f'<h3 id="{card}">{title}</h3>',
            shown,
            *(_ask(question, card, places) for question in Question),
            "</section>",
        ]
    )


def _ask(question: Question, card: str, places: tuple[Place, ...]) -> str:
    wording = WORDING[question]
    letters = " and ".join(_LETTERS[place] for place in places)
    ends = {LOWEST: wording.low, HIGHEST: wording.high}
    buttons = "".join(
        f'<label><input type="radio" name="{card}-{question.value}" value="{value}">'
        f"<span>{value}{_spoken(ends.get(value))}</span></label>"
        for value in range(LOWEST, HIGHEST + 1)
    )
    return (
        f'<fieldset class="ask" data-place="{" ".join(place.value for place in places)}"'
        f' data-question="{question.value}"><legend>{wording.title}<span class="vh"> of summary'
        f' {letters}:</span> <span class="mute">{wording.reminder}</span></legend>'
        f'<div class="scale"><span class="end" aria-hidden="true">{wording.low}</span>{buttons}'
        f'<span class="end" aria-hidden="true">{wording.high}</span></div></fieldset>'
    )


def _spoken(meaning: str | None) -> str:
    return "" if meaning is None else f'<span class="vh">, {meaning}</span>'
