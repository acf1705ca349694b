"""Targets between the oracle's choice and each unit's gain."""

import numpy as np
import pytest

pytest.importorskip("torch")

from tests.builders import analysis, tree
from tests.tiny import tiny_examples

from discobert.data.summary import Example
from discobert.discourse.dependencies import LEGACY
from discobert.discourse.units import UnitKind
from discobert.errors import ConfigError
from discobert.train.summarizer.corpus import prepared_example
from discobert.train.summarizer.objective.targets import (
    TargetOptions,
    chosen_units,
    labels_of,
    mixed_targets,
    prepared_labels,
)

CHOSEN = np.array([1, 0, 0], dtype=np.float32)
GAINS = np.array([0.5, 1, 0], dtype=np.float32)


def test_half_soft_targets_lie_between_choice_and_gain() -> None:
    assert mixed_targets(CHOSEN, GAINS, TargetOptions(soft_share=0.5)).tolist() == [0.75, 0.5, 0]


def test_no_softness_is_the_papers_target() -> None:
    assert mixed_targets(CHOSEN, GAINS, TargetOptions(soft_share=0)).tolist() == [1, 0, 0]


def test_smoothing_moves_targets_to_their_mean_and_keeps_it() -> None:
    options = TargetOptions(soft_share=0, label_smoothing=0.3)
    smooth = mixed_targets(CHOSEN, GAINS, options)
    assert smooth.tolist() == pytest.approx([0.8, 0.1, 0.1])
    assert float(smooth.mean()) == pytest.approx(float(CHOSEN.mean()))


@pytest.mark.parametrize("name", ["soft_share", "label_smoothing"])
def test_shares_outside_0_to_1_are_refused(name: str) -> None:
    with pytest.raises(ConfigError, match=name):
        TargetOptions(**{name: 1.5})


def test_the_oracle_takes_whole_closures() -> None:
    read = analysis(
        "[The mayor said] [that the dam broke.] | [It rained.]", tree("NN", tree("NS", 0, 1), 2)
    )
    labels = labels_of(Example(read, ("the dam broke",)), UnitKind.EDU)
    assert labels.oracle == (0, 1)
    assert labels.words == 7
    assert float(labels.targets.max()) == 1


def test_sentences_have_labels_of_their_own() -> None:
    example = tiny_examples()[0]
    labels = labels_of(example, UnitKind.SENTENCE)
    assert len(labels.targets) == len(example.analysis.document.sentences)
    assert chosen_units(labels, 4).sum() == len(labels.oracle)


def test_other_rules_need_other_labels() -> None:
    document = prepared_example(tiny_examples()[1])
    ours = prepared_labels(document, UnitKind.EDU)
    assert ours is document.edus
    assert prepared_labels(document, UnitKind.SENTENCE) is document.sentences
    assert prepared_labels(document, UnitKind.EDU, rules=LEGACY) is not ours
