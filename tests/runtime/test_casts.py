"""Precision of numbers, as numpy has it."""

import numpy as np

from discobert.runtime.casts import halves, singles


def test_halves_are_those_of_numpy() -> None:
    generator = np.random.default_rng(1)
    scales = 10.0 ** generator.uniform(-9, 4, (200, 1))
    rows = (generator.standard_normal((200, 50)) * scales).astype(np.float32)
    expected = rows.astype(np.float16)
    np.testing.assert_array_equal(halves(rows), expected)
    np.testing.assert_array_equal(halves(rows[:, ::2]), expected[:, ::2])
    np.testing.assert_array_equal(singles(expected), expected.astype(np.float32))
    assert halves(rows[:0]).shape == (0, 50)
