"""Features of cuts, checked by hand on written sentences."""

from math import log1p

import numpy as np
import pytest
from tests.analyser.cut_builders import no_rank, sentences_of
from tests.builders import tree

from discobert.analyser.cuts.features import text_features
from discobert.analyser.cuts.syntax import SYNTAX_FEATURES, WORD_VIEWS, cut_syntax
from discobert.analyser.syntax import PARTS_OF_SPEECH, RELATIONS, Syntax
from discobert.runtime.tensors import Array

COACH = (
    "[Rovers lost.] | [The coach,] [~who leaves in June,] [praised the new keeper, Smith.]",
    tree(
        "NS",
        0,
        tree("NN", tree("NS", 1, 2, "elaboration"), 3, "same-unit"),
        "elaboration",
    ),
)


def features(cut: tuple[int, ...]) -> dict[str, float]:
    [sentence] = sentences_of(*COACH)
    return text_features(sentence, cut, no_rank)


def test_a_clause_between_commas_is_enclosed() -> None:
    found = features((1,))
    assert found["middle"]
    assert found["enclosed_mid"]
    assert found["comma_before"]
    assert found["comma_end"]
    assert not found["bare"]
    assert found["first_rel"]
    assert not found["first_that"]
    assert found["log_cut"] == log1p(4)
    assert found["log_rest"] == log1p(7)
    assert found["rest_lt8"]
    assert not found["rest_lt5"]
    assert found["cut_time"]
    assert not found["rest_time"]


def test_the_first_cut_word_of_a_sentence_is_no_name() -> None:
    found = features((0,))
    assert found["at_start"]
    assert found["start_comma"]
    assert found["cut_caps"] == 0
    assert found["rest_caps"] == log1p(2)  # June, Smith
    assert found["after_rel"]


def test_relations_come_from_the_parent_of_the_cut() -> None:
    inside = features((1,))
    assert inside["rst_exact"]
    assert inside["rst_sat"]
    assert inside["rel_elaboration"]
    assert not inside["rst_left"]
    last = features((2,))
    assert last["rst_multi"]
    assert last["rel_same-unit"]
    assert last["rst_top"]
    assert not last["rst_sat"]


def test_a_cut_of_two_runs_is_placed_by_the_node_around_it() -> None:
    found = features((0, 2))
    assert found["n_runs"] == 1
    assert not found["rst_exact"]
    assert found["share_edus"] == pytest.approx(2 / 3)


def test_words_told_before_are_known() -> None:
    sentences = sentences_of(
        "[The mill burned.] | [It rained.] | [The mill closed] [after the storm.]",
        tree("NS", 0, tree("NS", 1, tree("NS", 2, 3))),
    )
    found = text_features(sentences[0], (1,), no_rank)
    assert found["rest_in_seen"] == 0.5  # mill, not closed
    assert found["rest_in_prev"] == 0
    assert found["cut_in_seen"] == 0


@pytest.mark.parametrize(
    ("markup", "name"),
    [
        ("[He was the man] [who fled.]", "open_clause"),
        ("[She decided] [to leave.]", "open_inf"),
        ("[Police said] [that he fled.]", "last_report"),
        ("[It was a chance] [to win.]", "vague_open"),
        ("[He fled,] [officials said.]", "cut_is_source"),
        ("[He will pay] [if it rains.]", "cut_cond"),
        ("[He ran] [in case it rained.]", "cut_cond"),
        ("[He left] [and went home.]", "conj_finite"),
        ("[It was late] [when I didn't answer.]", "cut_neg"),
    ],
)
def test_what_the_rest_would_lack(markup: str, name: str) -> None:
    [sentence] = sentences_of(markup, tree("NS", 0, 1))
    assert text_features(sentence, (1,), no_rank)[name]


def one_hot(names: list[str], inventory: list[str]) -> Array:
    return np.eye(len(inventory), dtype=np.float32)[[inventory.index(name) for name in names]]


def test_syntax_of_a_cut_is_read_off_its_arcs() -> None:
    # Ann left , who sang .: "sang" hangs on Ann, as a relative clause; the root stays.
    syntax = Syntax(
        one_hot(["PROPN", "VERB", "PUNCT", "PRON", "VERB", "PUNCT"], PARTS_OF_SPEECH),
        one_hot(["nsubj", "root", "punct", "nsubj", "acl:relcl", "punct"], RELATIONS),
        np.eye(7, dtype=np.float32)[[1, 6, 4, 4, 0, 1]],
    )
    mask = np.array([[False, False, False, True, True, False]])
    found = cut_syntax(syntax, mask)
    named = dict(zip(SYNTAX_FEATURES, found.scalars[0].tolist(), strict=True))
    assert named["x_out"] == pytest.approx(log1p(1))
    assert named["x_fun_acl:relcl"] == 1
    assert named["x_gov_PROPN"] == 1
    assert named["x_govrel_nsubj"] == 1
    assert named["x_root_in_cut"] == 0
    assert named["x_back"] == 0  # the comma before is no word
    assert named["x_root_nsubj"] == 1
    assert named["x_rootpos_VERB"] == 1
    assert named["x_last_VERB"] == 1
    assert named["x_first_PRON"] == 1
    assert named["x_gov_distance"] == pytest.approx(log1p(3))
    views = dict(zip(WORD_VIEWS, found.views[0].tolist(), strict=True))
    assert views["head"] == [0, 0, 0, 0, 1, 0]
    assert views["governor"] == [1, 0, 0, 0, 0, 0]
    assert views["last"] == [0, 1, 0, 0, 0, 0]
    assert views["next"] == [0] * 6  # nothing but a stop follows
    assert views["rest"] == [0.5, 0.5, 0, 0, 0, 0]


def test_cuts_of_a_sentence_do_not_change_each_other() -> None:
    rng = np.random.default_rng(0)
    shares = [rng.random((5, n)).astype(np.float32) for n in (17, 38, 6)]
    syntax = Syntax(*(share / share.sum(1, keepdims=True) for share in shares))
    masks = np.array([[True, False, False, False, False], [False, True, True, False, False]])
    both = cut_syntax(syntax, masks)
    for number in range(2):
        alone = cut_syntax(syntax, masks[[number]])
        np.testing.assert_allclose(alone.scalars[0], both.scalars[number], rtol=1e-5)
        np.testing.assert_allclose(alone.views[0], both.views[number], rtol=1e-5)
