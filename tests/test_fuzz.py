"""Any bytes into every reader: a fixed budget here, longer with ``scripts/fuzz``."""

import os
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.fuzz_targets import SEEDS, TARGETS, attempt, seeds


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "replace")


EXAMPLES = int(os.environ.get("DISCOBERT_FUZZ_EXAMPLES", "25"))


@pytest.mark.parametrize("name", TARGETS)
def test_seeds_do_not_crash(name: str) -> None:
    found = seeds(name)
    assert found, f"no example in {SEEDS / name}"
    for data in found:
        attempt(name, data)


@pytest.mark.parametrize("name", TARGETS)
@given(data=st.data())
@settings(max_examples=EXAMPLES)
def test_changed_seeds_do_not_crash(name: str, data: st.DataObject) -> None:
    seed = data.draw(st.sampled_from(seeds(name)))
    attempt(name, changed(seed, random.Random(data.draw(st.integers(0, 1 << 30)))))


@pytest.mark.parametrize("name", TARGETS)
@given(data=st.binary(max_size=200) | st.text(max_size=100).map(_encoded))
@settings(max_examples=EXAMPLES)
def test_any_bytes_do_not_crash(name: str, data: bytes) -> None:
    attempt(name, data)


def changed(data: bytes, rng: random.Random) -> bytes:
    """Flip, drop, repeat or insert some bytes."""
    found = bytearray(data)
    for _ in range(rng.randint(1, 4)):
        at = rng.randrange(len(found) + 1)
        end = min(len(found), at + rng.randint(0, 8))
        kind = rng.randrange(4)
        if kind == 0 and at < len(found):
            found[at] = rng.randrange(256)
        elif kind == 1:
            del found[at:end]
        elif kind == 2:
            found[at:at] = found[at:end] * rng.randint(1, 30)
        else:
            found[at:at] = rng.choice(INSERTED)
    return bytes(found)


INSERTED = (
    *(b"\x00", b"\xff\xfe", b"\xed\xa0\x80", b"\xf0\x9f\x98\x80", b"\n\n", b"\r", b"  " * 99),
    *(b'"', b"{", b"[" * 50, b"]", b"\\ud800", b"1e999", b"9" * 500, b"-1", b"(", b")"),
    *(b"<", b"&#x110000;", b"&lt;", b"<segment>", b"```", b"* " * 30),
    *(b"--> ", b"00:00:01,000", b"=?utf-8?q?=ff?="),
)
