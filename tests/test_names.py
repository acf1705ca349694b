"""A class name means one thing in the whole package."""

import ast
from collections import defaultdict
from pathlib import Path

SOURCE = Path(__file__).parents[1] / "src" / "discobert"
TORCH = "nn/"
"""A torch module has the name of the class that computes the same at run time."""
SAME = {"Unit": {"data/summary.py", "serve/http/schemas.py"}}
"""The same thing twice: a value and the schema of its JSON."""


def test_no_public_class_name_is_defined_twice() -> None:
    places = defaultdict(set)
    for path in SOURCE.rglob("*.py"):
        for node in ast.parse(path.read_bytes()).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places[node.name].add(path.relative_to(SOURCE).as_posix())
    assert len(places) > 100
    twice = {name: found for name, found in places.items() if found != SAME.get(name)}
    twice = {name: {p for p in found if not p.startswith(TORCH)} for name, found in twice.items()}
    assert {name: sorted(found) for name, found in twice.items() if len(found) > 1} == {}
