"""The plan of a run: a corpus divided into shards that any worker on any machine can carry out.

One pass over the corpus finds where each shard starts, a digest of its entries (to detect a corpus
that changes during a run), and which ids are duplicates. It takes 16 bytes of memory per document,
40 at the end of the pass.
"""

import hashlib
import json
from array import array
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import islice

import numpy as np

from discobert.data.codecs.analysis import encode_analysis
from discobert.data.codecs.json_text import dumps
from discobert.errors import InputError, UsageError
from discobert.store.corpora.entries import Analysed, Entry, Location, Rejected, entry_id, rejected
from discobert.store.corpora.sources import Source, open_corpus, read_entries

# Shards double in size until there are few enough of them, up to a largest size: a killed worker
# loses a shard. The size depends on the corpus alone, never on the number of workers.
_SMALLEST, _LARGEST, _MOST = 16, 512, 128
_MODULUS = 1 << 128


@dataclass(frozen=True, slots=True)
class Shard:
    """Consecutive entries of a corpus; places of single entries in it count from 0."""

    index: int
    location: Location
    first: int
    """Number of entries before it."""
    count: int
    digest: int
    duplicates: tuple[int, ...] = ()
    """Places of entries whose ids came before, in this shard or another."""
    fatal: tuple[int, ...] = ()
    """Places of entries that have killed their workers."""


@dataclass(frozen=True, slots=True)
class Plan:
    """All shards of a run, and their totals."""

    shards: tuple[Shard, ...]
    documents: int
    rejected: int
    """Entries that cannot be used."""
    fingerprint: str
    missing: int = 0
    """Entries that a list of the corpus names and the corpus does not have."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sharding:
    """Which entries of a corpus are taken, and how many make a shard."""

    skip: int = 0
    limit: int | None = None
    shard_size: int | None = None

    def __post_init__(self) -> None:
        if self.skip < 0 or (self.limit is not None and self.limit < 1):
            raise UsageError(f"need skip >= 0 and limit >= 1, got {self.skip} and {self.limit}")
        if self.shard_size is not None and self.shard_size < 1:
            raise UsageError(f"a shard needs at least 1 document, got {self.shard_size}")


WHOLE_CORPUS = Sharding()


def encode_shard(shard: Shard) -> str:
    """Return a shard as JSON, for other machines."""
    location = shard.location
    return dumps(
        [
            shard.index,
            [location.file, location.record, location.offset],
            shard.first,
            shard.count,
            f"{shard.digest:x}",
            list(shard.duplicates),
        ]
    )


def decode_shard(text: str) -> Shard:
    """Return the shard of its JSON."""
    index, location, first, count, digest, duplicates = json.loads(text)
    return Shard(index, Location(*location), first, count, int(digest, 16), tuple(duplicates))


def make_plan(
    source: Source,
    sharding: Sharding = WHOLE_CORPUS,
    *,
    scanned: Callable[[int], None] = lambda _: None,
) -> Plan:
    """Read the corpus once; ``scanned`` is called with 1 for every entry."""
    builder = _ShardBuilder(sharding.shard_size)
    n_rejected, first_message, codes = 0, "", set[str]()
    end = None if sharding.limit is None else sharding.skip + sharding.limit
    for located in islice(read_entries(source), sharding.skip, end):
        if isinstance(located.entry, Rejected):
            n_rejected += 1
            codes.add(located.entry.code)
            first_message = first_message or f"{located.entry.id}: {located.entry.message}"
        builder.add(located.location, located.entry)
        scanned(1)
    if builder.documents == 0:
        raise InputError(f"{source.path.name}: no documents to work on")
    if n_rejected == builder.documents and codes == {"malformed-json"}:
        raise InputError(
            f"{source.path.name}: no line of it is JSON, but each should be "
            '{"id": …, "text": …}; discobert summarize FILE FILE … reads texts'
        )
    if n_rejected == builder.documents:
        raise InputError(
            f"{source.path.name}: none of its {n_rejected} documents can be used; "
            f"the first is {first_message}"
        )
    plan = Plan(builder.shards(), builder.documents, n_rejected, f"{builder.digest:032x}")
    return replace(plan, missing=_missing(source, sharding, plan))


def _missing(source: Source, sharding: Sharding, plan: Plan) -> int:
    expected = open_corpus(source).expected() if sharding.limit is None else None
    return 0 if expected is None else max(0, expected - sharding.skip - plan.documents)


def entries_of(source: Source, shard: Shard) -> Iterator[Entry]:
    """Yield a shard's entries; raise an error at the end if they are not the ones planned."""
    refusals = dict.fromkeys(shard.duplicates, _duplicate) | dict.fromkeys(shard.fatal, _fatal)
    digest = count = 0
    for located in read_entries(source, shard.location, limit=shard.count):
        entry = located.entry
        digest += digest_of(shard.first + count, entry)
        yield refusals[count](entry) if count in refusals else entry
        count += 1
    if count != shard.count or digest % _MODULUS != shard.digest:
        raise InputError(
            f"{source.path.name}: changed since the run began (documents {shard.first + 1} to "
            f"{shard.first + shard.count}); restore it, or start anew with --force"
        )


