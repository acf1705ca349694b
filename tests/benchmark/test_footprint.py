"""Disk use of distributions."""

from pathlib import Path

import discobert
from discobert.benchmark.footprint import distributions, installed_size


def test_requirements_are_followed_and_extras_are_not() -> None:
    found = distributions(("discobert",))
    assert {"discobert", "numpy", "onnxruntime", "rich", "tokenizers"} <= found
    assert "pygments" in found
    assert found.isdisjoint({"torch", "transformers", "pytest"})


def test_size_counts_weights_and_requirements() -> None:
    weights = Path(discobert.__file__).parent.rglob("*.onnx")
    assert installed_size("discobert") > installed_size("numpy") + sum(
        path.stat().st_size for path in weights
    )


def test_what_is_not_installed_takes_no_room() -> None:
    assert installed_size("no-such-distribution") == 0
