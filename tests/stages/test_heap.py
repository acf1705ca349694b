"""Memory goes back to the system where the C library knows how."""

import ctypes
import os
import subprocess
import sys
from types import SimpleNamespace

import pytest

from discobert.stages.heap import LARGE, give_back, set_large_apart

ALONE = "from discobert.stages import heap; heap.set_large_apart(); heap.give_back()"


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, ...]]:
    """Return what the C library is asked."""
    found: list[tuple[int, ...]] = []

    def note(*given: int) -> None:
        found.append(given)

    monkeypatch.setattr(ctypes, "CDLL", lambda _: SimpleNamespace(malloc_trim=note, mallopt=note))
    monkeypatch.delenv("MALLOC_MMAP_THRESHOLD_", raising=False)
    return found


def test_all_free_pages_are_asked_for(asked: list[tuple[int, ...]]) -> None:
    give_back()
    assert asked == [(0,)]


def test_large_blocks_are_set_apart(asked: list[tuple[int, ...]]) -> None:
    set_large_apart()
    assert asked == [(-3, LARGE)]


def test_what_the_user_has_set_stays(
    asked: list[tuple[int, ...]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MALLOC_MMAP_THRESHOLD_", "4096")
    set_large_apart()
    assert asked == []


def test_the_real_library_is_no_trouble() -> None:
    done = subprocess.run([sys.executable, "-c", ALONE], env=dict(os.environ), check=False)
    assert done.returncode == 0


@pytest.mark.parametrize("error", [AttributeError, OSError, TypeError])
def test_systems_without_it_go_without(
    monkeypatch: pytest.MonkeyPatch, error: type[Exception]
) -> None:
    def missing(_: object) -> None:
        raise error

    monkeypatch.setattr(ctypes, "CDLL", missing)
    set_large_apart()
    give_back()
