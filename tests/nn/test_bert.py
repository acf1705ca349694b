"""Encoders of Hugging Face: parity, positions, segments."""

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from torch import nn

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

from tests.tiny import VOCABULARY, tiny_examples, tiny_layout  # noqa: E402

from discobert.errors import ConfigError, InputError  # noqa: E402 - after the checks
from discobert.nn.batch import Slice, WindowSizes, join  # noqa: E402
from discobert.nn.bert import (  # noqa: E402
    BertReader,
    HubModel,
    check_positions,
    extend_positions,
    find_pretrained,
    freeze_lower,
    load_bert,
    n_positions,
)
from discobert.nn.spans import SpanExt  # noqa: E402
from discobert.scorer.features import edu_units  # noqa: E402

SIZES = {
    "vocab_size": VOCABULARY,
    "hidden_size": 16,
    "num_hidden_layers": 2,
    "num_attention_heads": 2,
    "intermediate_size": 32,
    "max_position_embeddings": 128,
}


def tiny_bert() -> "nn.Module":
    torch.manual_seed(0)
    model: nn.Module = transformers.BertModel(transformers.BertConfig(**SIZES)).eval()
    return model


def tiny_roberta() -> "nn.Module":
    torch.manual_seed(0)
    config = transformers.RobertaConfig(
        **{**SIZES, "max_position_embeddings": 130, "type_vocab_size": 1}
    )
    model: nn.Module = transformers.RobertaModel(config).eval()
    return model


def test_pieces_equal_those_of_transformers() -> None:
    model = tiny_bert()
    examples = tiny_examples()[:2]
    layouts = [tiny_layout(example.analysis) for example in examples]
    parts = [
        Slice(layout.ids, layout, edu_units(example.analysis, layout))
        for example, layout in zip(examples, layouts, strict=True)
    ]
    with torch.no_grad():
        ours = BertReader(model, SpanExt(16)).pieces(join(parts, WindowSizes(pieces=128)))
        theirs = []
        for layout in layouts:
            ids = torch.from_numpy(layout.ids).long()[None]
            lengths = torch.from_numpy(layout.blocks).long().diff()
            segments = torch.repeat_interleave(torch.arange(len(lengths)) % 2, lengths)[None]
            theirs.append(model(input_ids=ids, token_type_ids=segments).last_hidden_state[0])
    torch.testing.assert_close(ours, torch.cat(theirs), atol=1e-5, rtol=1e-4)


@pytest.mark.parametrize("build", [tiny_bert, tiny_roberta])
def test_new_positions_leave_the_old_ones_alone(build: "type[nn.Module]") -> None:
    model = build()
    ids = torch.randint(3, 100, (1, 128))
    with torch.no_grad():
        before = model(input_ids=ids).last_hidden_state
        assert n_positions(model) == 128
        extend_positions(model, 192)
        after = model(input_ids=ids).last_hidden_state
        longer = model(input_ids=torch.randint(3, 100, (1, 192))).last_hidden_state
    torch.testing.assert_close(before, after)
    assert n_positions(model) == 192
    assert longer.shape == (1, 192, 16)


def test_too_few_positions_are_refused() -> None:
    model = tiny_bert()
    check_positions(model, 128)
    with pytest.raises(ConfigError, match="window_pieces is 768; use at most 128"):
        check_positions(model, 768)


def test_an_encoder_is_loaded_from_a_folder_and_extended(tmp_path: Path) -> None:
    tiny_bert().save_pretrained(tmp_path)  # type: ignore[operator]
    model = load_bert(str(tmp_path), positions=256)
    assert n_positions(model) == 256
    assert model.pooler is None
    with pytest.raises(InputError, match="no encoder could be loaded"):
        load_bert(str(tmp_path / "nowhere"))


def test_lower_layers_can_be_frozen() -> None:
    model = tiny_bert()
    freeze_lower(model, 0)
    assert all(p.requires_grad for p in model.parameters())
    freeze_lower(model, 1)
    layers = [(name, p) for name, p in model.named_parameters() if "layer." in name]
    learning = {name.split(".")[2] for name, p in layers if p.requires_grad}
    assert learning == {"1"}
    with pytest.raises(ConfigError, match="frozen_layers is 3"):
        freeze_lower(model, 3)


def test_an_encoder_without_positions_is_refused() -> None:
    with pytest.raises(ConfigError, match="no table of positions"):
        n_positions(torch.nn.Linear(2, 2))


def test_encoders_without_segments_get_none() -> None:
    reader = BertReader(tiny_roberta(), SpanExt(16))
    assert not reader.has_segments
    ids = torch.randint(3, 100, (1, 5))
    assert reader.encode(ids, torch.ones_like(ids), None).shape == (1, 5, 16)


def test_a_model_on_a_hub_is_named_with_its_commit() -> None:
    commit = "0123456789abcdef0123456789abcdef01234567"
    assert find_pretrained(f"org/model@{commit}") == HubModel("org/model", commit)
    for name in ("org/model", "org/model@main", f"org/model@{commit}0"):
        with pytest.raises(InputError, match="named with its commit"):
            find_pretrained(name)


def test_a_folder_needs_no_commit(tmp_path: Path) -> None:
    assert find_pretrained(str(tmp_path)) == HubModel(str(tmp_path), None)
