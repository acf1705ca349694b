"""Texts to measure with: from a file, or news-like English made by rules.

Generated texts are the same on every machine and free of copyright. Their sentences are as long as
those of news, have clauses, quotations, figures and pronouns, and name people who change from story
to story, so that every stage of the pipeline has realistic work.
"""

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from discobert.benchmark.phrases import FIRST_NAMES, PHRASES, SENTENCES, SURNAMES
from discobert.store.corpora.json_lines import text_of
from discobert.store.jsonl import read_rows

_SLOT = re.compile(r"\{(\w+)\}")
_STORY_SENTENCES = 28
_PARAGRAPH_SENTENCES = 3
LENGTHS = (180, 320, 450, 560, 600, 640, 720, 850, 1000, 1300)
"""Words of generated texts; their mean is near that of CNN/DailyMail."""


@dataclass(frozen=True, slots=True)
class NamedText:
    """A text to be summarised."""

    id: str
    text: str

    @property
    def words(self) -> int:
        """Number of words, counted as lengths of summaries are."""
        return len(self.text.split())


def usual_texts(n_texts: int) -> list[NamedText]:
    """Generate texts of ``LENGTHS`` words, starting again after the last."""
    lengths = [LENGTHS[number % len(LENGTHS)] for number in range(n_texts)]
    return [generated(words, seed=number) for number, words in enumerate(lengths)]


def read_texts(path: Path, *, limit: int) -> list[NamedText]:
    """Read texts from lines of JSON with ``article`` (paragraphs) or ``text``."""
    return [NamedText(*text_of(row)) for row in read_rows(path, limit=limit)]


def generated(words: int, *, seed: int = 0) -> NamedText:
    """Generate one text of exactly so many words; its last sentence may be cut."""
    paragraphs: list[str] = []
    left = words
    stories = _stories(seed)
    while left > 0:
        paragraph = " ".join(next(stories)).split()[:left]
        left -= len(paragraph)
        paragraphs.append(" ".join(paragraph))
    return NamedText(f"generated-{words}-{seed}", "\n".join(paragraphs))


def _stories(seed: int) -> Iterator[list[str]]:
    """Yield paragraphs without end; each story names other people."""
    number = 0
    while True:
        # A string, not a tuple: only its seeding is the same in every process.
        rng = random.Random(f"{seed} {number}")
        story = _Story(rng)
        for _ in range(_STORY_SENTENCES // _PARAGRAPH_SENTENCES):
            yield [story.sentence() for _ in range(1 + int(rng.random() * _PARAGRAPH_SENTENCES))]
        number += 1


class _Story:
    """Sentences about one place and two people; names are full at first, then short."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng
        self._cast = {name: self._pick(PHRASES[name]) for name in ("town", "thing", "office")}
        self._people = {role: self._names() for role in ("person", "other")}
        self._last = ""

    def _pick(self, options: tuple[str, ...]) -> str:
        # random() is promised to stay the same between versions of Python; choice() is not.
        return options[int(self._rng.random() * len(options))]

    def _names(self) -> list[str]:
        surname = self._pick(SURNAMES)
        return [f"{self._pick(FIRST_NAMES)} {surname}", surname]

    def sentence(self) -> str:
        """Write one more; none follows another of its kind."""
        template = self._last
        while template == self._last:
            template = self._pick(SENTENCES)
        self._last = template
        while _SLOT.search(template):
            template = _SLOT.sub(self._fill, template)
        return template[0].upper() + template[1:]

    def _fill(self, slot: re.Match[str]) -> str:
        name = slot.group(1)
        if name in self._people:
            names = self._people[name]
            return names.pop(0) if len(names) > 1 else names[0]
        if name in self._cast:
            return self._cast[name]
        if name == "number":
            return str(2 + int(self._rng.random() ** 3 * 900))
        return self._pick(PHRASES[name])
