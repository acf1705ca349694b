"""The document compressor in LangChain."""

import asyncio

import pytest

langchain_core = pytest.importorskip("langchain_core")

from langchain_core.documents import Document  # noqa: E402
from langchain_core.output_parsers import StrOutputParser  # noqa: E402
from langchain_core.runnables import RunnableLambda  # noqa: E402
from tests.integrations.test_compression import ABOUT_HERRING, FLOOD, TRIAL  # noqa: E402

from discobert.errors import UsageError  # noqa: E402
from discobert.integrations.langchain import DiscobertCompressor  # noqa: E402


def documents() -> list[Document]:
    return [
        Document(FLOOD, metadata={"source": "flood.txt"}, id="1"),
        Document("", id="2"),
        Document(TRIAL, id="3"),
    ]


def test_documents_are_shortened_around_the_query() -> None:
    compressor = DiscobertCompressor(model="rules", sentences=2)
    first, empty, last = compressor.compress_documents(documents(), "Who sold herring?")
    assert first.page_content == ABOUT_HERRING
    assert first.metadata["source"] == "flood.txt"
    spans = first.metadata["discobert"]["spans"]
    assert " ".join(FLOOD[start:end] for start, end in spans) == ABOUT_HERRING
    assert (first.id, empty.id, last.id) == ("1", "2", "3")
    assert empty.page_content == ""
    assert TRIAL.startswith(last.page_content)


def test_given_documents_are_not_changed() -> None:
    given = documents()
    DiscobertCompressor(model="rules").compress_documents(given, "flour")
    assert given == documents()


def test_asynchronous_call_gives_the_same() -> None:
    compressor = DiscobertCompressor(model="rules", ratio=0.4)
    made = asyncio.run(compressor.acompress_documents(documents(), "flour"))
    assert made == compressor.compress_documents(documents(), "flour")


def test_it_goes_into_a_chain() -> None:
    compressor = DiscobertCompressor(model="rules", sentences=2)

    def shorten(query: str) -> str:
        return compressor.compress_documents(documents(), query)[0].page_content

    chain = RunnableLambda(shorten) | StrOutputParser()
    assert chain.invoke("herring") == ABOUT_HERRING


def test_settings_survive_being_written_and_read() -> None:
    compressor = DiscobertCompressor(model="rules", seconds=3, sentences=2)
    again = DiscobertCompressor.model_validate(compressor.model_dump())
    assert again.model_dump() == {
        "model": "rules",
        "seconds": 3,
        "max_chars": 100_000,
        "options": {"sentences": 2},
    }
    assert again.compress_documents(documents(), "herring")[0].page_content == ABOUT_HERRING


def test_wrong_options_are_told_at_once() -> None:
    with pytest.raises(UsageError, match="only one of"):
        DiscobertCompressor(words=3, chars=9)
    with pytest.raises(TypeError, match="did you mean 'words'"):
        DiscobertCompressor(wrods=3)
