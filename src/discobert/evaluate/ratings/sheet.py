"""Two systems side by side on a sheet that does not say which is which."""

import hashlib
import random
from collections.abc import Sequence
from dataclasses import dataclass

from discobert.data.json_text import dumps
from discobert.data.rating import SheetKey
from discobert.errors import InputError, UsageError
from discobert.evaluate.ratings.key import encode_key
from discobert.render.rating_html import RatingItem, render_rating_sheet

SHEET_LIMIT = 1000
"""Documents of a sheet; nobody rates so many, and a browser must hold them all."""


@dataclass(frozen=True, slots=True)
class Rated:
    """An article and what each of two systems made of it."""

    id: str
    article: str
    summaries: tuple[str, str]


def require_two(systems: Sequence[str]) -> tuple[str, str]:
    """Refuse any number of systems but two."""
    if len(systems) != 2:
        raise UsageError(
            f"a rating sheet compares exactly two systems, got {len(systems)}: "
            f"{', '.join(systems)}; name two with --systems and --outputs"
        )
    return systems[0], systems[1]


def require_size(count: int) -> None:
    """Refuse a sheet of nothing, and one that nobody would finish."""
    if count < 1:
        raise InputError("no article to rate: the file is empty, or --skip leaves none")
    if count > SHEET_LIMIT:
        raise UsageError(
            f"a rating sheet holds at most {SHEET_LIMIT:,} documents, got {count:,}; "
            "--limit or --sample takes fewer"
        )


def rating_sheet(rated: Sequence[Rated], systems: tuple[str, str], *, seed: int) -> str:
    """Write the sheet; each system comes first on half of the documents, drawn at random."""
    require_size(len(rated))
    swapped = _orders(len(rated), seed)
    key = SheetKey(
        sheet=_name(rated, systems, swapped),
        systems=systems,
        documents=tuple(one.id for one in rated),
        swapped=swapped,
    )
    pairs = zip(rated, swapped, strict=True)
    items = [
        RatingItem(one.article, *(reversed(one.summaries) if swap else one.summaries))
        for one, swap in pairs
    ]
    return render_rating_sheet(items, sheet=key.sheet, key=encode_key(key))


def _orders(count: int, seed: int) -> tuple[bool, ...]:
    rng = random.Random(seed)
    swapped = [at % 2 == 1 for at in range(count)]
    # Of an odd number, one system gets one more; which one is drawn as well.
    if count % 2 and rng.random() < 1 / 2:
        swapped = [not swap for swap in swapped]
    rng.shuffle(swapped)
    return tuple(swapped)


def _name(rated: Sequence[Rated], systems: tuple[str, str], swapped: Sequence[bool]) -> str:
    """Derive a name from all that the sheet shows and hides."""
    content = dumps(
        [
            list(systems),
            [[one.id, one.article, *one.summaries] for one in rated],
            list(swapped),
        ]
    )
    return hashlib.sha256(content.encode()).hexdigest()[:12]
