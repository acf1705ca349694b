"""What is installed is what was tested: versions and checksums of the base install."""

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]


def pinned(name: str) -> dict[str, str]:
    """Return the version of each package in a file of constraints."""
    text = (ROOT / name).read_text(encoding="utf-8")
    return {
        found[1].lower().replace("_", "-"): found[2]
        for found in re.finditer(r"^([\w.-]+)==([^\s;\\]+)", text, re.MULTILINE)
    }


def test_every_package_of_the_base_install_has_checksums() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    needed = {re.split(r"[^\w.-]", each, maxsplit=1)[0] for each in project["dependencies"]}
    hashed = pinned("constraints-hashes.txt")
    assert needed <= hashed.keys()
    text = (ROOT / "constraints-hashes.txt").read_text(encoding="utf-8")
    parts = re.split(r"^(?=[\w.-]+==)", text, flags=re.MULTILINE)[1:]
    assert all(re.search(r"--hash=sha256:[0-9a-f]{64}", part) for part in parts)


def test_checksums_are_those_of_the_versions_that_were_tested() -> None:
    tested = pinned("constraints.txt")
    hashed = pinned("constraints-hashes.txt")
    assert {name: version for name, version in hashed.items() if tested.get(name) != version} == {}
