"""Hardware for training."""

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from torch import nn

torch = pytest.importorskip("torch")

from discobert.errors import ConfigError  # noqa: E402 - after the check
from discobert.train.core.machine import AcceleratedMachine, PlainMachine, find_machine  # noqa: E402


def one_step(machine: PlainMachine | AcceleratedMachine) -> "nn.Linear":
    torch.manual_seed(0)
    net: nn.Linear = torch.nn.Linear(3, 1)
    wrapped, optimizer = machine.prepare(net, torch.optim.SGD(net.parameters(), lr=0.1))
    with machine.autocast():
        loss = wrapped(torch.ones(2, 3).to(machine.device)).float().sum()
    machine.backward(loss)
    machine.clip(net, 0.5)
    optimizer.step()
    return net


def test_a_cpu_needs_nothing_but_torch() -> None:
    machine = find_machine("no")
    assert isinstance(machine, PlainMachine)
    assert (machine.n_processes, machine.rank) == (1, 0)
    if not torch.cuda.is_available():
        assert isinstance(find_machine("auto"), PlainMachine)


def test_gradients_are_bounded() -> None:
    torch.manual_seed(0)
    before = torch.nn.Linear(3, 1)
    after = one_step(PlainMachine())
    moved = torch.cat(
        [(a - b).flatten() for a, b in zip(after.parameters(), before.parameters(), strict=True)]
    )
    assert float(moved.detach().norm()) == pytest.approx(0.05, rel=1e-3)


def test_accelerate_takes_the_same_step_in_lower_precision() -> None:
    pytest.importorskip("accelerate")
    machine = find_machine("bf16")
    assert isinstance(machine, AcceleratedMachine)
    assert (machine.n_processes, machine.rank) == (1, 0)
    plain, lower = one_step(PlainMachine()), one_step(machine)
    torch.testing.assert_close(lower.weight.cpu(), plain.weight, atol=2e-2, rtol=2e-2)


def test_an_unknown_precision_is_refused() -> None:
    with pytest.raises(ConfigError, match="auto, no, bf16, fp16"):
        find_machine("fp8")
