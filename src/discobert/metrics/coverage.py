"""ROUGE of growing extracts of text units, by clipped n-gram counts.

Each candidate step adds one unit together with the units it needs. All steps from one selection are
scored at once, exactly as ROUGE would score the chosen units joined in reading order.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from discobert.errors import InvalidValue
from discobert.language.tokens import Tokens
from discobert.metrics.rouge import Reference

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Coverage:
    """Units and reference as counts; row ``n_units`` of each table is an empty unit for padding.

    ``counts`` has a column per distinct unigram of the reference, then one per distinct bigram if
    bigrams are counted at all. ``pair_columns`` finds the bigram column of two token ids;
    one more column, dropped in the end, takes what the reference does not have.
    """

    members: Ints
    lengths: Ints
    counts: Ints
    wanted: Ints
    n_unigrams: int
    reference_length: int
    first_ids: Ints
    last_ids: Ints
    pair_columns: Ints

    @property
    def n_units(self) -> int:
        """How many units there are, the padding not counted."""
        return len(self.lengths) - 1

    @property
    def has_bigrams(self) -> bool:
        """Whether ROUGE-2 counts too."""
        return len(self.wanted) > self.n_unigrams


@dataclass(frozen=True, slots=True)
class PartialExtract:
    """The units chosen so far, their counts, and the counts that each step would add."""

    chosen: Flags
    counts: Ints
    length: int
    score: float
    added: Ints
    added_lengths: Ints

    @property
    def units(self) -> tuple[int, ...]:
        """The chosen units in reading order."""
        return tuple(np.flatnonzero(self.chosen[:-1]).tolist())


@dataclass(frozen=True, slots=True)
class Steps:
    """All extracts one step away: a row of counts, a length and a score for each unit added."""

    counts: Ints
    lengths: Ints
    scores: Floats


def coverage_of(
    units: Sequence[Tokens],
    reference: Reference,
    *,
    closures: Sequence[Collection[int]] | None,
    bigrams: bool,
) -> Coverage:
    """Count every unit once; without closures each unit needs itself alone."""
    n_units = len(units)
    unigram_columns = {token: column for column, token in enumerate(reference.unigrams)}
    other = len(unigram_columns)
    grams = reference.bigrams if bigrams else {}
    pairs = _pair_columns(grams, unigram_columns)
    lengths = np.array([*map(len, units), 0], dtype=np.int64)
    ids = np.array([unigram_columns.get(t, other) for unit in units for t in unit], dtype=np.int64)
    owners = np.repeat(np.arange(n_units + 1), lengths)
    counts = _table(owners, ids, n_units + 1, other)
    if grams:
        inside = owners[1:] == owners[:-1]
        columns = pairs[ids[:-1], ids[1:]]
        inner = _table(owners[1:][inside], columns[inside], n_units + 1, len(grams))
        counts = np.concatenate([counts, inner], axis=1)
    ends = np.cumsum(lengths)
    padded = np.append(ids, other)
    return Coverage(
        members=_members(closures, n_units),
        lengths=lengths,
        counts=counts,
        wanted=np.array([*reference.unigrams.values(), *grams.values()], dtype=np.int64),
        n_unigrams=other,
        reference_length=len(reference.tokens),
        first_ids=padded[np.minimum(ends - lengths, len(ids))],
        last_ids=padded[np.maximum(ends - 1, 0)],
        pair_columns=pairs,
    )


def _pair_columns(grams: Mapping[tuple[str, str], int], columns: Mapping[str, int]) -> Ints:
    size = len(columns) + 1
    table = np.full((size, size), len(grams), dtype=np.int64)
    for column, (left, right) in enumerate(grams):
        table[columns[left], columns[right]] = column
    return table


def _table(rows: Ints, columns: Ints, n_rows: int, n_columns: int) -> Ints:
    """Count (row, column) pairs; the column after the last is counted and dropped."""
    width = n_columns + 1
    flat = np.bincount(rows * width + columns, minlength=n_rows * width)
    return flat.reshape(n_rows, width)[:, :n_columns]


def _members(closures: Sequence[Collection[int]] | None, n_units: int) -> Ints:
    """Write closures as rows in reading order, padded with ``n_units``."""
    if closures is None:
        return np.arange(n_units, dtype=np.int64)[:, None]
    if len(closures) != n_units:
        raise InvalidValue(f"{n_units} units need as many closures, got {len(closures)}")
    width = max(map(len, closures), default=1)
    members = np.full((n_units, width), n_units, dtype=np.int64)
    for unit, closure in enumerate(closures):
        row = sorted(closure)
        if unit not in closure or row[0] < 0 or row[-1] >= n_units:
            raise InvalidValue(
                f"the closure of unit {unit} of {n_units} must hold it and no unknown one: {row}"
            )
        members[unit, : len(row)] = row
    return members


def empty_extract(coverage: Coverage) -> PartialExtract:
    """Return the extract without units."""
    chosen = np.zeros(coverage.n_units + 1, dtype=np.bool_)
    chosen[-1] = True  # the padding is never added
    added, added_lengths = _sums(coverage, coverage.members)
    return PartialExtract(chosen, np.zeros_like(coverage.wanted), 0, 0.0, added, added_lengths)


def steps_from(coverage: Coverage, extract: PartialExtract) -> Steps:
    """Count and score every extract that is one step away."""
    counts = extract.counts + extract.added
    lengths = extract.length + extract.added_lengths
    if coverage.has_bigrams:
        _add_junctions(coverage, extract.chosen, counts)
    return Steps(counts, lengths, _scores(coverage, counts, lengths))


def extend(coverage: Coverage, extract: PartialExtract, steps: Steps, unit: int) -> PartialExtract:
    """Add a unit with its closure; only steps that overlap with it are summed again."""
    chosen = extract.chosen.copy()
    chosen[coverage.members[unit]] = True
    touched = (chosen & ~extract.chosen)[coverage.members].any(axis=1)
    members = coverage.members[touched]
    added, added_lengths = extract.added.copy(), extract.added_lengths.copy()
    added[touched], added_lengths[touched] = _sums(
        coverage, np.where(chosen[members], coverage.n_units, members)
    )
    return PartialExtract(
        chosen=chosen,
        counts=steps.counts[unit],
        length=int(steps.lengths[unit]),
        score=float(steps.scores[unit]),
        added=added,
        added_lengths=added_lengths,
    )


def _sums(coverage: Coverage, members: Ints) -> tuple[Ints, Ints]:
    """Sum counts and lengths over each row of units, slot by slot so that memory stays linear."""
    counts = np.zeros((len(members), len(coverage.wanted)), dtype=np.int64)
    for slot in members.T:
        counts += coverage.counts[slot]
    return counts, coverage.lengths[members].sum(axis=1)


def _scores(coverage: Coverage, counts: Ints, lengths: Ints) -> Floats:
    """Return the F1 of ROUGE-1, plus that of ROUGE-2 if bigrams are counted."""
    hits = np.minimum(counts, coverage.wanted)
    n_unigrams = coverage.n_unigrams
    both = lengths + coverage.reference_length
    scores: Floats = 2 * hits[:, :n_unigrams].sum(axis=1) / np.maximum(both, 1)
    if coverage.has_bigrams:
        scores += 2 * hits[:, n_unigrams:].sum(axis=1) / np.maximum(both - 2, 1)
    return scores


def _add_junctions(coverage: Coverage, chosen: Flags, counts: Ints) -> None:
    """Correct bigram counts, in place, where chosen units become adjacent.

    A new unit between two chosen ones separates them; units without a token are skipped.
    """
    padding = coverage.n_units
    has_tokens = coverage.lengths > 0
    members = coverage.members
    new = np.sort(np.where(chosen[members] | ~has_tokens[members], padding, members), axis=1)
    before, after = _neighbours(chosen & has_tokens)
    outer_left, outer_right = before[new], after[new]
    edge = np.ones((len(new), 1), dtype=np.int64)
    inner_left = np.hstack([-edge, new[:, :-1]])
    inner_right = np.hstack([new[:, 1:], padding * edge])
    left = np.maximum(inner_left, outer_left)
    real = new < padding
    closes = real & (outer_right < padding) & (inner_right > outer_right)
    parts = real & (outer_left >= 0) & (outer_right < padding) & (inner_left < outer_left)
    _count_pairs(coverage, counts, _Pairs(left, new, real & (left >= 0)), 1)
    _count_pairs(coverage, counts, _Pairs(new, outer_right, closes), 1)
    _count_pairs(coverage, counts, _Pairs(outer_left, outer_right, parts), -1)


@dataclass(frozen=True, slots=True)
class _Pairs:
    """Pairs of adjacent units where the flag is set; a row per step."""

    left: Ints
    right: Ints
    where: Flags


def _neighbours(present: Flags) -> tuple[Ints, Ints]:
    """Find for each place the nearest present one before it (or -1) and after it (or the last)."""
    places = np.arange(len(present))
    last = len(present) - 1
    up_to = np.maximum.accumulate(np.where(present, places, -1))
    down_to = np.minimum.accumulate(np.where(present, places, last)[::-1])[::-1]
    return np.append(-1, up_to[:-1]), np.append(down_to[1:], last)


def _count_pairs(coverage: Coverage, counts: Ints, pairs: _Pairs, amount: int) -> None:
    rows = np.broadcast_to(np.arange(len(counts))[:, None], pairs.where.shape)[pairs.where]
    left, right = pairs.left[pairs.where], pairs.right[pairs.where]
    columns = coverage.pair_columns[coverage.last_ids[left], coverage.first_ids[right]]
    known = columns < counts.shape[1] - coverage.n_unigrams
    np.add.at(counts, (rows[known], coverage.n_unigrams + columns[known]), amount)
