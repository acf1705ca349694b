"""Products that do not depend on anybody's threads."""

import os
import subprocess
import sys

import numpy as np
import pytest

from discobert.runtime.matmul import matmul, matmul_stacked, matmul_transposed

RNG = np.random.default_rng(0)
LEFT, RIGHT = (RNG.standard_normal(size).astype(np.float32) for size in ((7, 5), (5, 3)))


def test_products_are_those_of_algebra() -> None:
    np.testing.assert_allclose(matmul(LEFT, RIGHT), LEFT @ RIGHT, atol=1e-5)
    np.testing.assert_allclose(matmul_transposed(LEFT, RIGHT.T), LEFT @ RIGHT, atol=1e-5)
    assert matmul(LEFT[:0], RIGHT).shape == (0, 3)


@pytest.mark.parametrize("n_rows", [1, 2, 7])
def test_stacks_give_the_bits_of_their_matrices(n_rows: int) -> None:
    left = RNG.standard_normal((3, n_rows, 300), dtype=np.float32)
    right = RNG.standard_normal((3, 300, 5), dtype=np.float32)
    alone = [matmul(*pair) for pair in zip(left, right, strict=True)]
    np.testing.assert_array_equal(matmul_stacked(left, right), np.stack(alone))


def test_halves_give_what_they_give_as_singles() -> None:
    halves = RIGHT.astype(np.float16)
    np.testing.assert_array_equal(matmul(LEFT, halves), matmul(LEFT, halves.astype(np.float32)))


@pytest.mark.parametrize("threads", ["1", "2", "4"])
def test_threads_of_blas_change_no_bit(threads: str) -> None:
    program = (
        "import numpy as np; from discobert.runtime.matmul import matmul_transposed;"
        "a, b = (np.random.default_rng(n).standard_normal((83, 384), dtype=np.float32) "
        "for n in (1, 2)); print(matmul_transposed(a, b).tobytes().hex())"
    )
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": threads}
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, check=True, env=environment
    )
    a, b = (np.random.default_rng(n).standard_normal((83, 384), dtype=np.float32) for n in (1, 2))
    assert done.stdout.decode().strip() == matmul_transposed(a, b).tobytes().hex()
