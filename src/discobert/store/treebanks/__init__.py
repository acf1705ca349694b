"""RST trees on disk: ``.dis``, ``.rs3`` and ``.rs4``, ``.rsd``, and folders of the RST treebank."""

from discobert.store.treebanks.align import align, place_edus, to_analysis
from discobert.store.treebanks.formats import (
    FORMATS,
    format_tree,
    parse_tree,
    read_tree,
    write_tree,
)
from discobert.store.treebanks.rst_dt import TreebankDocument, read_treebank
from discobert.store.treebanks.tree_file import TreeFile, coarse, coarse_tree, from_analysis

__all__ = [
    "FORMATS",
    "TreeFile",
    "TreebankDocument",
    "align",
    "coarse",
    "coarse_tree",
    "format_tree",
    "from_analysis",
    "parse_tree",
    "place_edus",
    "read_tree",
    "read_treebank",
    "to_analysis",
    "write_tree",
]
