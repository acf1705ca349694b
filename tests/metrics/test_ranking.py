"""Figures of yes-or-no predictions, by hand."""

import numpy as np
import pytest

from discobert.metrics.ranking import area_under_curve, brier_score, calibration, recall_at


@pytest.mark.parametrize(
    ("truths", "scores", "area"),
    [
        ([0, 1], [0.1, 0.9], 1.0),
        ([1, 0], [0.1, 0.9], 0.0),
        ([0, 1], [0.5, 0.5], 0.5),
        ([0, 1, 0, 1], [0.1, 0.3, 0.3, 0.9], 0.875),
        ([1, 1], [0.1, 0.3], 0.5),
    ],
)
def test_area_is_the_share_of_pairs_in_order(
    truths: list[int], scores: list[float], area: float
) -> None:
    assert area_under_curve(np.array(truths, dtype=np.bool_), np.array(scores)) == area


def test_recall_counts_thresholds_of_ten_items_and_more() -> None:
    truths = np.array([True] * 9 + [False] + [True] * 3 + [False] * 7)
    scores = np.linspace(1, 0, 20)
    assert recall_at(truths, scores, 0.9) == 12 / 12
    assert recall_at(truths, scores, 0.95) == 0
    assert recall_at(np.zeros(20, dtype=np.bool_), scores, 0.0) == 0


def test_calibration_compares_by_tenth() -> None:
    found = calibration(np.array([True, False, True]), np.array([0.25, 0.27, 1.0]))
    assert [(tenth.low, tenth.n_items, tenth.true_share) for tenth in found] == [
        *[(0.2, 2, 0.5), (0.9, 1, 1.0)]
    ]
    assert found[0].mean == pytest.approx(0.26)


def test_brier_score_is_a_squared_error() -> None:
    assert brier_score(np.array([True, False]), np.array([0.5, 0.0])) == 0.125