def _duplicate(entry: Entry) -> Rejected:
    name = entry_id(entry)
    return rejected(name, "duplicate-id", f"the id {name!r} came before; ids must be unique")


def _fatal(entry: Entry) -> Rejected:
    message = "worker processes died while they worked on this document"
    return rejected(entry_id(entry), "worker-died", message)


def digest_of(number: int, entry: Entry) -> int:
    """Return a digest of an entry and its number in the corpus; digests of a shard are added."""
    state = hashlib.blake2b(f"{number}".encode(), digest_size=16)
    for part in _parts(entry):
        data = part.encode("utf-8", "surrogatepass")
        state.update(f"\0{len(data)}\0".encode())
        state.update(data)
    return int.from_bytes(state.digest(), "big")


def _parts(entry: Entry) -> Iterator[str]:
    if isinstance(entry, Rejected):
        yield from (entry.id, entry.code)
        return
    article = entry.article if isinstance(entry, Analysed) else entry
    yield from (article.id, article.source, article.text, *article.reference)
    if isinstance(entry, Analysed):
        yield dumps(encode_analysis(entry.analysis))


class _ShardBuilder:
    """Collects shards and the digests of all ids in one pass over the corpus."""

    def __init__(self, shard_size: int | None) -> None:
        self.documents = 0
        self.digest = 0
        self._fixed = shard_size is not None
        self._size = shard_size or _SMALLEST
        self._shards: list[Shard] = []
        self._ids = array("Q")

    def add(self, location: Location, entry: Entry) -> None:
        """Add the next entry to the last shard, or start a new shard with it."""
        number = self.documents
        digest = digest_of(number, entry)
        if number % self._size == 0:
            self._merge_neighbours()
            self._shards.append(Shard(len(self._shards), location, number, 0, 0))
        self._shards[-1] = _extended(self._shards[-1], 1, digest)
        self._ids.frombytes(_id_digest(number, entry))
        self.digest = (self.digest + digest) % _MODULUS
        self.documents += 1

    def _merge_neighbours(self) -> None:
        """Join pairs of neighbours once there are too many shards."""
        if self._fixed or len(self._shards) < _MOST or self._size >= _LARGEST:
            return
        pairs = zip(self._shards[::2], self._shards[1::2], strict=True)
        joined = [_extended(left, right.count, right.digest) for left, right in pairs]
        self._shards = [replace(shard, index=index) for index, shard in enumerate(joined)]
        self._size *= 2

    def shards(self) -> tuple[Shard, ...]:
        """Return the shards with their duplicates."""
        found: dict[int, list[int]] = {}
        for number in _repeats(self._ids):
            found.setdefault(number // self._size, []).append(number % self._size)
        return tuple(
            replace(shard, duplicates=tuple(found.get(shard.index, ()))) for shard in self._shards
        )


def _extended(shard: Shard, count: int, digest: int) -> Shard:
    return Shard(
        shard.index,
        shard.location,
        shard.first,
        shard.count + count,
        (shard.digest + digest) % _MODULUS,
    )


def _id_digest(number: int, entry: Entry) -> bytes:
    """Return a digest of the id; a rejected entry has no id, so it gets one of its own."""
    name = f"\0{number}" if isinstance(entry, Rejected) else entry_id(entry)
    return hashlib.blake2b(name.encode("utf-8", "surrogatepass"), digest_size=16).digest()


def _repeats(ids: "array[int]") -> list[int]:
    """Return the numbers of entries whose id occurs earlier, in order."""
    halves = np.frombuffer(ids, dtype=np.uint64).reshape(-1, 2)
    order = np.lexsort((halves[:, 1], halves[:, 0]))  # stable: the first of equals stays first
    ranked = halves[order]
    again = (ranked[1:] == ranked[:-1]).all(axis=1)
    return sorted(order[1:][again].tolist())
