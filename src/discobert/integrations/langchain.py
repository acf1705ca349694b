"""A document compressor for LangChain: retrieved texts, shortened around the query.

from discobert.integrations.langchain import DiscobertCompressor

compressor = DiscobertCompressor(ratio=0.4)
shorter = compressor.compress_documents(documents, "Who was hurt?")
"""

from collections.abc import Sequence
from typing import Any

from discobert.errors import MissingExtra
from discobert.integrations.compression import MAX_CHARS, SECONDS, Compressor

try:
    from langchain_core.callbacks import Callbacks
    from langchain_core.documents import Document
    from langchain_core.documents.compressor import BaseDocumentCompressor
    from pydantic import Field, PrivateAttr
except ImportError as error:
    raise MissingExtra("langchain-core", "langchain") from error


class DiscobertCompressor(BaseDocumentCompressor):
    """Keeps the clauses of each document that matter, verbatim, above all those about the query.

    Number and order of documents stay, none becomes longer, and one that cannot be shortened in
    time is returned as it was. ``metadata["discobert"]["spans"]`` says what was kept.
    """

    model: str | None = None
    """Name of a shipped model or the folder of a bundle."""
    seconds: float = SECONDS
    """For one call, however many documents it has."""
    max_chars: int = MAX_CHARS
    """Longer documents are returned as they are."""
    options: dict[str, Any] = Field(default_factory=dict)
    """Options of ``Summarizer.summarize``; without a length, half of the words are kept."""
    _compressor: Compressor = PrivateAttr()

    def __init__(
        self,
        *,
        model: str | None = None,
        seconds: float = SECONDS,
        max_chars: int = MAX_CHARS,
        **options: Any,  # noqa: ANN401 - those of SummaryOptions, checked below
    ) -> None:
        given = options.pop("options", options)  # as the library writes and reads them
        members: dict[str, Any] = {
            "model": model,
            "seconds": seconds,
            "max_chars": max_chars,
            "options": given,
        }
        super().__init__(**members)
        self._compressor = Compressor(given, model=model, seconds=seconds, max_chars=max_chars)

    def compress_documents(
        self, documents: Sequence[Document], query: str, callbacks: Callbacks | None = None
    ) -> Sequence[Document]:
        """Shorten documents; the ones given are not changed."""
        texts = [document.page_content for document in documents]
        made = self._compressor.compress(texts, query)
        return [
            document.model_copy(
                update={
                    "page_content": each.text,
                    "metadata": {**document.metadata, **each.metadata},
                }
            )
            for document, each in zip(documents, made, strict=True)
        ]
