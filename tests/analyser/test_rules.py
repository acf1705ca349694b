"""The analyser without weights."""

from hypothesis import given
from hypothesis import strategies as st
from tests.builders import chain, doc, tree

from discobert.analyser.rules import RuleAnalyser, clauses, right_branching_tree
from discobert.data.document import SentenceLayout, SourceText, Span
from discobert.data.rst import check_tree, nodes
from discobert.language.sentences import NewsSplitter

ANALYSER = RuleAnalyser(NewsSplitter())
WORDS = st.sampled_from(
    "The bridge, which is was old, and when it rained; said “Yes,” that – closed. He by taking "
    "\r\n \n\n naïve 👩‍👩‍👧 \u200b e\u0301 ... -- (or) 12".split(" ")
)


def segments(text: str) -> list[str]:
    document = ANALYSER.analyse(SourceText("x", text)).document
    return [document.edu_text(index) for index in range(len(document.edus))]


def test_sentences_are_cut_into_clauses() -> None:
    assert segments("It rained,\r\nbut they stayed. Why?") == [
        "It rained,",
        "but they stayed.",
        "Why?",
    ]


class Whole:
    """Takes every text as one sentence."""

    def split(self, text: str) -> SentenceLayout:
        return SentenceLayout((Span(0, len(text)),), (0,))


def test_the_splitter_is_trusted() -> None:
    document = RuleAnalyser(Whole()).analyse(SourceText("x", "One. Two.")).document
    assert len(document.sentences) == 1


TWO = SourceText("x", "It rained, but they stayed. Why?")


def test_a_text_is_split_unless_its_sentences_are_given() -> None:
    split = ANALYSER.encode(TWO)
    assert split.source == TWO
    assert [span.of(TWO.text) for span in split.sentences.sentences] == [TWO.text[:27], "Why?"]
    whole = Whole().split(TWO.text)
    assert ANALYSER.encode(TWO, whole).sentences == whole


def test_given_edus_take_the_place_of_clauses() -> None:
    edus = [Span(0, 10), Span(11, 27), Span(28, 32)]
    found = ANALYSER.analyse_encoded(ANALYSER.encode(TWO), edus)
    assert [(edu.span, edu.sentence) for edu in found.document.edus] == list(
        zip(edus, [0, 0, 1], strict=True)
    )
    assert found.document.id == "x"
    check_tree(found.rst, 3)


def test_without_edus_every_sentence_is_one() -> None:
    document = ANALYSER.analyse_encoded(ANALYSER.encode(TWO)).document
    assert tuple(edu.span for edu in document.edus) == document.sentences
    assert [edu.sentence for edu in document.edus] == [0, 1]


def test_subjects_of_edus_are_found() -> None:
    source = SourceText("x", "They left after taking it.")
    edus = [Span(0, 9), Span(10, 26)]
    document = ANALYSER.analyse_encoded(ANALYSER.encode(source), edus).document
    assert [edu.has_subject for edu in document.edus] == [True, False]


def test_an_analysis_is_that_of_the_clauses() -> None:
    split = ANALYSER.encode(TWO)
    spans = [span for one in split.sentences.sentences for span in clauses(TWO.text, one)]
    assert len(spans) == 3
    assert ANALYSER.analyse_encoded(split, spans) == ANALYSER.analyse(TWO)


@given(st.lists(WORDS, min_size=1, max_size=40).map(" ".join).filter(str.strip))
def test_any_text_gives_a_valid_document_and_tree(text: str) -> None:
    found = ANALYSER.analyse(SourceText("x", text))
    check_tree(found.rst, len(found.document.edus))


def test_each_clause_hangs_on_the_one_before() -> None:
    document = doc("[They left] [because it rained] [when we came.] | [It was late.]")
    rst = right_branching_tree(document)
    inner = tree("NS", 0, tree("NS", 1, 2, "context"), "context")
    assert nodes(rst) == nodes(tree("NS", inner, 3, "elaboration"))


def test_interrupted_clause_is_put_together_first() -> None:
    document = doc("[The bridge,] [which is old,] [was closed] [when it rained.]")
    rst = right_branching_tree(document)
    left = tree("NS", 0, 1, "elaboration")
    assert nodes(rst) == nodes(tree("NN", left, tree("NS", 2, 3, "context"), "same-unit"))


def test_long_document_is_parsed_without_recursion() -> None:
    document = doc(" | ".join(["[One.]"] * 3000))
    rst = right_branching_tree(document)
    assert rst == chain(3000, relation="elaboration")


def test_no_references_are_found() -> None:
    assert ANALYSER.analyse(SourceText("x", "Ann came. She left.")).coref == ()
