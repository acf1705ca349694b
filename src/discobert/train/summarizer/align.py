"""Aligning the summariser's upper layers with the output of the original encoder.

The lower layers were trained with the analyser, so that the upper layers of the checkpoint no
longer fit them. Here the upper layers learn, without labels, to compute from the new lower-layer
vectors what the whole checkpoint computes. P pieces of a batch, H encoder width.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import torch
from torch import Tensor, nn
from torch.nn import functional

from discobert.errors import ConfigError
from discobert.nn.batch import EduBatch, Slice, join
from discobert.nn.encoder import LowerLayers
from discobert.nn.readers import UpperLayersReader
from discobert.nn.spans import segment_mean
from discobert.train.core.batches import PlannedBatch
from discobert.train.core.lower_layers import lower_layer_vectors
from discobert.train.core.machine import Machine
from discobert.train.summarizer.features.cache import CachedDocument
from discobert.train.summarizer.settings import SummarizerTraining


@dataclass(frozen=True)
class AlignmentTeacher:
    """The original encoder; its pieces attend to the same context as those that are trained."""

    lower: LowerLayers
    reader: UpperLayersReader

    def pieces(self, documents: Sequence[CachedDocument], batch: EduBatch) -> Tensor:
        """Encode every piece of the documents of a batch, (P, H)."""
        layouts = [x.item.layout for x in documents if x.item.layout is not None]
        with torch.no_grad():
            lower = torch.cat([lower_layer_vectors(self.lower, layout) for layout in layouts])
            return self.reader.pieces(replace(batch, inputs=lower))


@dataclass(slots=True)
class AlignLosses:
    """Distance of the upper layers' output from the teacher's, by piece and by sentence mean."""

    data: Sequence[CachedDocument]
    training: SummarizerTraining
    reader: UpperLayersReader
    teacher: AlignmentTeacher
    machine: Machine

    def __call__(self, net: nn.Module, planned: PlannedBatch) -> dict[str, Tensor]:
        """Compute the distance on the planned documents."""
        documents = [self.data[index] for index in planned.documents]
        parts = [Slice(x.inputs, x.item.layout, x.item.units) for x in documents]
        batch = join(parts, self.training.sizes())
        wanted = self.teacher.pieces(documents, batch).to(self.machine.device)
        batch = batch.to(self.machine.device)
        given = self.reader.pieces(batch)
        return {
            "loss": distance(given, wanted)
            + distance(_sentence_means(given, batch), _sentence_means(wanted, batch))
        }


def _sentence_means(pieces: Tensor, batch: EduBatch) -> Tensor:
    """Average pieces over blocks of the windows."""
    rows = batch.pieces.rows
    starts = (
        batch.pieces.blocks
        + 1000 * torch.arange(len(rows.index), device=rows.index.device)[:, None]
    )
    owners = torch.unique(starts.flatten()[rows.back], return_inverse=True)[1]
    return segment_mean(pieces, owners.to(pieces.device), int(owners.max()) + 1)


def distance(given: Tensor, wanted: Tensor) -> Tensor:
    """Return the mean squared difference as a share of the teacher's variance."""
    spread = wanted.var(0).mean().clamp(min=1e-6)
    return functional.mse_loss(given, wanted) / spread


def alignment_teacher(
    training: SummarizerTraining, teacher: AlignmentTeacher | None
) -> AlignmentTeacher:
    """Return the teacher, or refuse an encoder that has none."""
    if teacher is None or training.encoder:
        raise ConfigError("trained = 'align' needs shared lower layers and a BERT checkpoint")
    return teacher
