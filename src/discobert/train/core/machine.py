"""Where training runs: plainly on this CPU, or through accelerate on what hardware there is."""

import logging
from contextlib import AbstractContextManager, nullcontext
from typing import Any, Protocol

import torch
from torch import Tensor, nn

from discobert.errors import ConfigError, MissingExtra

logger = logging.getLogger(__name__)

PRECISIONS = ("no", "bf16", "fp16")


class Machine(Protocol):
    """What the training loop asks of the hardware."""

    @property
    def device(self) -> torch.device:
        """Where batches go."""
        ...

    @property
    def n_processes(self) -> int:
        """How many processes train together."""
        ...

    @property
    def rank(self) -> int:
        """Which of them this is; 0 writes the files."""
        ...

    def prepare(
        self, net: nn.Module, optimizer: torch.optim.Optimizer
    ) -> tuple[nn.Module, torch.optim.Optimizer]:
        """Move and wrap network and optimizer."""
        ...

    def autocast(self) -> AbstractContextManager[Any]:
        """Run the forward pass in the chosen precision."""
        ...

    def backward(self, loss: Tensor) -> None:
        """Add up gradients."""
        ...

    def clip(self, net: nn.Module, norm: float) -> None:
        """Bound the norm of all gradients."""
        ...


class PlainMachine:
    """One process on the CPU in single precision; needs nothing but torch."""

    device = torch.device("cpu")
    n_processes = 1
    rank = 0

    def prepare(
        self, net: nn.Module, optimizer: torch.optim.Optimizer
    ) -> tuple[nn.Module, torch.optim.Optimizer]:
        """Leave both as they are."""
        return net, optimizer

    def autocast(self) -> AbstractContextManager[Any]:
        """Change nothing."""
        return nullcontext()

    def backward(self, loss: Tensor) -> None:
        """Add up gradients."""
        loss.backward()  # type: ignore[no-untyped-call]

    def clip(self, net: nn.Module, norm: float) -> None:
        """Bound the norm of all gradients."""
        nn.utils.clip_grad_norm_([p for p in net.parameters() if p.requires_grad], norm)


class AcceleratedMachine:
    """Whatever accelerate finds: GPUs, several processes, lower precision."""

    def __init__(self, precision: str) -> None:
        try:
            from accelerate import Accelerator
        except ImportError as error:
            raise MissingExtra("accelerate", "train") from error
        self._accelerator = Accelerator(mixed_precision=precision)

    @property
    def device(self) -> torch.device:
        """Where batches go."""
        device: torch.device = self._accelerator.device
        return device

    @property
    def n_processes(self) -> int:
        """How many processes train together."""
        return int(self._accelerator.num_processes)

    @property
    def rank(self) -> int:
        """Which of them this is."""
        return int(self._accelerator.process_index)

    def prepare(
        self, net: nn.Module, optimizer: torch.optim.Optimizer
    ) -> tuple[nn.Module, torch.optim.Optimizer]:
        """Move and wrap network and optimizer."""
        wrapped, wrapped_optimizer = self._accelerator.prepare(net, optimizer)
        return wrapped, wrapped_optimizer

    def autocast(self) -> AbstractContextManager[Any]:
        """Run the forward pass in the chosen precision."""
        context: AbstractContextManager[Any] = self._accelerator.autocast()
        return context

    def backward(self, loss: Tensor) -> None:
        """Add up gradients, scaled if need be."""
        self._accelerator.backward(loss)

    def clip(self, net: nn.Module, norm: float) -> None:
        """Bound the norm of all gradients."""
        self._accelerator.clip_grad_norm_([p for p in net.parameters() if p.requires_grad], norm)


def find_machine(precision: str) -> Machine:
    """Choose accelerate for a GPU or a lower precision, else plain torch."""
    if precision not in ("auto", *PRECISIONS):
        allowed = ", ".join(("auto", *PRECISIONS))
        raise ConfigError(f"unknown precision {precision!r}: use one of {allowed}")
    if precision == "auto":
        if not torch.cuda.is_available():
            return PlainMachine()
        precision = "bf16" if torch.cuda.is_bf16_supported() else "fp16"
    return PlainMachine() if precision == "no" else AcceleratedMachine(precision)
