"""A user's own treebank folder as gold documents."""

from collections.abc import Iterator
from pathlib import Path

from discobert.data.rst import Node, nodes
from discobert.language.sentences import NewsSplitter
from discobert.store.treebanks import read_treebank, to_analysis
from discobert.store.treebanks.classes import treebank_class
from discobert.store.treebanks.gum import GoldDocument


def is_treebank(folder: Path) -> bool:
    """Tell whether a folder is laid out like the RST Discourse Treebank."""
    return any(folder.glob("*.dis"))


def treebank_documents(folder: Path) -> Iterator[GoldDocument]:
    """Read texts and trees; sentences are ours, relations the treebank's classes."""
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
