"""The last encoded texts, kept so that analyser and summariser share one pass of the encoder."""

from collections import OrderedDict
from collections.abc import Sequence
from threading import Lock

from discobert.analyser.neural import NeuralAnalyser
from discobert.data.document import SentenceLayout, SourceText, Span
from discobert.data.summary import Analysis
from discobert.runtime.encoder import EncodedText

MAX_PIECES = 8_000
"""Pieces kept: about 12 MB of vectors, the last ten articles or one longer text."""


class SharedEncoder:
    """An analyser that keeps the last encoded texts for the summariser; safe across threads."""

    def __init__(self, analyser: NeuralAnalyser, *, max_pieces: int = MAX_PIECES) -> None:
        self._analyser = analyser
        self._max_pieces = max_pieces
        self._kept: OrderedDict[tuple[str, SentenceLayout], EncodedText] = OrderedDict()
        self._n_pieces = 0
        self._lock = Lock()

    def analyse(self, source: SourceText) -> Analysis:
        """Analyse one text and keep its encoding for the summariser."""
        encoded = self._analyser.encode(source)
        self._keep(encoded)
        return self._analyser.analyse_encoded(encoded)

    def disable_cache(self) -> None:
        """Drop each encoding when it is asked for: for texts that are summarised once."""
        with self._lock:
            self._max_pieces = 0

    def encode(self, source: SourceText, sentences: SentenceLayout | None = None) -> EncodedText:
        """Encode a text without keeping it, by given sentences or predicted ones."""
        return self._analyser.encode(source, sentences)

    def analyse_encoded(self, encoded: EncodedText, edus: Sequence[Span] | None = None) -> Analysis:
        """Analyse an encoded text; ``edus`` replaces the predicted segmentation."""
        return self._analyser.analyse_encoded(encoded, edus)

    def encoded(self, analysis: Analysis) -> EncodedText:
        """Return the encoding of an analysed text, computed anew if it is not kept any more.

        One that is larger than the whole cache is removed from it: it would take memory beside
        everything computed from it.
        """
        document = analysis.document
        sentences = SentenceLayout(document.sentences, document.paragraphs)
        kept = self._take((document.text, sentences))
        if kept is not None:
            return kept
        encoded = self._analyser.encode(SourceText(document.id, document.text), sentences)
        if len(encoded.layout.ids) <= self._max_pieces:
            self._keep(encoded)
        return encoded

    def _take(self, key: tuple[str, SentenceLayout]) -> EncodedText | None:
        with self._lock:
            kept = self._kept.get(key)
            if kept is not None and len(kept.layout.ids) > self._max_pieces:
                del self._kept[key]
                self._n_pieces -= len(kept.layout.ids)
            return kept

    def _keep(self, encoded: EncodedText) -> None:
        key = (encoded.text, encoded.sentences)
        with self._lock:
            old = self._kept.pop(key, None)
            self._kept[key] = encoded
            self._n_pieces += len(encoded.layout.ids) - (len(old.layout.ids) if old else 0)
            while self._n_pieces > self._max_pieces and len(self._kept) > 1:
                _, oldest = self._kept.popitem(last=False)
                self._n_pieces -= len(oldest.layout.ids)
