"""What an import or a help text must not load."""

import subprocess
import sys

import pytest

HEAVY = ("pydantic", "typer", "numpy", "onnxruntime", "tokenizers", "torch", "transformers", "rich")


def loaded_by(statement: str) -> set[str]:
    """Return the heavy packages that a fresh interpreter holds after a statement."""
    report = f"{statement}\nimport sys; print(*(name for name in {HEAVY!r} if name in sys.modules))"
    done = subprocess.run(
        [sys.executable, "-c", report], capture_output=True, text=True, check=True
    )
    return set(done.stdout.splitlines()[-1].split())


@pytest.mark.parametrize("module", ["discobert", "discobert.errors", "discobert.data.summary"])
def test_values_load_the_standard_library_only(module: str) -> None:
    assert loaded_by(f"import {module}") == set()


def test_command_line_starts_without_computing_libraries() -> None:
    assert loaded_by("from discobert.cli.app import run; run(['--version'])") == set()


def test_summarising_needs_no_torch() -> None:
    loaded = loaded_by("from discobert import Summarizer; Summarizer.load().summarize('It rains.')")
    assert loaded.isdisjoint({"torch", "transformers"})
