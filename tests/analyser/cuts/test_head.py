"""Which cuts are proposed, and what they are judged to be."""

import numpy as np
import pytest
from hypothesis import given
from tests.analyser.cut_builders import EDU_WIDTH, WIDTH, no_rank, normal, sentences_of
from tests.builders import doc, tree
from tests.strategies import analyses
from tests.tiny import tiny_tokenizer

from discobert.analyser.cuts.features import text_features
from discobert.analyser.cuts.head import CutHead, proposed_cuts, vocabulary_rank
from discobert.analyser.cuts.syntax import SYNTAX_FEATURES
from discobert.analyser.syntax import PARTS_OF_SPEECH, RELATIONS
from discobert.api import load_analyser
from discobert.data.summary import Analysis
from discobert.discourse.clause_needs import with_needs
from discobert.discourse.dependencies import enforced_dependencies, violations
from discobert.errors import BundleError
from discobert.runtime.tensors import Array

MARKUP = "[The coach,] [~who leaves in June,] [praised Smith,] [officials said.]"
TREE = tree("NS", tree("NN", tree("NS", 0, 1, "elaboration"), 2, "same-unit"), 3, "attribution")


@given(analyses())
def test_what_a_cut_leaves_is_closed_under_dependencies(drawn: Analysis) -> None:
    document, rst = drawn.document, drawn.rst
    edges = with_needs(document, rst, enforced_dependencies(document, rst))
    sentences = document.edus_by_sentence()
    for index, cuts in proposed_cuts(document, rst).items():
        assert len(cuts) == len(set(cuts))
        for cut in cuts:
            left = set(sentences[index]) - set(cut)
            assert left
            assert set(cut) <= set(sentences[index])
            assert violations(left, edges) == 0


def test_parts_of_an_interrupted_clause_are_cut_together_or_not_at_all() -> None:
    assert proposed_cuts(doc(MARKUP), TREE) == {0: [(1,), (3,)]}


@pytest.mark.parametrize(
    ("clause", "is_worth"),
    [
        ("~who leaves in June,", True),
        ("~including two boys,", True),
        ("~and who leaves in June,", False),
        ("~if he leaves in June,", False),
        ("~“but he may stay”,", False),
    ],
)
def test_statements_and_conditions_are_not_judged(clause: str, is_worth: bool) -> None:
    markup = MARKUP.replace("~who leaves in June,", clause)
    assert ((1,) in proposed_cuts(doc(markup), TREE)[0]) is is_worth


def head_tensors(n_features: int, hidden: int = 6, width: int = 3) -> dict[str, Array]:
    """Return random weights of a small head with one network."""
    views = 8 + 4 + 2
    shapes = {
        "mean": (n_features,),
        "0.words.weight": (8, WIDTH, width),
        "0.edus.weight": (4, EDU_WIDTH, width),
        "0.means.weight": (2, WIDTH, width),
        "0.views.bias": (views, width),
        "0.scalars.weight": (hidden, n_features),
        "0.scalars.bias": (hidden,),
        "0.views.weight": (hidden, views * width),
        "0.second.weight": (5, hidden),
        "0.second.bias": (5,),
        "0.out.weight": (4, 5),
        "0.out.bias": (4,),
        "0.skip.weight": (4, n_features),
        "syntax.dist": (41,),
    }
    layers = {"inp": (7, WIDTH), "mix": (7, 21), "q": (4, 7), "k": (4, 7), "kb": (1, 7)}
    layers |= {"root": (1, 7), "upos": (len(PARTS_OF_SPEECH), 7), "rel": (len(RELATIONS), 14)}
    for name, shape in layers.items():
        shapes[f"syntax.{name}.weight"], shapes[f"syntax.{name}.bias"] = shape, shape[:1]
    found = {name: 0.1 * normal(*shape, seed=len(name)) for name, shape in shapes.items()}
    return {**found, "deviation": np.ones(n_features, dtype=np.float32)}


def make_head() -> CutHead:
    [sentence] = sentences_of(MARKUP, TREE)
    names = [*text_features(sentence, (1,), no_rank), *SYNTAX_FEATURES]
    settings = {"networks": 1, "calibration": [1.0, 0.0], "features": names}
    return CutHead.of(head_tensors(len(names)), settings, tiny_tokenizer())


def test_every_proposal_of_a_known_sentence_is_judged() -> None:
    found = make_head().score(proposed_cuts(doc(MARKUP), TREE), sentences_of(MARKUP, TREE))
    assert [cut.edus for cut in found] == [(1,), (3,)]
    assert all(0 < cut.harmless < 1 for cut in found)


def test_a_cut_is_judged_the_same_alone_and_beside_others() -> None:
    head = make_head()
    [sentence] = sentences_of(MARKUP, TREE)
    both = head.answers(head.read([(sentence, [(1,), (3,)])]))
    alone = [head.answers(head.read([(sentence, [cut])])) for cut in ((1,), (3,))]
    np.testing.assert_allclose(np.concatenate(alone), both, rtol=1e-4, atol=1e-5)


def test_weights_that_lack_a_tensor_are_refused() -> None:
    tensors = head_tensors(3)
    del tensors["0.out.bias"]
    settings = {"networks": 1, "calibration": [1.0, 0.0], "features": ["a", "b", "c"]}
    with pytest.raises(BundleError, match=r"cuts\.safetensors lacks '0\.out\.bias'"):
        CutHead.of(tensors, settings, tiny_tokenizer())


def test_a_feature_of_another_version_is_refused_by_name() -> None:
    settings = {"networks": 1, "calibration": [1.0, 0.0], "features": ["middle", "moonlight"]}
    head = CutHead.of(head_tensors(2), settings, tiny_tokenizer())
    with pytest.raises(BundleError, match="the feature 'moonlight', which this discobert"):
        head.score(proposed_cuts(doc(MARKUP), TREE), sentences_of(MARKUP, TREE))


def test_rare_words_rank_high() -> None:
    tokenizer = load_analyser().pipeline.analyser.tokenizer  # type: ignore[attr-defined]
    ranks = [vocabulary_rank(tokenizer, word) for word in ("the", "harbour", "zyzzyva", "3.5")]
    assert ranks[0] < ranks[1] < ranks[2]
    assert ranks[3] == 8
