"""Requests made up from the OpenAPI description, valid and invalid, to a real service."""

import subprocess
import sys

import pytest
from tests.serve.running import ready

pytest.importorskip("fastapi")
pytest.importorskip("schemathesis")

COMMAND = "from schemathesis.cli import schemathesis; schemathesis()"
# A text of the right type can still be empty or without letters, which is told by 400.
UNCHECKED = "positive_data_acceptance"


def check(n_examples: int, phases: str) -> None:
    """Let schemathesis send so many requests a route, and compare the answers."""
    with ready("--workers", "1", "--model", "rules") as service:
        done = subprocess.run(
            [
                *(sys.executable, "-c", COMMAND, "run"),
                f"http://127.0.0.1:{service.port}/openapi.json",
                f"--max-examples={n_examples}",
                f"--phases={phases}",
                "--generation-deterministic",
                f"--exclude-checks={UNCHECKED}",
                "--no-color",
            ],
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout
        assert "Tested: 8" in done.stdout
        assert "Traceback" not in str(service.log)


def test_answers_are_as_described() -> None:
    check(10, "examples,fuzzing")


@pytest.mark.slow
def test_many_answers_are_as_described() -> None:
    check(50, "examples,coverage,fuzzing")
