"""``prepare``: articles to analyses with oracle labels and word pieces, in shards for training."""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from discobert.api import Summarizer, load_analyser
from discobert.batch.engine.stage import LoadedTask, attempt
from discobert.batch.engine.work_folder import FailedDocument
from discobert.batch.tasks.labels import describe_oracle, label_article
from discobert.batch.tasks.models import limit_of_edus, model_identity
from discobert.data.codecs.json_text import JsonObject
from discobert.data.document import SentenceLayout
from discobert.data.limits import DEFAULT_LIMITS, TextLimits
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
    """The options of analyses and labels."""

    model: str | None = None
    oracle: OracleConfig = PAPER
    analyses: Path | None = None
    """A folder with analyses of the user, each named by the id of its article."""
    limits: TextLimits = DEFAULT_LIMITS
    suffix: str = ".parquet"

    def describe(self) -> JsonObject:
        """Return a description of all that the results depend on, the corpus apart."""
        return {
            "task": "prepare",
            "schema": SCHEMA_VERSION,
            "model": model_identity(self.model),
            "oracle": describe_oracle(self.oracle),
            "own_analyses": None if self.analyses is None else _listing_digest(self.analyses),
            **limit_of_edus(self.limits),
        }

    def load(self) -> LoadedTask:
        """Load the analyser, without the weights of the summariser."""
        summarizer = load_analyser(self.model, limits=self.limits)
        return ShardPreparer(summarizer, _tokenizer_of(summarizer), self.oracle, self.analyses)


def _listing_digest(folder: Path) -> str:
    """Return a digest of the names and sizes of the analyses in a folder."""
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
class ShardPreparer:
    """Prepares the documents of shards."""

    summarizer: Summarizer
    tokenizer: "Tokenizer | None" = None
    oracle: OracleConfig = PAPER
    analyses: Path | None = None

    def write(self, entries: Iterator[Entry], file: BinaryIO) -> list[FailedDocument]:
        """Write a Parquet file."""
        failures = []
        with ShardWriter(file) as writer:
            for entry in entries:
                result = attempt(entry, self.prepare)
                if isinstance(result, FailedDocument):
                    failures.append(result)
                else:
                    writer.add(result)
        return failures

    def prepare(self, entry: Article | Analysed) -> Prepared:
        """Return an article with its analysis, which may be given, and its labels."""
        if isinstance(entry, Analysed):
            article, analysis = entry.article, entry.analysis
        else:
            article, analysis = entry, self._analyse(entry)
        return prepared_document(
            article, analysis, config=self.oracle, layout=self._layout(analysis)
        )

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


def prepared_document(
    article: Article,
    analysis: Analysis,
    *,
    config: OracleConfig = PAPER,
    layout: PieceLayout | None = None,
) -> Prepared:
    """Return an analysed article with its labels."""
    found = label_article(article, analysis, config=config)
    return Prepared(article, analysis, found.edus, found.sentences, found.counts, layout)
