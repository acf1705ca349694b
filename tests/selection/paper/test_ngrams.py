"""Features of words and pairs of words, and their probabilities, by hand."""

import math

import numpy as np
import pytest
from tests.builders import doc

from discobert.data.summary import Scores, SentenceSalience
from discobert.errors import BundleError
from discobert.selection.paper.ngrams import N_FEATURES, GramFeatures, GramModel, ScoredText

TEXT = ScoredText.of(
    doc("[The lamps fell] [when 20 trucks crossed.] | [A lamp] [is closed.] | [It rained.]"),
    Scores((0.5, 0.75, 0.25, 0.999, 0.1)),
    SentenceSalience((1.0, 2.0, -1.0), (0.5, -0.5, 0.0), (0.0,) * 3, (0.0,) * 3),
)


def features(gram: tuple[str, ...]) -> GramFeatures:
    table = TEXT.words() if len(gram) == 1 else TEXT.pairs()
    row = table.rows[table.grams.index(gram)].tolist()
    names = GramFeatures.__dataclass_fields__
    return GramFeatures(**dict(zip(names, row, strict=True)))


def test_a_word_is_described_by_where_it_stands() -> None:
    lamp = features(("lamp",))
    assert (lamp.clause, lamp.clauses) == pytest.approx((0.0, math.log(1.75)))
    assert (lamp.salience, lamp.gain) == (2.0, 0.5)
    assert (lamp.count, lamp.sentences) == pytest.approx((math.log(2), math.log(2)))
    assert (lamp.first, lamp.in_lead, lamp.early, lamp.places) == (0, 1, 1, 1.5)
    assert (lamp.opens_function, lamp.ends_function, lamp.only_function) == (0, 0, 0)
    assert (lamp.letters, lamp.text) == pytest.approx((math.log(4), math.log(3)))
    assert lamp.number == 0


def test_pairs_stay_inside_a_clause() -> None:
    assert TEXT.pairs().grams == (
        ("the", "lamp"),
        ("lamp", "fell"),
        ("when", "20"),
        ("20", "truck"),
        ("truck", "cross"),
        ("a", "lamp"),
        ("is", "close"),
        ("it", "rain"),
    )
    closed = features(("is", "close"))
    assert (closed.opens_function, closed.ends_function, closed.only_function) == (1, 0, 0)
    assert closed.clause == pytest.approx(math.log(0.99 / 0.01))  # bounded
    assert closed.in_lead == 0
    assert closed.first == pytest.approx(math.log(2))
    assert features(("20", "truck")).number == 1
    assert features(("it",)).only_function == 1


def test_a_text_without_words_has_no_grams() -> None:
    empty = ScoredText((), (), (), SentenceSalience((), (), (), ()))
    assert empty.words().grams == ()
    assert empty.words().rows.shape == (0, N_FEATURES)


def test_probabilities_are_those_of_a_logistic_regression() -> None:
    model = GramModel(-1.0, (2.0, *(0.0,) * (N_FEATURES - 1)))
    rows = np.zeros((2, N_FEATURES))
    rows[1, 0] = 1.5
    assert model.probabilities(rows).tolist() == pytest.approx(
        [1 / (1 + math.e), 1 / (1 + math.exp(-2))]
    )
    assert GramModel.of(model.settings()) == model


@pytest.mark.parametrize("weights", [(1.0,), (math.nan,) * N_FEATURES])
def test_other_weights_are_refused(weights: tuple[float, ...]) -> None:
    with pytest.raises(BundleError, match="16 finite weights"):
        GramModel.of({"bias": 0, "weights": weights})
