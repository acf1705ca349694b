"""Stages without weights."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.builders import analysis, chain, doc, tree

from discobert.analyser.rules import NoCoref, PositionScorer, RightBranchingParser, RuleSegmenter
from discobert.data.document import SentenceLayout, Span
from discobert.data.rst import check_tree, nodes
from discobert.data.summary import ModelId
from discobert.language.sentences import NewsSplitter

SEGMENTER = RuleSegmenter(NewsSplitter())
WORDS = st.sampled_from(
    "The bridge, which is was old, and when it rained; said “Yes,” that – closed. He by taking "
    "\r\n \n\n naïve 👩‍👩‍👧 \u200b e\u0301 ... -- (or) 12".split(" ")
)


def segments(text: str) -> list[str]:
    (document,) = SEGMENTER.segment([("x", text)])
    return [document.edu_text(index) for index in range(len(document.edus))]


def test_sentences_are_cut_into_clauses() -> None:
    assert segments("It rained,\r\nbut they stayed. Why?") == [
        "It rained,",
        "but they stayed.",
        "Why?",
    ]


def test_segmenter_trusts_its_splitter() -> None:
    class Whole:
        def split(self, text: str) -> SentenceLayout:
            return SentenceLayout((Span(0, len(text)),), (0,))

    (document,) = RuleSegmenter(Whole()).segment([("x", "One. Two.")])
    assert len(document.sentences) == 1


@given(st.lists(WORDS, min_size=1, max_size=40).map(" ".join).filter(str.strip))
def test_any_text_gives_a_valid_document_and_tree(text: str) -> None:
    (document,) = SEGMENTER.segment([("x", text)])
    (rst,) = RightBranchingParser().parse([document])
    check_tree(rst, len(document.edus))


def test_each_clause_hangs_on_the_one_before() -> None:
    document = doc("[They left] [because it rained] [when we came.] | [It was late.]")
    (rst,) = RightBranchingParser().parse([document])
    inner = tree("NS", 0, tree("NS", 1, 2, "context"), "context")
    assert nodes(rst) == nodes(tree("NS", inner, 3, "elaboration"))


def test_interrupted_clause_is_put_together_first() -> None:
    document = doc("[The bridge,] [which is old,] [was closed] [when it rained.]")
    (rst,) = RightBranchingParser().parse([document])
    left = tree("NS", 0, 1, "elaboration")
    assert nodes(rst) == nodes(tree("NN", left, tree("NS", 2, 3, "context"), "same-unit"))


def test_long_document_is_parsed_without_recursion() -> None:
    document = doc(" | ".join(["[One.]"] * 3000))
    (rst,) = RightBranchingParser().parse([document])
    assert rst == chain(3000, relation="elaboration")


def test_no_coref_finds_nothing() -> None:
    assert NoCoref().resolve([doc("[One.]"), doc("[Two.]")]) == [(), ()]


def test_early_sentences_and_independent_clauses_score_higher() -> None:
    (scores,) = PositionScorer(ModelId("m", "1")).score(
        [analysis("[He left] [because it rained] | [She stayed.]")]
    )
    assert scores.values == pytest.approx((1.0, 0.7, 0.5))


def test_a_lone_connective_is_never_worth_telling() -> None:
    (scores,) = PositionScorer(ModelId("m", "1")).score([analysis("[But] [he left.] | [Why?]")])
    assert scores.values[0] < 0 < scores.values[2]
