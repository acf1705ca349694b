"""``prepare``: articles to analyses with oracle labels and word pieces, in shards for training."""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from discobert.api import Summarizer, load_analyser
from discobert.batch.engine.parts import Failure
from discobert.batch.engine.stage import Worker, attempt
from discobert.batch.tasks.labels import describe_oracle, labelled
from discobert.batch.tasks.models import identity
from discobert.data.document import SentenceLayout
from discobert.data.json_text import JsonObject
from discobert.data.summary import Analysis
from discobert.errors import InputError
from discobert.metrics.oracle import PAPER, OracleConfig
from discobert.runtime.pieces import PieceLayout, lay_out
from discobert.store.corpora.articles import Article
from discobert.store.corpora.entries import Analysed, Entry
from discobert.store.corpora.folders import require_folder, walk
from discobert.store.prepared.documents import Prepared
from discobert.store.prepared.shards import SCHEMA_VERSION, ShardWriter
from discobert.store.text import printable
from discobert.store.treebanks.analyses import read_analysis

if TYPE_CHECKING:
    from tokenizers import Tokenizer

_KINDS = (".json", ".rs3", ".rs4", ".dis", ".rsd")


@dataclass(frozen=True, slots=True, kw_only=True)
class PrepareTask:
    """How articles are analysed and labelled."""

    model: str | None = None
    oracle: OracleConfig = PAPER
    analyses: Path | None = None
    """A folder with the user's own analyses, each named by the id of its article."""
    suffix: str = ".parquet"

    def describe(self) -> JsonObject:
        """Return all that the results depend on, the corpus apart."""
        return {
            "task": "prepare",
            "schema": SCHEMA_VERSION,
            "model": identity(self.model),
            "oracle": describe_oracle(self.oracle),
            "own_analyses": None if self.analyses is None else _listing_digest(self.analyses),
        }

    def start(self) -> Worker:
        """Load the analyser: a summariser's weights would lie in every worker for nothing."""
        summarizer = load_analyser(self.model)
        return Preparer(summarizer, _tokenizer_of(summarizer), self.oracle, self.analyses)


def _listing_digest(folder: Path) -> str:
    """Tell folders of analyses apart by names and sizes, without reading all they hold."""
    state = hashlib.sha256()
    for path in walk(require_folder(folder), _KINDS):
        state.update(f"{printable(path.relative_to(folder))}\0{path.stat().st_size}\0".encode())
    return state.hexdigest()


def _tokenizer_of(summarizer: Summarizer) -> "Tokenizer | None":
    """Return the tokenizer of a model's bundle; a model without weights has none."""
    from discobert.analyser.neural import NeuralAnalyser  # brings onnxruntime

    analyser = summarizer.pipeline.analyser
    return analyser.tokenizer if isinstance(analyser, NeuralAnalyser) else None


@dataclass(frozen=True, slots=True)
class Preparer:
    """Prepares shards with a model that is loaded."""

    summarizer: Summarizer
    tokenizer: "Tokenizer | None" = None
    oracle: OracleConfig = PAPER
    analyses: Path | None = None

    def write(self, entries: Iterator[Entry], file: BinaryIO) -> list[Failure]:
        """Write a Parquet file."""
        failures = []
        with ShardWriter(file) as writer:
            for entry in entries:
                result = attempt(entry, self.prepare)
                if isinstance(result, Failure):
                    failures.append(result)
                else:
                    writer.add(result)
        return failures

    def prepare(self, entry: Article | Analysed) -> Prepared:
        """Analyse an article, unless that is done, and label it."""
        if isinstance(entry, Analysed):
            article, analysis = entry.article, entry.analysis
        else:
            article, analysis = entry, self._analyse(entry)
        return label(article, analysis, config=self.oracle, layout=self._layout(analysis))

    def _analyse(self, article: Article) -> Analysis:
        if self.analyses is None:
            return self.summarizer.analyze(article.text, name=article.id)
        for kind in _KINDS:
            path = self.analyses / f"{article.id}{kind}"
            if path.is_file():
                return read_analysis(path, text=article.text)
        raise InputError(f"no analysis {article.id} ({' '.join(_KINDS)}) in {self.analyses.name}")

    def _layout(self, analysis: Analysis) -> PieceLayout | None:
        if self.tokenizer is None:
            return None
        doc = analysis.document
        return lay_out(self.tokenizer, doc.text, SentenceLayout(doc.sentences, doc.paragraphs))


def label(
    article: Article,
    analysis: Analysis,
    *,
    config: OracleConfig = PAPER,
    layout: PieceLayout | None = None,
) -> Prepared:
    """Put an analysed article beside what its reference says about it."""
    found = labelled(article, analysis, config=config)
    return Prepared(article, analysis, found.edus, found.sentences, found.counts, layout)
