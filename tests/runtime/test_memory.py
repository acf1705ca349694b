"""Memory goes back to the system where the C library knows how."""

import ctypes
import os
import subprocess
import sys
from types import SimpleNamespace

import pytest

from discobert.runtime.memory import LARGE, set_large_apart, share_heap, trim

ALONE = "from discobert.runtime import memory; memory.set_large_apart(); memory.trim()"


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
    trim()
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


def test_arrow_shares_the_heap_unless_the_user_has_set_its_pool(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("ARROW_DEFAULT_MEMORY_POOL", "mimalloc")
    share_heap()
    assert os.environ["ARROW_DEFAULT_MEMORY_POOL"] == "mimalloc"
    monkeypatch.delenv("ARROW_DEFAULT_MEMORY_POOL")
    share_heap()
    assert os.environ["ARROW_DEFAULT_MEMORY_POOL"] == "system"


@pytest.mark.parametrize("error", [AttributeError, OSError, TypeError])
def test_systems_without_it_go_without(
    monkeypatch: pytest.MonkeyPatch, error: type[Exception]
) -> None:
    def missing(_: object) -> None:
        raise error

    monkeypatch.setattr(ctypes, "CDLL", missing)
    set_large_apart()
    trim()
