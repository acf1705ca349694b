"""Raw text to sentences with exact offsets: rules and word lists, no model."""

from dataclasses import dataclass

from discobert.data.document import SentenceLayout, Span
from discobert.language.overlong import sections
from discobert.language.paragraphs import find_paragraphs
from discobert.language.sentence_ends import split_paragraph


@dataclass(frozen=True, slots=True)
class NewsSplitter:
    """Splits English text at sentence ends; a paragraph break always ends a sentence.

    What no stop ends for thousands of characters is cut into several sentences, see ``overlong``.
    """

    def split(self, text: str) -> SentenceLayout:
        """Return trimmed sentences that together cover every non-space character, each once."""
        sentences: list[Span] = []
        paragraphs: list[int] = []
        for paragraph in find_paragraphs(text):
            paragraphs.append(len(sentences))
            for sentence in split_paragraph(text, paragraph):
                sentences.extend(sections(text, sentence))
        return SentenceLayout(tuple(sentences), tuple(paragraphs))
