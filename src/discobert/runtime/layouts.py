"""How analysed documents are cut into pieces, for any BERT-like tokenizer."""

from dataclasses import replace

import numpy as np
from tokenizers import Tokenizer

from discobert.data.document import SentenceLayout
from discobert.data.summary import Analysis
from discobert.runtime.pieces import PieceLayout, lay_out


def lay_out_edus(tokenizer: Tokenizer, analysis: Analysis) -> PieceLayout:
    """Cut a document into pieces with CLS and SEP around every EDU: the paper's footnote."""
    document = analysis.document
    spans = tuple(edu.span for edu in document.edus)
    openings = {document.edus_by_sentence()[first].start for first in document.paragraphs}
    layout = lay_out(tokenizer, document.text, SentenceLayout(spans, tuple(sorted(openings))))
    sentences = np.array([edu.sentence for edu in document.edus], dtype=np.int32)
    return replace(layout, block_sentences=sentences[layout.block_sentences])


def lay_out_analysis(tokenizer: Tokenizer, analysis: Analysis) -> PieceLayout:
    """Cut the sentences of an analysed document into pieces."""
    document = analysis.document
    sentences = SentenceLayout(document.sentences, document.paragraphs)
    return lay_out(tokenizer, document.text, sentences)
