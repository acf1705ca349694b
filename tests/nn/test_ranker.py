"""Ranking candidates by arithmetic."""

import math

import pytest

torch = pytest.importorskip("torch")

from discobert.nn.ranker import CandidateSummaries, Ranker, candidate_features, margin_loss  # noqa: E402


def candidates() -> CandidateSummaries:
    """Two documents: units 0-2 and 3-4; three candidates of the first, one of the second."""
    return CandidateSummaries(
        units=torch.tensor([0, 0, 1, 1, 2, 3]),
        owners=torch.tensor([0, 1, 1, 2, 2, 3]),
        documents=torch.tensor([0, 0, 0, 1]),
        words=torch.tensor([10.0, 20.0, 15.0, 8.0]),
        rouge=torch.tensor([0.2, 0.5, 0.3, 0.9]),
    )


def test_no_loss_once_all_pairs_keep_their_margin() -> None:
    scores = torch.tensor([0.0, 2.0, 1.0, -9.0])
    assert margin_loss(scores, candidates(), margin=0.5).item() == 0


def test_loss_is_the_mean_shortfall_of_pairs() -> None:
    # By merit the first document's are 1, 2, 0: three pairs, one of them two ranks apart.
    loss = margin_loss(torch.zeros(4), candidates(), margin=0.3)
    assert loss.item() == pytest.approx((0.3 + 0.3 + 0.6) / 3)


def test_documents_are_not_compared_with_each_other() -> None:
    scores = torch.tensor([0.0, 2.0, 1.0, 0.0])
    moved = torch.tensor([0.0, 2.0, 1.0, 50.0])
    of = candidates()
    assert margin_loss(scores, of, margin=0.5) == margin_loss(moved, of, margin=0.5)


def test_equal_candidates_cost_nothing() -> None:
    of = candidates()
    equal = CandidateSummaries(of.units, of.owners, of.documents, of.words, torch.ones(4))
    assert margin_loss(torch.randn(4), equal, margin=0.5).item() == 0


def test_facts_count_words_units_and_chances() -> None:
    told = candidate_features(torch.zeros(5), candidates())
    assert told[1].tolist() == pytest.approx([math.log(21) / 4, 0.2, 0.5, 0.25])


def test_the_score_of_a_candidate_does_not_depend_on_other_documents() -> None:
    torch.manual_seed(0)
    ranker = Ranker(6, hidden=8)
    states, logits = torch.randn(5, 6), torch.randn(5)
    documents = torch.tensor([0, 0, 0, 1, 1])
    of = candidates()
    alone = CandidateSummaries(
        units=torch.tensor([0, 1]),
        owners=torch.tensor([0, 0]),
        documents=torch.tensor([0]),
        words=of.words[1:2],
        rouge=of.rouge[1:2],
    )
    scores = ranker(states[:3], logits[:3], documents[:3], alone)
    torch.testing.assert_close(scores, ranker(states, logits, documents, of)[1:2])


def test_ranking_is_learned() -> None:
    torch.manual_seed(0)
    ranker = Ranker(6, hidden=8)
    states, logits = torch.randn(5, 6), torch.zeros(5)
    documents = torch.tensor([0, 0, 0, 1, 1])
    optimizer = torch.optim.Adam(ranker.parameters(), lr=0.02)
    for _ in range(100):
        scores = ranker(states, logits, documents, candidates())
        loss = margin_loss(scores, candidates(), margin=0.1)
        optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        optimizer.step()
    ranked = ranker(states, logits, documents, candidates())
    assert ranked[1] > ranked[2] > ranked[0]
