"""Candidate summaries of a step and their ROUGE."""

import numpy as np
import pytest

pytest.importorskip("torch")

from tests.tiny import tiny_examples, tiny_tokenizer

from discobert.metrics.rouge import reference_of, rouge
from discobert.runtime.pieces import lay_out_analysis
from discobert.selection.paper.ranked import CandidateOptions
from discobert.train.summarizer.corpus import prepared_example
from discobert.train.summarizer.features.items import Item, ItemOptions, item_of
from discobert.train.summarizer.objective.ranking import (
    batch_candidates,
    candidate_rouge,
    candidate_units,
)

OPTIONS = CandidateOptions(min_steps=1, max_steps=3, leave_out=1)


def item(index: int) -> Item:
    document = prepared_example(tiny_examples()[index])
    return item_of(document, ItemOptions(), lambda read: lay_out_analysis(tiny_tokenizer(), read))


def test_merits_are_rouge_of_the_units() -> None:
    example = tiny_examples()[0]
    document = example.analysis.document
    (merit,) = candidate_rouge(item(0).rank, [[0]]).tolist()
    score = rouge(reference_of(example.reference), [document.edu_text(0)])
    assert merit == pytest.approx((score.rouge1.f1 + score.rouge2.f1) / 2, abs=1e-6)


def test_candidates_are_closed_under_what_they_need() -> None:
    flood = item(0)
    needs = flood.rank.needs.tolist()
    for units in candidate_units(flood, np.linspace(0, 1, 7, dtype=np.float32), OPTIONS):
        assert all(head in units for dependent, head in needs if dependent in units)


def test_units_of_a_batch_are_counted_through() -> None:
    both = [item(0), item(1)]
    logits = [np.linspace(1, 0, len(x.units), dtype=np.float32) for x in both]
    found = batch_candidates(both, logits, OPTIONS)
    assert set(found.documents.tolist()) == {0, 1}
    assert int(found.units.max()) >= len(both[0].units)
    second = found.documents[found.owners] == 1
    assert int(found.units[second].min()) >= len(both[0].units)
    assert len(found.words) == len(found.rouge) == len(found.documents)
