"""Hardware for training: this CPU alone, or what accelerate finds."""

import logging
from contextlib import AbstractContextManager, nullcontext
from typing import Any, Protocol

import torch
from torch import Tensor, nn

from discobert.errors import ConfigError, MissingExtra

logger = logging.getLogger(__name__)

PRECISIONS = ("no", "bf16", "fp16")


class Machine(Protocol):
    """Operations of the training loop that depend on the hardware."""

    @property
    def device(self) -> torch.device:
        """The device of batches."""
        ...

    @property
    def n_processes(self) -> int:
        """How many processes train together."""
        ...

    @property
    def rank(self) -> int:
        """Index of this process; 0 writes the files."""
        ...

    def prepare(
        self, net: nn.Module, optimizer: torch.optim.Optimizer
    ) -> tuple[nn.Module, torch.optim.Optimizer]:
        """Move network and optimizer to the device and wrap them."""
        ...

    def autocast(self) -> AbstractContextManager[Any]:
        """Run the forward pass in the chosen precision."""
        ...

    def backward(self, loss: Tensor) -> None:
        """Compute gradients."""
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
        """Return both unchanged."""
        return net, optimizer

    def autocast(self) -> AbstractContextManager[Any]:
        """Change nothing."""
        return nullcontext()

    def backward(self, loss: Tensor) -> None:
        """Compute gradients."""
        loss.backward()  # type: ignore[no-untyped-call]

    def clip(self, net: nn.Module, norm: float) -> None:
        """Bound the norm of all gradients."""
        nn.utils.clip_grad_norm_([p for p in net.parameters() if p.requires_grad], norm)


class AcceleratedMachine:
    """What accelerate finds: GPUs, several processes, lower precision."""

    def __init__(self, precision: str) -> None:
        try:
            from accelerate import Accelerator
        except ImportError as error:
            raise MissingExtra("accelerate", "train") from error
        self._accelerator = Accelerator(mixed_precision=precision)

    @property
    def device(self) -> torch.device:
        """The device of batches."""
        device: torch.device = self._accelerator.device
        return device

    @property
    def n_processes(self) -> int:
        """How many processes train together."""
        return int(self._accelerator.num_processes)

    @property
    def rank(self) -> int:
        """Index of this process."""
        return int(self._accelerator.process_index)

    def prepare(
        self, net: nn.Module, optimizer: torch.optim.Optimizer
    ) -> tuple[nn.Module, torch.optim.Optimizer]:
        """Move network and optimizer to the device and wrap them."""
        wrapped, wrapped_optimizer = self._accelerator.prepare(net, optimizer)
        return wrapped, wrapped_optimizer

    def autocast(self) -> AbstractContextManager[Any]:
        """Run the forward pass in the chosen precision."""
        context: AbstractContextManager[Any] = self._accelerator.autocast()
        return context

    def backward(self, loss: Tensor) -> None:
        """Compute gradients, scaled where the precision needs it."""
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


def use_threads(count: int) -> None:
    """Set the number of threads that torch computes with."""
    torch.set_num_threads(count)
