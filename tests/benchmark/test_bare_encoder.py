"""The bare encoder pass to compare with."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from benchmarks import bare_encoder as module
from benchmarks.bare_encoder import (
    HIDDEN,
    WINDOW,
    BareEncoder,
    Weights,
    bare_encoder,
    random_weights,
)
from tests.tiny import tiny_tokenizer

from discobert.benchmark.run import piece_layout
from discobert.benchmark.texts import generated


@pytest.fixture(scope="module", autouse=True)
def small() -> Iterator[None]:
    """Leave out most words and layers: no line of the graph depends on their number."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "VOCABULARY", 1100)
        patch.setattr(module, "LAYERS", 2)
        yield


@pytest.fixture(scope="module")
def weights() -> Weights:
    return random_weights()


@pytest.fixture(scope="module")
def encoder(weights: Weights) -> BareEncoder:
    return bare_encoder(weights)


def test_every_piece_is_encoded_once_in_windows_of_bounded_length(encoder: BareEncoder) -> None:
    layout = piece_layout(tiny_tokenizer(), generated(150).text)
    found = encoder.encode_text(layout)
    assert sum(map(len, found)) == len(layout.ids)
    assert len(found) > 1
    assert max(map(len, found)) <= WINDOW
    assert all(part.shape[1] == HIDDEN and np.isfinite(part).all() for part in found)


def test_graph_computes_what_the_library_of_bert_computes(
    weights: Weights, encoder: BareEncoder
) -> None:
    torch = pytest.importorskip("torch")
    transformers = pytest.importorskip("transformers")
    config = transformers.BertConfig(
        vocab_size=module.VOCABULARY,
        hidden_size=HIDDEN,
        intermediate_size=module.INNER,
        num_hidden_layers=module.LAYERS,
        num_attention_heads=module.HEADS,
    )
    model = transformers.BertModel(config, add_pooling_layer=False).eval()
    state = {name: torch.from_numpy(np.ascontiguousarray(w)) for name, w in weights.items()}
    model.load_state_dict(state, strict=False)
    ids = np.arange(1000, 1030, dtype=np.int64)
    with torch.inference_mode():
        expected = model(input_ids=torch.from_numpy(ids)[None]).last_hidden_state[0].numpy()
    np.testing.assert_allclose(encoder.encode(ids), expected, atol=2e-4)


def test_without_the_package_weights_are_random(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "find_spec", lambda name: None)
    assert module.minilm_folder() is None
    assert module.minilm_weights() is None
    assert bare_encoder().is_random


def test_weights_of_the_package_are_used(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, weights: Weights
) -> None:
    (tmp_path / "model.safetensors").write_bytes(b"weights")
    monkeypatch.setattr(module, "minilm_folder", lambda: tmp_path)
    monkeypatch.setattr(module, "read_tensors", lambda data: weights if data == b"weights" else {})
    assert not bare_encoder().is_random
