"""Teaching the summariser's branch to say above a changed trunk what the whole encoder once said.

The trunk learns with the analyser, so the upper layers of the checkpoint no longer fit it. Sentence
vectors of the untouched encoder are known to carry what a summary needs; the branch learns to give
them from the new trunk's vectors, without any label.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import torch
from torch import Tensor, nn
from torch.nn import functional

from discobert.errors import ConfigError
from discobert.nn.batch import EduBatch, Slice, join
from discobert.nn.encoder import LowerLayers
from discobert.nn.readers import BranchReader
from discobert.nn.spans import segment_mean
from discobert.train.analyser.encode import trunk_vectors
from discobert.train.core.batches import PlannedBatch
from discobert.train.core.cache import Learnable
from discobert.train.core.machine import Machine
from discobert.train.summarizer.settings import SummarizerTraining


@dataclass(frozen=True)
class Teacher:
    """The encoder as it came; its reader sees as far as the one that learns from it."""

    trunk: LowerLayers
    reader: BranchReader

    def pieces(self, some: Sequence[Learnable], batch: EduBatch) -> Tensor:
        """Encode every piece of some documents, (P, H)."""
        layouts = [x.item.layout for x in some if x.item.layout is not None]
        with torch.no_grad():
            below = torch.cat([trunk_vectors(self.trunk, layout) for layout in layouts])
            return self.reader.pieces(replace(batch, inputs=below))


@dataclass(slots=True)
class AlignLosses:
    """How far the branch is from its teacher, in every piece and in the mean of every unit."""

    data: Sequence[Learnable]
    training: SummarizerTraining
    reader: BranchReader
    teacher: Teacher
    machine: Machine

    def __call__(self, net: nn.Module, planned: PlannedBatch) -> dict[str, Tensor]:
        """Compute the distance on the planned documents, as a share of the teacher's spread."""
        some = [self.data[index] for index in planned.documents]
        parts = [Slice(x.inputs, x.item.layout, x.item.units) for x in some]
        batch = join(parts, self.training.sizes())
        wanted = self.teacher.pieces(some, batch).to(self.machine.device)
        batch = batch.to(self.machine.device)
        said = self.reader.pieces(batch)
        return {
            "loss": distance(said, wanted)
            + distance(self._units(said, batch), self._units(wanted, batch))
        }

    def _units(self, pieces: Tensor, batch: EduBatch) -> Tensor:
        """Average pieces over blocks of the windows, the sentences that were read."""
        rows = batch.pieces.rows
        starts = (
            batch.pieces.blocks
            + 1000 * torch.arange(len(rows.index), device=rows.index.device)[:, None]
        )
        owners = torch.unique(starts.flatten()[rows.back], return_inverse=True)[1]
        return segment_mean(pieces, owners.to(pieces.device), int(owners.max()) + 1)


def distance(said: Tensor, wanted: Tensor) -> Tensor:
    """Return the mean squared difference as a share of the teacher's variance."""
    spread = wanted.var(0).mean().clamp(min=1e-6)
    return functional.mse_loss(said, wanted) / spread


def check_alignment(training: SummarizerTraining, teacher: Teacher | None) -> Teacher:
    """Refuse what cannot be aligned."""
    if teacher is None or training.encoder:
        raise ConfigError("trained = 'align' needs the shared trunk and a BERT checkpoint")
    return teacher
