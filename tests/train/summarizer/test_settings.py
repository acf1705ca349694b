"""Settings of a run: every wrong value is refused with the allowed ones."""

from pathlib import Path

import pytest

pytest.importorskip("torch")

from discobert.errors import ConfigError
from discobert.store.config import read_config
from discobert.train.summarizer.settings import SummarizerTraining, TrainedPart

CONFIGS = Path(__file__).parents[3] / "configs"


@pytest.mark.parametrize("path", sorted(CONFIGS.glob("summarizer-*.toml")), ids=lambda p: p.stem)
def test_every_recipe_can_be_read(path: Path) -> None:
    read_config(path, SummarizerTraining)


def test_an_unknown_key_names_the_nearest(tmp_path: Path) -> None:
    (tmp_path / "wrong.toml").write_text("context_layer = 2\n")
    with pytest.raises(ConfigError, match="did you mean 'context_layers'"):
        read_config(tmp_path / "wrong.toml", SummarizerTraining)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"variant": "edus"}, "edu\\+both"),
        ({"trained": "everything"}, "document, spans, encoder, align, ranker"),
        ({"inputs": "some"}, "none, place, all"),
        ({"directions": "up"}, "heads, both"),
        ({"rst_graph": "tree"}, "links, strict, legacy"),
        ({"rules": "mine"}, "ours, paper, legacy"),
        ({"sentence_span": "sep"}, "cls, pieces"),
        ({"reach": "far"}, "sentence, window"),
        ({"soft_share": 2.0}, "soft_share"),
        ({"later_windows": 2.0}, "later_windows"),
        ({"epochs": 0.0}, "epochs"),
        ({"average_decay": 1.0}, "average_decay"),
        ({"start_share": 1.0}, "start_share"),
        ({"trained": "ranker"}, "rank_weight"),
        ({"graph_layers": 0}, "graph_layers"),
        ({"validate_length": -1}, "at least 1"),
    ],
)
def test_wrong_values_are_refused(wrong: dict[str, object], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        SummarizerTraining(**wrong)  # type: ignore[arg-type]


def test_a_ranker_alone_is_trained_without_dropout() -> None:
    training = SummarizerTraining(trained="ranker", rank_weight=1.0, dropout=0.3)
    assert training.network(hidden=384).dropout == 0
    assert training.trained_part is TrainedPart.RANKER


def test_sentences_are_validated_at_three() -> None:
    assert SummarizerTraining(variant="sentence").decoding().value == 3
    assert SummarizerTraining().decoding().value == 5
