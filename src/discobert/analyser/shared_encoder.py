"""The last readings of the trunk, kept so that analyser and summariser share one pass."""

from collections import OrderedDict
from collections.abc import Sequence
from threading import Lock

from discobert.analyser.neural import NeuralAnalyser
from discobert.data.document import SentenceLayout, Span
from discobert.data.summary import Analysis
from discobert.runtime.encoder import EncodedText

MAX_PIECES = 8_000
"""Pieces remembered: about 12 MB of vectors, the last ten articles or one longer text."""


class SharedEncoder:
    """Reads texts with the analyser's trunk and remembers the last ones; safe across threads."""

    def __init__(self, analyser: NeuralAnalyser, *, max_pieces: int = MAX_PIECES) -> None:
        self._analyser = analyser
        self._max_pieces = max_pieces
        self._readings: OrderedDict[tuple[str, SentenceLayout], EncodedText] = OrderedDict()
        self._n_pieces = 0
        self._lock = Lock()

    def analyse(self, texts: Sequence[tuple[str, str]]) -> list[Analysis]:
        """Analyse (id, text) pairs one by one; each reading waits for the summariser."""
        found = []
        for name, text in texts:
            reading = self._analyser.read(name, text)
            self._remember(reading)
            found.append(self._analyser.analyse_encoded(reading))
        return found

    def disable_cache(self) -> None:
        """Forget each reading as it is asked for: what a summary needs of a text, it needs once."""
        with self._lock:
            self._max_pieces = 0

    def read(self, name: str, text: str, sentences: SentenceLayout | None = None) -> EncodedText:
        """Read a text that nobody will ask for again, by given sentences or our own."""
        return self._analyser.read(name, text, sentences)

    def analyse_encoded(self, reading: EncodedText, edus: Sequence[Span] | None = None) -> Analysis:
        """Analyse what was read; ``edus`` replaces our own segmentation."""
        return self._analyser.analyse_encoded(reading, edus)

    def encoded(self, analysis: Analysis) -> EncodedText:
        """Return the reading of an analysed text, made anew if it was forgotten.

        One that is larger than all that may be remembered is given away: it would lie beside
        whatever is made of it.
        """
        document = analysis.document
        sentences = SentenceLayout(document.sentences, document.paragraphs)
        known = self._known((document.text, sentences))
        if known is not None:
            return known
        reading = self._analyser.read(document.id, document.text, sentences)
        if len(reading.layout.ids) <= self._max_pieces:
            self._remember(reading)
        return reading

    def _known(self, key: tuple[str, SentenceLayout]) -> EncodedText | None:
        with self._lock:
            known = self._readings.get(key)
            if known is not None and len(known.layout.ids) > self._max_pieces:
                del self._readings[key]
                self._n_pieces -= len(known.layout.ids)
            return known

    def _remember(self, reading: EncodedText) -> None:
        key = (reading.text, reading.sentences)
        with self._lock:
            old = self._readings.pop(key, None)
            self._readings[key] = reading
            self._n_pieces += len(reading.layout.ids) - (len(old.layout.ids) if old else 0)
            while self._n_pieces > self._max_pieces and len(self._readings) > 1:
                _, oldest = self._readings.popitem(last=False)
                self._n_pieces -= len(oldest.layout.ids)
