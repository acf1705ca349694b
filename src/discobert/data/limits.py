"""How large a text may be; the names of the limits are those of the options that raise them."""

from dataclasses import dataclass, fields

from discobert.errors import TooLarge, UsageError


@dataclass(frozen=True, slots=True, kw_only=True)
class TextLimits:
    """Limits of one text: what is larger is refused before any network runs."""

    max_chars: int = 4_000_000
    """Characters: the longest novels have three million."""
    max_edus: int = 200_000
    """EDUs; every sentence has at least one."""
    max_sentence_pieces: int = 8_192
    """Word pieces of one sentence of an analysis that was brought along; predicted sentences are
    cut long before."""

    def __post_init__(self) -> None:
        for limit in fields(self):
            if getattr(self, limit.name) < 1:
                raise UsageError(
                    f"{limit.name} must be at least 1, got {getattr(self, limit.name)}"
                )

    def check_chars(self, name: str, size: int) -> None:
        """Refuse a text of too many characters."""
        if size > self.max_chars:
            raise _too_large(name, f"{size:,} characters", self.max_chars, "max_chars")

    def check_bytes(self, name: str, size: int) -> None:
        """Refuse a file that holds too many characters in any encoding, before it is read."""
        most = MOST_BYTES * (self.max_chars + 1)
        if size > most:
            what = f"{size:,} bytes, at least {size // MOST_BYTES:,} characters"
            raise _too_large(name, what, self.max_chars, "max_chars")

    def check_edus(self, name: str, size: int) -> None:
        """Refuse a text of too many EDUs."""
        if size > self.max_edus:
            raise _too_large(name, f"{size:,} EDUs or more", self.max_edus, "max_edus")

    def check_sentence(self, name: str, sentence: int, size: int) -> None:
        """Refuse a sentence of too many pieces; sentences are counted from 0."""
        if size > self.max_sentence_pieces:
            what = f"{size:,} word pieces in sentence {sentence}"
            raise _too_large(name, what, self.max_sentence_pieces, "max_sentence_pieces")


MOST_BYTES = 4
"""Most bytes of a character, in any encoding."""

DEFAULT_LIMITS = TextLimits()


def _too_large(name: str, what: str, limit: int, option: str) -> TooLarge:
    return TooLarge(
        f"{name}: {what}, but the limit is {limit:,}; split the text, or raise the limit with "
        f"--{option.replace('_', '-')} (in Python: TextLimits({option}=…))"
    )
