"""Shapes of weights and graphs compared with what the code expects, size by size.

An expected shape is written as words: ``"9*K D"`` has two axes; a letter stands for the same size
wherever it occurs, and ``?`` for an axis without a fixed size.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from discobert.errors import BundleError

MOST = 1 << 22
"""Largest size of an axis: the vocabulary of the largest encoders is a quarter of a million."""

Shape = Sequence[int | None]
"""``None`` is an axis without a fixed size."""


@dataclass(slots=True)
class Sizes:
    """The sizes that are known so far, by their letters."""

    known: dict[str, int] = field(default_factory=dict)

    def check_all(self, file: str, found: Mapping[str, Shape], expected: Mapping[str, str]) -> None:
        """Compare everything that is expected; more may be there."""
        for name, shape in expected.items():
            if name not in found:
                raise BundleError(f"{file}: lacks {name}; export the model again")
            self.check(f"{file}: {name}", found[name], shape)

    def check(self, where: str, found: Shape, expected: str) -> None:
        """Compare one shape and take note of its sizes."""
        axes = expected.split()
        if len(found) != len(axes) or not all(map(self._fits, found, axes)):
            shown = " ".join("?" if size is None else str(size) for size in found)
            sizes = ", ".join(f"{letter}={size}" for letter, size in sorted(self.known.items()))
            raise BundleError(
                f"{where} has the shape ({shown}), but ({expected}) is needed with {sizes or 'any'}"
                "; export the model again"
            )

    def _fits(self, size: int | None, axis: str) -> bool:
        if axis == "?" or size is None:
            return axis == "?" and size is None
        factor, _, letter = axis.rpartition("*")
        times = int(factor or 1)
        if letter.isdigit():
            return size == int(letter)
        if not 0 < size <= MOST or size % times:
            return False
        return self.known.setdefault(letter, size // times) == size // times
