"""What a worker of ``batch`` reads, and what it keeps of it."""

import io
import weakref

import pytest

from discobert.analyser.neural import NeuralAnalyser
from discobert.api import Summarizer
from discobert.batch.tasks.summaries import SummariseTask
from discobert.data.document import SentenceLayout, SourceText
from discobert.render.summaries.json import render_jsonl
from discobert.runtime.encoder import EncodedText
from discobert.store.corpora.articles import Article

TEXTS = {
    "river": "The river rose in the night. Because the bridge had closed, people waited there.",
    "mill": "Anna bought the mill, which had stood empty. She opened it again in the spring.",
}


@pytest.fixture
def encoded(monkeypatch: pytest.MonkeyPatch) -> list[weakref.ref[object]]:
    """Return the vectors of all that is encoded, for as long as somebody holds them."""
    found: list[weakref.ref[object]] = []
    original = NeuralAnalyser.encode

    def note(
        analyser: NeuralAnalyser, source: SourceText, sentences: SentenceLayout | None = None
    ) -> EncodedText:
        made = original(analyser, source, sentences)
        found.append(weakref.ref(made.lower))
        return made

    monkeypatch.setattr(NeuralAnalyser, "encode", note)
    return found


def test_a_text_is_encoded_once_and_its_vectors_are_not_kept(
    encoded: list[weakref.ref[object]],
) -> None:
    worker = SummariseTask().load()
    written = io.BytesIO()
    articles = (Article(name, "news", text, ()) for name, text in TEXTS.items())
    assert worker.write(articles, written) == []
    assert len(encoded) == len(TEXTS)
    assert [reference() for reference in encoded] == [None] * len(TEXTS)
    summarizer = Summarizer.load()
    usual = [summarizer.summarize(text, name=name) for name, text in TEXTS.items()]
    assert written.getvalue().decode() == render_jsonl(usual)
