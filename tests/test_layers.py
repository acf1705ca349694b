"""Imports point down only, and torch stays where it belongs."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
# In a process of its own: import-linter holds on to the streams that it finds.
LINT = "from importlinter.cli import lint_imports_command; lint_imports_command()"


def test_import_contracts_hold() -> None:
    done = subprocess.run(
        [sys.executable, "-c", LINT, "--no-cache"], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "0 broken" in done.stdout
