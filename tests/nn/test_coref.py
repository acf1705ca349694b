"""The coreference loss by arithmetic."""

import pytest

torch = pytest.importorskip("torch")

from discobert.nn.coref import link_loss  # noqa: E402


def test_equal_scores_give_the_log_of_the_number_of_choices() -> None:
    links, mentions = torch.zeros(3, 3), torch.zeros(3)
    nothing = link_loss(links, mentions, torch.tensor([-1, -1, -1]))
    expected = torch.tensor([1.0, 2.0, 3.0]).log().mean()
    assert float(nothing) == pytest.approx(float(expected))


def test_any_right_antecedent_will_do() -> None:
    links, mentions = torch.zeros(3, 3), torch.zeros(3)
    loss = link_loss(links, mentions, torch.tensor([0, 0, 0]))
    expected = (torch.tensor(1.0).log() + torch.tensor(2.0).log() + torch.tensor(3.0 / 2).log()) / 3
    assert float(loss) == pytest.approx(float(expected))


def test_a_sure_right_link_costs_nothing() -> None:
    links = torch.zeros(2, 2)
    links[1, 0] = 50.0
    assert float(link_loss(links, torch.zeros(2), torch.tensor([0, 0]))) == pytest.approx(
        0, abs=1e-6
    )
