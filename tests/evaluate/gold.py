"""A gold document of two sentences, and an analyser whose answers are written down."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from tests.builders import analysis, tree

from discobert.data.codecs.fields import Field
from discobert.data.codecs.json_text import JsonObject
from discobert.data.document import SentenceLayout, SourceText, Span
from discobert.data.summary import Analysis
from discobert.store.treebanks.gum import GoldDocument, gold_document

RIGHT = analysis(
    "[Ann ran] [because she won.] || [Bo slept.]",
    tree("NS", tree("NS", 0, 1, "causal"), 2, "elaboration"),
    ("Ann", "she"),
)
UNCUT = analysis(
    "[Ann ran because she won.] || [Bo slept.]",
    tree("NS", 0, 1, "elaboration-additional"),
    ("Ann", "she", "Bo"),
)
"""One EDU start missed, one mention too many; a fine label counts as its class."""
MISLED = analysis(
    "[Ann ran] [~because she won.] || [Bo slept.]",
    tree("SN", 0, tree("NS", 1, 2, "causal"), "elaboration"),
)
"""Gold EDUs, but another tree, and a subject overlooked."""

RECORD: JsonObject = {
    "doc": "made_up",
    "genre": "news",
    "split": "dev",
    "license": "CC-BY",
    "tokens": ["Ann", "ran", "because", "she", "won", ".", "Bo", "slept", "."],
    "space_after": "111101101",
    "sents": [0, 6],
    "pars": [0, 1],
    "edus": [0, 2, 6],
    "deprel": ["nsubj", "root", "mark", "nsubj", "advcl", "punct", "nsubj:pass", "root", "punct"],
    "rst_tree": [[1, 2, 3, "NS", "elaboration-additional"], [1, 1, 2, "NS", "causal-cause"]],
    "ontogum": [[[0, 0], [3, 3]], [[6, 6]]],
}


def gold(name: str, *, genre: str = "news", non_commercial: bool = False) -> GoldDocument:
    licence = "CC-BY-NC" if non_commercial else "CC-BY"
    return gold_document(
        Field({**RECORD, "doc": name, "genre": genre, "license": licence}, "record")
    )


@dataclass(frozen=True, slots=True)
class Oracle:
    """Answers with what it was told, and notes what it was given."""

    raw: dict[str, Analysis]
    guided: dict[str, Analysis]
    given: list[tuple[SourceText, SentenceLayout | None, Sequence[Span] | None]] = field(
        default_factory=list
    )

    def analyse(self, source: SourceText) -> Analysis:
        return self.raw[source.id]

    def encode(
        self, source: SourceText, sentences: SentenceLayout | None = None
    ) -> tuple[SourceText, SentenceLayout | None]:
        return source, sentences

    def analyse_encoded(
        self,
        encoded: tuple[SourceText, SentenceLayout | None],
        edus: Sequence[Span] | None = None,
    ) -> Analysis:
        self.given.append((*encoded, edus))
        return self.guided[encoded[0].id]
