"""Word vectors and gold syntax of treebanks, on the words of the encoder."""

import logging
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from discobert.analyser.neural import NeuralAnalyser
from discobert.analyser.syntax import PARTS_OF_SPEECH, RELATIONS
from discobert.runtime.pieces import word_ranges
from discobert.runtime.tensors import Stored
from discobert.store.files import replacing
from discobert.store.treebanks.conllu import UdDocument, UdToken, read_ewt
from discobert.store.treebanks.gum_syntax import read_gum_syntax

logger = logging.getLogger(__name__)
Ints = NDArray[np.int64]

ROOT, UNKNOWN = -1, -2
"""Heads that are no word: the root, and one outside the words that the encoder has."""
_RELATION = {name: number for number, name in enumerate(RELATIONS)}
_UPOS = {name: number for number, name in enumerate(PARTS_OF_SPEECH)}


@dataclass(frozen=True, slots=True)
class GoldSyntax:
    """The words of one sentence with what the parser is to say of them."""

    words: Stored
    heads: Ints
    """Place of each head, ``ROOT`` or ``UNKNOWN``."""
    relations: Ints
    upos: Ints


def relation_number(relation: str) -> int:
    """Return the number of a relation; an unlisted subtype counts as its type."""
    known = _RELATION.get(relation, _RELATION.get(relation.split(":")[0]))
    return _RELATION["dep"] if known is None else known


def treebank_sentences(analyser: NeuralAnalyser, data: Path, split: str) -> Iterator[GoldSyntax]:
    """Yield the sentences of GUM (without NC licences) and UD-EWT; of dev, those of GUM alone."""
    gum = data / "gum" / "gum_v11.jsonl.xz"
    yield from _sentences(analyser, read_gum_syntax(gum, split, non_commercial=split == "dev"))
    if split == "train":
        yield from _sentences(analyser, read_ewt(data / "ud-ewt" / "ud-ewt.tar.xz", split))


def _sentences(analyser: NeuralAnalyser, documents: Iterable[UdDocument]) -> Iterator[GoldSyntax]:
    for number, document in enumerate(documents, start=1):
        encoded = analyser.encode(document.source, document.sentences)
        layout = encoded.layout
        if not layout.n_words:
            continue
        vectors = analyser.upper.vectors(layout, encoded.lower)
        words = vectors[layout.word_pieces[:, 0]].astype(np.float16)
        spans = document.sentences.sentences
        for (start, end), tokens in zip(
            word_ranges(layout, spans).tolist(), document.tokens, strict=True
        ):
            starts = layout.word_chars[start:end, 0].astype(np.int64)
            if end > start and starts[0] >= tokens[0].start:
                yield gold_syntax(words[start:end], starts, tokens, document.source.text)
        if number % 100 == 0:
            logger.info("read the syntax of %d documents", number)


def gold_syntax(words: Stored, starts: Ints, tokens: tuple[UdToken, ...], text: str) -> GoldSyntax:
    """Place syntax on the encoder's words: the first one of a token has the token's own.

    Its other words hang on the first, as punctuation or as part of a name.
    """
    of = np.searchsorted([token.start for token in tokens], starts, side="right") - 1
    firsts: dict[int, int] = {}
    for word, token in enumerate(of.tolist()):
        firsts.setdefault(token, word)
    heads, relations, upos = [], [], []
    for word, number in enumerate(of.tolist()):
        token = tokens[number]
        own = _UPOS.get(token.upos, _UPOS["X"])
        if firsts[number] == word:
            heads.append(ROOT if token.head == 0 else firsts.get(token.head - 1, UNKNOWN))
            relations.append(relation_number(token.relation))
            upos.append(own)
        else:
            is_mark = not text[starts[word]].isalnum()
            heads.append(firsts[number])
            relations.append(_RELATION["punct" if is_mark else "flat"])
            upos.append(_UPOS["PUNCT"] if is_mark else own)
    return GoldSyntax(words, np.array(heads), np.array(relations), np.array(upos))


def save_sentences(path: Path, sentences: Iterable[GoldSyntax]) -> None:
    """Write sentences as arrays."""
    found = list(sentences)
    path.parent.mkdir(parents=True, exist_ok=True)
    with replacing(path) as file:
        np.savez(
            file,
            lengths=np.array([len(one.words) for one in found]),
            words=np.concatenate([one.words for one in found]),
            heads=np.concatenate([one.heads for one in found]),
            relations=np.concatenate([one.relations for one in found]),
            upos=np.concatenate([one.upos for one in found]),
        )


def load_sentences(path: Path) -> list[GoldSyntax]:
    """Read what ``save_sentences`` wrote."""
    with np.load(path) as arrays:
        edges = np.cumsum(arrays["lengths"])[:-1]
        names = ("words", "heads", "relations", "upos")
        columns = [np.split(arrays[name], edges) for name in names]
    return [GoldSyntax(*parts) for parts in zip(*columns, strict=True)]
