"""The results that were used last, bounded in bytes."""

from collections import OrderedDict

_OVERHEAD = 200
"""Bytes of an entry beside its content, roughly."""


class ByteCache:
    """Bytes by key; the entries that were not used for longest make room for new ones."""

    def __init__(self, max_bytes: int) -> None:
        self._max_bytes = max_bytes
        self._entries: OrderedDict[bytes, bytes] = OrderedDict()
        self.n_bytes = 0

    def __len__(self) -> int:
        return len(self._entries)

    def get(self, key: bytes) -> bytes | None:
        """Return an entry and mark it as used."""
        found = self._entries.get(key)
        if found is not None:
            self._entries.move_to_end(key)
        return found

    def put(self, key: bytes, value: bytes) -> None:
        """Keep an entry, unless it is larger than the whole cache."""
        self._drop(key)
        if _size(value) > self._max_bytes:
            return
        self._entries[key] = value
        self.n_bytes += _size(value)
        while self.n_bytes > self._max_bytes:
            self._drop(next(iter(self._entries)))

    def _drop(self, key: bytes) -> None:
        old = self._entries.pop(key, None)
        if old is not None:
            self.n_bytes -= _size(old)


def _size(value: bytes) -> int:
    return len(value) + _OVERHEAD
