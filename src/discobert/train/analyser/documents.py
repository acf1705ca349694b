"""The documents that the analyser learns from: corpora, teacher labels, or a user's treebank."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path

from discobert.data.rst import Node, nodes
from discobert.errors import ConfigError, InputError
from discobert.language.sentences import NewsSplitter
from discobert.store.treebanks import read_treebank, to_analysis
from discobert.store.treebanks.classes import treebank_class
from discobert.store.treebanks.gum import GoldDocument, read_gum
from discobert.store.treebanks.teacher_labels import read_teacher_labels
from discobert.train.analyser.settings import AnalyserTraining

CORPUS_FILES = {
    "gum": "gum/gum_v11.jsonl",
    "amalgum": "amalgum/amalgum_v02_silver.jsonl",
    "litbank": "litbank/litbank_coref.jsonl",
}


def find_corpus(data: Path, source: str) -> Path:
    """Return the file of a corpus below ``data``, packed or not."""
    if source not in CORPUS_FILES:
        raise ConfigError(f"unknown source {source!r}; known: {', '.join(CORPUS_FILES)}")
    plain = data / CORPUS_FILES[source]
    for path in (plain, *(plain.with_name(plain.name + suffix) for suffix in (".xz", ".gz"))):
        if path.is_file():
            return path
    raise InputError(f"{plain}: no such file, nor with .xz or .gz: where is {source}?")


def read_training_documents(
    paths: Sequence[Path], training: AnalyserTraining, *, teacher_labels: Sequence[Path] = ()
) -> list[GoldDocument]:
    """Read the train split of corpora and files of teacher labels, as far as licences allow."""
    documents = chain(*map(read_gum, paths), *map(read_teacher_labels, teacher_labels))
    return [
        gold
        for gold in _allowed(documents, training, split="train")
        for _ in range(training.gold_repeats if gold.by_people else 1)
    ]


def read_validation_documents(
    paths: Sequence[Path], training: AnalyserTraining
) -> list[GoldDocument]:
    """Read the dev split of corpora, as far as licences allow."""
    return list(_allowed(chain(*map(read_gum, paths)), training, split="dev"))


def _allowed(
    documents: Iterable[GoldDocument], training: AnalyserTraining, *, split: str
) -> Iterator[GoldDocument]:
    for gold in documents:
        if gold.split == split and (training.non_commercial or not gold.non_commercial):
            yield gold


def is_treebank(folder: Path) -> bool:
    """Return whether a folder is laid out like the RST Discourse Treebank."""
    return any(folder.glob("*.dis"))


def treebank_documents(folder: Path) -> Iterator[GoldDocument]:
    """Read texts and trees; sentences are predicted, relations are the treebank's classes."""
    for found in read_treebank(folder):
        analysis = to_analysis(
            found.tree_file, name=found.name, splitter=NewsSplitter(), text=found.text
        )
        document = analysis.document
        yield GoldDocument(
            id=found.name,
            split="train",
            genre="news",
            non_commercial=False,  # the user's own licence decides, not ours
            text=document.text,
            tokens=(),
            sentences=document.sentences,
            paragraphs=document.paragraphs,
            edus=tuple(edu.span for edu in document.edus),
            subjects=None,
            nodes=tuple(
                Node(n.start, n.middle, n.end, n.nuclearity, treebank_class(n.relation))
                for n in nodes(analysis.rst)
            ),
            has_relations=True,
            clusters=None,
        )
