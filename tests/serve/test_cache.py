"""The results that were used last."""

from discobert.serve.cache import ByteCache


def test_least_used_entries_make_room() -> None:
    cache = ByteCache(3 * 300)
    for key in (b"a", b"b", b"c"):
        cache.put(key, bytes(100))
    assert cache.get(b"a") == bytes(100)
    cache.put(b"d", bytes(100))
    assert [cache.get(key) is None for key in (b"a", b"b", b"c", b"d")] == [0, 1, 0, 0]
    assert (len(cache), cache.n_bytes) == (3, 900)


def test_entry_that_is_put_again_counts_once() -> None:
    cache = ByteCache(1000)
    cache.put(b"a", bytes(100))
    cache.put(b"a", bytes(200))
    assert cache.n_bytes == 400
    assert cache.get(b"a") == bytes(200)


def test_entry_larger_than_the_cache_is_not_kept_and_drops_nothing() -> None:
    cache = ByteCache(1000)
    cache.put(b"a", bytes(100))
    cache.put(b"b", bytes(801))
    assert cache.get(b"b") is None
    assert cache.get(b"a") == bytes(100)
