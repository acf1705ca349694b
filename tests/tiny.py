"""A tokenizer of letters and a few analysed articles, small enough for any network test."""

import string
from dataclasses import replace

from tests.builders import analysis, tree
from tokenizers import Tokenizer
from tokenizers.models import WordPiece
from tokenizers.normalizers import BertNormalizer
from tokenizers.pre_tokenizers import BertPreTokenizer

from discobert.data.document import SentenceLayout
from discobert.data.summary import Analysis, Example
from discobert.runtime.pieces import PieceLayout, lay_out

VOCABULARY = 128
"""Enough for [CLS] and [SEP] to keep BERT's ids, 101 and 102."""


def tiny_tokenizer() -> Tokenizer:
    """Cut words into letters."""
    pieces = ["[PAD]", "[UNK]", *string.ascii_lowercase, *string.digits, *".,;:'-"]
    pieces += [f"##{letter}" for letter in string.ascii_lowercase + string.digits]
    pieces += [f"[unused{number}]" for number in range(len(pieces), 101)] + ["[CLS]", "[SEP]"]
    pieces += [f"[unused{number}]" for number in range(len(pieces), VOCABULARY)]
    built = Tokenizer(WordPiece({piece: i for i, piece in enumerate(pieces)}, unk_token="[UNK]"))
    built.normalizer = BertNormalizer()
    built.pre_tokenizer = BertPreTokenizer()
    return built


def tiny_layout(read: Analysis) -> PieceLayout:
    """Lay an analysis out by the tiny tokenizer."""
    document = read.document
    layout = SentenceLayout(document.sentences, document.paragraphs)
    return lay_out(tiny_tokenizer(), document.text, layout)


def tiny_examples() -> list[Example]:
    """Return four articles with trees, coreference and references."""
    flood = analysis(
        "[The river rose] [after days of rain.] | [It flooded the old mill] [~and cut the road.] "
        "|| [Nobody was hurt,] [the mayor said.] | [The mill had closed in May.]",
        tree("NS", tree("NN", tree("NS", 0, 1), tree("NN", 2, 3)), tree("NS", tree("SN", 4, 5), 6)),
        ("The river", "It"),
        ("the old mill", "The mill"),
    )
    match = analysis(
        "[Rovers beat City] [to win the cup.] | [They had lost the last two finals.] "
        "|| [The coach,] [who leaves in June,] [praised the keeper.]",
        tree("NS", tree("NS", 0, 1), tree("NS", 2, tree("NN", tree("NS", 3, 4), 5, "same-unit"))),
        ("Rovers", "They"),
    )
    trial = analysis(
        "[A baker was cleared] [of stealing flour.] | [The judge called the case weak.] "
        "| [He had spent a year in jail] [before the trial began.]",
        tree("NS", tree("NS", 0, 1), tree("NN", 2, tree("NS", 3, 4))),
        ("A baker", "He"),
    )
    storm = analysis(
        "[Snow closed the school.] | [Buses stopped,] [trains ran late.] "
        "|| [More snow is due] [when the wind turns.] | [Shops sold out of bread.]",
        None,
        ("Snow", "snow"),
    )
    references = (
        ("The river rose and flooded the old mill.", "Nobody was hurt."),
        ("Rovers beat City to win the cup.",),
        ("A baker was cleared of stealing flour.", "He had spent a year in jail."),
        ("Snow closed the school.", "Trains ran late."),
    )
    names = ("flood", "match", "trial", "storm")
    read = zip(names, (flood, match, trial, storm), references, strict=True)
    return [Example(_named(name, analysis), lines) for name, analysis, lines in read]


def _named(name: str, read: Analysis) -> Analysis:
    return replace(read, document=replace(read.document, id=name))
