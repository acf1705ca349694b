"""The summariser's encoder: shared lower layers, or an encoder of its own."""

from dataclasses import replace
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

from tests.tiny import tiny_examples, tiny_tokenizer  # noqa: E402
from tests.tiny_training import TINY, tiny_setup  # noqa: E402
from tokenizers import Tokenizer  # noqa: E402 - after the checks
from tokenizers.models import WordLevel  # noqa: E402
from tokenizers.pre_tokenizers import Whitespace  # noqa: E402

from discobert.errors import ConfigError, InputError  # noqa: E402
from discobert.runtime.pieces import SEP  # noqa: E402
from discobert.train.analyser.network import build_net, network_config, save_weights  # noqa: E402
from discobert.train.summarizer.encoders import (  # noqa: E402
    PieceIds,
    bert_encoder,
    make_setup,
    shared_encoder,
)
from discobert.train.summarizer.network import load_reader  # noqa: E402

OWN = replace(TINY, reach="window", window_pieces=64, frozen_layers=1)


def write_roberta(folder: Path) -> Path:
    config = transformers.RobertaConfig(
        vocab_size=40,
        hidden_size=16,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=32,
        max_position_embeddings=66,
        type_vocab_size=1,
    )
    transformers.RobertaModel(config, add_pooling_layer=False).save_pretrained(folder)
    words = {"<s>": 0, "<pad>": 1, "</s>": 2, "<unk>": 3, "river": 4, "rose": 5}
    tokenizer = Tokenizer(WordLevel(words, unk_token="<unk>"))
    tokenizer.pre_tokenizer = Whitespace()
    tokenizer.save(str(folder / "tokenizer.json"))
    return folder


def test_special_tokens_are_those_of_the_encoder(tmp_path: Path) -> None:
    folder = write_roberta(tmp_path)
    setup = make_setup(replace(OWN, encoder=str(folder)), bundle=None, encoder=tmp_path)
    lay_out = setup.lay_out(OWN)
    assert lay_out is not None
    layout = lay_out(tiny_examples()[0].analysis)
    assert layout.ids[layout.blocks[:-1]].tolist() == [0] * 4
    assert set(layout.ids[layout.shapes == SEP].tolist()) == {2}
    assert int(layout.ids.max()) < 40


def test_an_encoder_of_its_own_reads_windows(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="reach = 'window'"):
        bert_encoder(TINY, name=str(tmp_path))


def test_too_few_positions_and_missing_tokenizers_are_refused(tmp_path: Path) -> None:
    folder = write_roberta(tmp_path)
    with pytest.raises(ConfigError, match="has 64 positions, window_pieces is 768"):
        bert_encoder(replace(OWN, window_pieces=768), name=str(folder))
    (folder / "tokenizer.json").unlink()
    with pytest.raises(InputError, match=r"no tokenizer\.json"):
        bert_encoder(OWN, name=str(folder))


def test_cls_per_edu_needs_a_tokenizer() -> None:
    setup = replace(tiny_setup(), tokenizer=None)
    assert setup.lay_out(TINY) is None
    with pytest.raises(ConfigError, match="a tokenizer is needed"):
        setup.lay_out(replace(TINY, edu_span="cls"))


def test_upper_layers_may_start_from_an_analysers_run(encoder: Path, tmp_path: Path) -> None:
    torch.manual_seed(2)
    net = build_net(network_config(encoder), encoder, train_lower=False)
    with torch.no_grad():
        net.branch.shapes.weight.fill_(0.25)
    save_weights(net, tmp_path)
    lower, tokenizer = PieceIds(), tiny_tokenizer()
    plain = shared_encoder(TINY, lower=lower, encoder=encoder, tokenizer=tokenizer)
    learned = shared_encoder(
        TINY, lower=lower, encoder=encoder, tokenizer=tokenizer, analyser_run=tmp_path
    )
    shapes = "branch.shapes.weight"
    assert float(plain.reader.get_parameter(shapes).detach().abs().max()) == 0
    assert float(learned.reader.get_parameter(shapes).detach().min()) == 0.25
    assert plain.key(spans=True) != learned.key(spans=True)


def test_another_encoder_does_not_fit(tmp_path: Path) -> None:
    from safetensors.torch import save_file

    save_file({"reader.other": torch.zeros(1)}, tmp_path / "summarizer.safetensors")
    with pytest.raises(ConfigError, match="does not fit this encoder"):
        load_reader(tiny_setup().reader, tmp_path)
