"""How analysed documents are cut into pieces, for any BERT-like tokenizer."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from tokenizers import Tokenizer

from discobert.data.document import SentenceLayout
from discobert.data.summary import Analysis
from discobert.errors import ConfigError
from discobert.stages.pieces import CLS_SENTENCE, SEP, PieceLayout, lay_out

_OPENING, _CLOSING = ("<s>", "[CLS]"), ("</s>", "[SEP]")
"""What encloses a sentence, by the names that BERT-like encoders have for it."""


def lay_out_edus(tokenizer: Tokenizer, analysis: Analysis) -> PieceLayout:
    """Cut a document into pieces with CLS and SEP around every EDU: the paper's footnote."""
    document = analysis.document
    spans = tuple(edu.span for edu in document.edus)
    openings = {document.edus_by_sentence()[first].start for first in document.paragraphs}
    layout = _lay_out(tokenizer, document.text, SentenceLayout(spans, tuple(sorted(openings))))
    sentences = np.array([edu.sentence for edu in document.edus], dtype=np.int32)
    return replace(layout, block_sentences=sentences[layout.block_sentences])


def lay_out_analysis(tokenizer: Tokenizer, analysis: Analysis) -> PieceLayout:
    """Cut the sentences of an analysed document into pieces."""
    document = analysis.document
    sentences = SentenceLayout(document.sentences, document.paragraphs)
    return _lay_out(tokenizer, document.text, sentences)


def _lay_out(tokenizer: Tokenizer, text: str, sentences: SentenceLayout) -> PieceLayout:
    """Cut a text into pieces, with a tokenizer's own names for CLS and SEP."""
    layout = lay_out(tokenizer, text, sentences)
    opening, closing = _special(tokenizer, _OPENING), _special(tokenizer, _CLOSING)
    ids = np.where(layout.shapes == SEP, closing, layout.ids)
    ids = np.where((layout.shapes >= CLS_SENTENCE) & (layout.shapes < SEP), opening, ids)
    return replace(layout, ids=ids.astype(np.int32))


def _special(tokenizer: Tokenizer, names: Sequence[str]) -> int:
    found = (tokenizer.token_to_id(name) for name in names)
    known = [index for index in found if index is not None]
    if not known:
        raise ConfigError(f"the tokenizer has none of the pieces {', '.join(names)}")
    return known[0]
