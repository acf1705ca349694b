"""SpanExt by arithmetic."""

import pytest

torch = pytest.importorskip("torch")

from discobert.nn.spans import SpanExt, members, segment_softmax  # noqa: E402 - after the check


def test_uniform_attention_gives_the_mean() -> None:
    pieces = torch.randn(6, 4)
    units = SpanExt(4)(pieces, torch.tensor([[0, 2], [2, 3], [3, 6]]))
    expected = torch.stack([pieces[:2].mean(0), pieces[2], pieces[3:].mean(0)])
    torch.testing.assert_close(units, expected)


def test_attention_is_the_papers_formula() -> None:
    torch.manual_seed(0)
    extractor = SpanExt(4)
    torch.nn.init.normal_(extractor.score.weight)
    torch.nn.init.normal_(extractor.score.bias)
    pieces = torch.randn(5, 4)
    scores = extractor.score(torch.relu(extractor.inner(pieces)))
    expected = (torch.softmax(scores[1:4], 0) * pieces[1:4]).sum(0)
    torch.testing.assert_close(extractor(pieces, torch.tensor([[1, 4]]))[0], expected)


def test_a_unit_without_pieces_is_zero_and_harms_no_gradient() -> None:
    extractor = SpanExt(4)
    pieces = torch.randn(3, 4, requires_grad=True)
    units = extractor(pieces, torch.tensor([[0, 0], [0, 3], [3, 3]]))
    assert torch.equal(units[[0, 2]], torch.zeros(2, 4))
    units.sum().backward()
    assert pieces.grad is not None
    assert bool(pieces.grad.isfinite().all())


def test_pieces_outside_a_unit_do_not_matter() -> None:
    torch.manual_seed(0)
    extractor = SpanExt(4)
    torch.nn.init.normal_(extractor.score.weight)
    pieces = torch.randn(6, 4)
    changed = pieces.clone()
    changed[4:] += 7
    spans = torch.tensor([[1, 4]])
    torch.testing.assert_close(extractor(pieces, spans), extractor(changed, spans))


def test_both_layers_learn_once_attention_moves() -> None:
    torch.manual_seed(0)
    extractor = SpanExt(4)
    torch.nn.init.normal_(extractor.score.weight)
    extractor(torch.randn(5, 4), torch.tensor([[0, 5]])).square().sum().backward()
    assert extractor.inner.weight.grad is not None
    assert bool(extractor.inner.weight.grad.abs().sum() > 0)


def test_members_list_the_pieces_of_overlapping_and_empty_spans() -> None:
    inside = members(torch.tensor([[2, 4], [3, 3], [1, 4]]))
    assert inside.pieces.tolist() == [2, 3, 1, 2, 3]
    assert inside.units.tolist() == [0, 0, 2, 2, 2]


def test_softmax_survives_large_scores() -> None:
    weights = segment_softmax(torch.tensor([1000.0, 1000.0, -1000.0]), torch.tensor([0, 0, 1]), 2)
    assert weights.tolist() == [0.5, 0.5, 1.0]
