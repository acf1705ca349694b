"""Analyses of a prepared corpus, reused for the same texts."""

from collections.abc import Mapping
from functools import cached_property
from pathlib import Path

from discobert.data.document import SourceText
from discobert.data.summary import Analysis
from discobert.protocols import Analyser
from discobert.store.prepared.manifest import PreparedCorpus
from discobert.store.prepared.shards import read_rows_of, read_shard


class KnownAnalyses:
    """An analyser that looks texts up in a prepared corpus, and analyses those it lacks.

    One shard is held at a time: texts that come in the order of the corpus are found at once.
    """

    def __init__(self, corpus: PreparedCorpus, analyser: Analyser) -> None:
        self._corpus = corpus
        self._analyser = analyser
        self._held: tuple[Path | None, Mapping[str, Analysis]] = (None, {})

    def analyse(self, source: SourceText) -> Analysis:
        """Return the stored analysis of a text, or analyse it."""
        return self._known(source.id, source.text) or self._analyser.analyse(source)

    @cached_property
    def _shard_of(self) -> Mapping[str, Path]:
        paths = [self._corpus.path / shard.name for shard in self._corpus.shards]
        return {row["id"]: path for path in paths for row in read_rows_of(path, ["id"])}

    def _known(self, name: str, text: str) -> Analysis | None:
        path = self._shard_of.get(name)
        if path is None:
            return None
        if self._held[0] != path:
            self._held = (path, {found.article.id: found.analysis for found in read_shard(path)})
        analysis = self._held[1][name]
        return analysis if analysis.document.text == text else None
