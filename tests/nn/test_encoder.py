"""The encoder against transformers, and its promises about rows and padding."""

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from transformers import BertModel

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

from discobert.nn.encoder import (  # noqa: E402 - after the check that torch is there
    EncoderConfig,
    FeatureDropout,
    LowerLayers,
    UpperLayers,
)
from discobert.nn.pretrained import load_lower_layers, load_upper_layers  # noqa: E402

CONFIG = EncoderConfig(vocabulary=50, positions=32, hidden=16, heads=4, feed_forward=32, layers=4)


@pytest.fixture(scope="module")
def bert() -> "BertModel":
    torch.manual_seed(0)
    settings = transformers.BertConfig(
        vocab_size=50,
        hidden_size=16,
        num_hidden_layers=4,
        num_attention_heads=4,
        intermediate_size=32,
        max_position_embeddings=32,
    )
    model: BertModel = transformers.BertModel(settings, add_pooling_layer=False).eval()
    return model


@pytest.fixture(scope="module")
def parts(bert: "BertModel") -> tuple[LowerLayers, UpperLayers]:
    lower, upper = LowerLayers(CONFIG, layers=2), UpperLayers(CONFIG, layers=2, shapes=4, places=8)
    weights = dict(bert.state_dict())
    load_lower_layers(lower, weights)
    load_upper_layers(upper, weights, first_layer=2)
    torch.nn.init.zeros_(upper.shapes.weight)
    torch.nn.init.zeros_(upper.places.weight)
    return lower.eval(), upper.eval()


def test_lower_and_upper_layers_together_are_bert(
    bert: "BertModel", parts: tuple[LowerLayers, UpperLayers]
) -> None:
    lower, upper = parts
    ids = torch.randint(1, 50, (3, 9))
    zeros = torch.zeros_like(ids)
    with torch.no_grad():
        ours = upper(lower(ids), zeros, zeros)
        theirs = bert(input_ids=ids).last_hidden_state
    torch.testing.assert_close(ours, theirs, atol=1e-5, rtol=1e-4)


def test_padding_changes_nothing(parts: tuple[LowerLayers, UpperLayers]) -> None:
    lower, upper = parts
    ids = torch.randint(1, 50, (1, 7))
    padded = torch.cat([ids, torch.zeros(1, 4, dtype=torch.long)], 1)
    zeros, mask = torch.zeros_like(padded), padded > 0
    with torch.no_grad():
        short = upper(lower(ids), zeros[:, :7], zeros[:, :7])
        long = upper(lower(padded, mask), zeros, zeros, mask)
    torch.testing.assert_close(short, long[:, :7], atol=1e-5, rtol=1e-4)


def test_a_row_does_not_see_other_rows(parts: tuple[LowerLayers, UpperLayers]) -> None:
    lower, _ = parts
    ids = torch.randint(1, 50, (2, 6))
    with torch.no_grad():
        torch.testing.assert_close(lower(ids)[1:], lower(ids[1:]), atol=1e-6, rtol=1e-5)


def test_feature_dropout_drops_the_same_features_for_all_pieces() -> None:
    torch.manual_seed(1)
    dropout = FeatureDropout(0.5).train()
    dropped = dropout(torch.ones(2, 5, 64))
    assert torch.equal(dropped, dropped[:, :1].expand_as(dropped))
    assert set(dropped.unique().tolist()) == {0.0, 2.0}
    assert torch.equal(dropout.eval()(torch.ones(1, 2, 3)), torch.ones(1, 2, 3))


def test_lower_and_upper_layers_together_are_mpnet() -> None:
    torch.manual_seed(2)
    settings = transformers.MPNetConfig(
        vocab_size=50,
        hidden_size=16,
        num_hidden_layers=4,
        num_attention_heads=4,
        intermediate_size=32,
        max_position_embeddings=34,
    )
    mpnet = transformers.MPNetModel(settings, add_pooling_layer=False).eval()
    torch.nn.init.normal_(mpnet.encoder.relative_attention_bias.weight)
    config = replace(CONFIG, distance_buckets=32)
    lower, upper = (
        LowerLayers(config, layers=2).eval(),
        UpperLayers(config, layers=2, shapes=4).eval(),
    )
    load_lower_layers(lower, mpnet.state_dict())
    load_upper_layers(upper, mpnet.state_dict(), first_layer=2)
    torch.nn.init.zeros_(upper.shapes.weight)
    torch.nn.init.zeros_(upper.places.weight)
    ids = torch.randint(3, 50, (2, 29))
    zeros, mask = torch.zeros_like(ids), torch.arange(29)[None] < torch.tensor([[29], [21]])
    with torch.no_grad():
        ours = upper(lower(ids, mask), zeros, zeros, mask)
        padded = ids.where(mask, torch.ones_like(ids))
        theirs = mpnet(input_ids=padded, attention_mask=mask.long()).last_hidden_state
        alone = upper(lower(ids[:1]), zeros[:1], zeros[:1])
    torch.testing.assert_close(ours[mask], theirs[mask], atol=1e-5, rtol=1e-4)
    torch.testing.assert_close(alone[0], theirs[0], atol=1e-5, rtol=1e-4)
