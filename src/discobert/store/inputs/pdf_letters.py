"""Letters of a PDF: ligatures written out, marks of TeX fonts, control characters.

Fonts may draw "fi" as one shape, with a gap before it that is taken for a space. Older fonts of TeX
have letters at the places of control characters.
"""

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

_LIGATURES = {"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st"}
_TEX = {
    0x10: "“", 0x11: "”", 0x12: "„", 0x13: "«", 0x14: "»", 0x15: "–", 0x16: "—",
    0x1B: "ﬀ", 0x1C: "ﬁ", 0x1D: "ﬂ", 0x1E: "ﬃ", 0x1F: "ﬄ", 0x88: "•",
}  # fmt: skip
"""The Cork encoding, where it has other characters than Unicode has controls."""
_CONTROLS = {
    code: None
    for code in (*range(0x09), *range(0x0E, 0x20), *range(0x7F, 0xA0))
    if code not in _TEX
}
_WRITTEN_OUT = str.maketrans(_LIGATURES)
_MARKS = str.maketrans({**_CONTROLS, **_TEX})
_SHAPE = "[ﬀ-ﬆ]"
_SPLIT = re.compile(rf"\b([A-Za-z]+)( )({_SHAPE}\w*)")
_CUT_SHAPE = re.compile(r"([ﬁﬂﬃﬄ]) (?=[a-z])")
_FRAGMENTS = frozenset("bene con de mis pre pro re un".split())
"""Parts of words that may stand before what looks like a word: "con ﬁgure"."""
_OPENS_WORD = re.compile(
    r"fi(?:b[er]|ct|e[lr]|f|gh|gu|l|n|r|s|t|v|x|\W|\Z)|fl(?:a|e[adew]|ex|i|o|u[ir-z]|y|\W|\Z)"
)
"""How words start that have a ligature there: "ﬁrst", "ﬂow"; not "ﬁcient", "ﬁed", "ﬂect"."""
_CUT_WORD = re.compile(r"\w+-\Z")
_WORD = re.compile(r"[^\W\d_]+")
_UNREADABLE = re.compile(r"[\x00-\x08\x0e-\x1f\x7f-\x9f\ue000-\uf8ff\ufffd]|\(cid:\d+\)")
_MOST_UNREADABLE = 0.03
"""Share of characters without a meaning from which on a text is said to be hard to read."""


def without_controls(text: str) -> str:
    """Return a text with the letters of TeX fonts in Unicode, and no other control characters."""
    return text.translate(_MARKS)


@dataclass(frozen=True, slots=True)
class Letters:
    """Mends lines of one document by the words that it has elsewhere."""

    words: Counter[str]
    """Words that do not stand before a gap and a ligature."""
    starts: frozenset[str]
    """Words with a ligature at their start that follow one of those words."""

    @classmethod
    def of(cls, lines: Iterable[str]) -> "Letters":
        """Gather the words of a document."""
        words, pairs = Counter[str](), list[tuple[str, str]]()
        for line in lines:
            shown = _CUT_WORD.sub("", _CUT_SHAPE.sub(r"\1", line))
            found = [(left.lower(), right.lower()) for left, _, right in _SPLIT.findall(shown)]
            pairs += found
            rest = _SPLIT.sub(" ", shown).translate(_WRITTEN_OUT).lower()
            words.update(_WORD.findall(rest))
        starts = {right for left, right in pairs if left in words}
        return cls(words, frozenset(starts))

    def mended(self, line: str) -> str:
        """Return a line in ordinary letters."""
        shown = _CUT_SHAPE.sub(r"\1", line)
        return _SPLIT.sub(self._joined, shown).translate(_WRITTEN_OUT)

    def _joined(self, match: re.Match[str]) -> str:
        """Close the gap in "ef ﬁcient", but not in "the ﬁrst"."""
        left, right = match[1].lower(), match[3].lower()
        whole = f"{left}{right}".translate(_WRITTEN_OUT)
        is_part = left in _FRAGMENTS or not _OPENS_WORD.match(right.translate(_WRITTEN_OUT))
        is_part = is_part and left not in self.words and right not in self.starts
        is_known = self.words[whole] or self.words[whole.removesuffix("s")]
        return match[1] + match[3] if is_known or is_part else match[0]


def is_unreadable(text: str) -> bool:
    """Return whether many characters of a text have no meaning, as of a font without a key."""
    found = len(_UNREADABLE.findall(text.translate(dict.fromkeys(_TEX, " "))))
    return found > _MOST_UNREADABLE * max(1, sum(not each.isspace() for each in text))
