"""Sheets of a panel: systems side by side, in an order that hides which is which."""

import hashlib
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import permutations

from discobert.data.codecs.json_text import dumps
from discobert.data.rating import MAX_SYSTEMS, MIN_SYSTEMS, PanelKey, SheetKey
from discobert.errors import InputError, UsageError
from discobert.evaluate.ratings.key import encode_key
from discobert.render.ratings.form import RatingItem
from discobert.render.ratings.html import render_rating_html
from discobert.render.ratings.markdown import render_rating_markdown

MAX_DOCUMENTS = 1000
"""Documents of a panel; a browser must hold all of a sheet."""


class SheetForm(Enum):
    """How a sheet is written."""

    HTML = "html"
    MARKDOWN = "md"


@dataclass(frozen=True, slots=True)
class RatedDocument:
    """A document and the summaries by the systems of a panel, in the order of the systems."""

    id: str
    text: str
    summaries: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PanelPlan:
    """How documents are divided among raters."""

    raters: int = 1
    """Sheets to write; one sheet may be given to several raters, too."""
    shared: int = 8
    """Documents that are on every sheet."""
    seed: int = 0


def require_systems(systems: Sequence[str]) -> None:
    """Refuse fewer than two systems and more than three."""
    if not MIN_SYSTEMS <= len(systems) <= MAX_SYSTEMS:
        raise UsageError(
            f"a rating sheet compares two or three systems, got {len(systems)}: "
            f"{', '.join(systems)}; name them with --systems and --outputs"
        )


def require_size(n_documents: int) -> None:
    """Refuse a panel without documents, and one with too many."""
    if n_documents < 1:
        raise InputError("no article to rate: the file is empty, or --skip leaves none")
    if n_documents > MAX_DOCUMENTS:
        raise UsageError(
            f"a rating sheet holds at most {MAX_DOCUMENTS:,} documents, got {n_documents:,}; "
            "--limit or --sample takes fewer"
        )


def panel_sheets(
    documents: Sequence[RatedDocument], systems: Sequence[str], plan: PanelPlan
) -> list[SheetKey]:
    """Return the key of each sheet; systems stand at each place about equally often."""
    require_size(len(documents))
    rng = random.Random(plan.seed)
    orders = _orders(len(documents), len(systems), rng)
    panel = PanelKey(
        panel=_panel_name(documents, systems, orders),
        systems=tuple(systems),
        documents=tuple(document.id for document in documents),
        orders=orders,
    )
    if plan.raters == 1:
        return [SheetKey(panel.panel, panel, tuple(range(len(documents))))]
    divided = _divided(len(documents), plan, rng)
    return [
        SheetKey(f"{panel.panel}-{number}", panel, shown)
        for number, shown in enumerate(divided, start=1)
    ]


def _orders(n_documents: int, n_systems: int, rng: random.Random) -> tuple[tuple[int, ...], ...]:
    possible = list(permutations(range(n_systems)))
    rng.shuffle(possible)  # which orders are used once more is random
    orders = [possible[document % len(possible)] for document in range(n_documents)]
    rng.shuffle(orders)
    return tuple(orders)


def _divided(n_documents: int, plan: PanelPlan, rng: random.Random) -> Iterator[tuple[int, ...]]:
    """Yield the documents of each sheet: the shared ones and a part of the others, shuffled."""
    drawn = rng.sample(range(n_documents), n_documents)
    shared, others = drawn[: plan.shared], drawn[plan.shared :]
    for rater in range(plan.raters):
        shown = [*shared, *others[rater :: plan.raters]]
        if not shown:
            raise UsageError(
                f"{n_documents} documents are too few for {plan.raters} raters; take more, or "
                "share some with --shared-documents"
            )
        rng.shuffle(shown)
        yield tuple(shown)


def _panel_name(
    documents: Sequence[RatedDocument],
    systems: Sequence[str],
    orders: Sequence[tuple[int, ...]],
) -> str:
    """Derive a name from all that the sheets show and hide."""
    content = dumps(
        [
            list(systems),
            [[document.id, document.text, *document.summaries] for document in documents],
            [list(order) for order in orders],
        ]
    )
    return hashlib.sha256(content.encode()).hexdigest()[:12]


def write_sheet(documents: Sequence[RatedDocument], key: SheetKey, form: SheetForm) -> str:
    """Write one sheet; only a page holds its key."""
    items = [_item(documents[document], key.panel, document) for document in key.shown]
    if form is SheetForm.MARKDOWN:
        return render_rating_markdown(items)
    return render_rating_html(items, sheet=key.sheet, key=encode_key(key))


def _item(document: RatedDocument, panel: PanelKey, index: int) -> RatingItem:
    summaries = tuple(document.summaries[system] for system in panel.orders[index])
    return RatingItem(index + 1, document.text, summaries)
