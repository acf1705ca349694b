"""What the benchmark of the service sends, and how it describes what comes back."""

import json
import random
from collections import Counter
from itertools import islice

from benchmarks.service import mixed_calls
from benchmarks.slider import describe


def test_mixed_requests_are_of_all_kinds_and_the_same_each_time() -> None:
    calls = list(islice(mixed_calls(random.Random(0)), 300))
    assert calls == list(islice(mixed_calls(random.Random(0)), 300))
    paths = Counter(call.path for call in calls)
    assert set(paths) == {"/v1/summarize", "/v1/analyze", "/v1/extract?name=notes.md"}
    assert any(call.body == b"{" for call in calls)
    bodies = [json.loads(call.body) for call in calls if call.body.startswith(b'{"')]
    texts = Counter(body["text"] for body in bodies if len(body["text"]) > 20)
    assert max(texts.values()) > 1  # some are known to the service
    assert len(texts) > 100


def test_percentiles_of_moves_are_in_milliseconds() -> None:
    moves = [{"written": float(n), "painted": n + 10.0, "words": 50} for n in range(1, 101)]
    assert describe(moves) == {
        "moves": 100,
        "lengths": 1,
        "written": {"p50_ms": 51.0, "p95_ms": 96.0, "p100_ms": 100.0},
        "painted": {"p50_ms": 61.0, "p95_ms": 106.0, "p100_ms": 110.0},
    }
