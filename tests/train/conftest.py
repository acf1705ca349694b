"""A tiny BERT checkpoint and a tiny gold corpus, written to disk as users have them."""

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from discobert.store.bundle import Bundle

WORDS = "the cat sat on mat . , and dog ran because it was late he said that she left who".split()


SIZES = {
    "hidden_size": 16,
    "num_hidden_layers": 2,
    "num_attention_heads": 2,
    "intermediate_size": 32,
}


def write_tokenizer(folder: Path, special: list[str]) -> int:
    """Write a tokenizer of two dozen words and return how many pieces it has."""
    from tokenizers import Tokenizer
    from tokenizers.models import WordPiece
    from tokenizers.normalizers import BertNormalizer
    from tokenizers.pre_tokenizers import BertPreTokenizer

    vocabulary = {word: i for i, word in enumerate([*special, *WORDS])}
    tokenizer = Tokenizer(WordPiece(vocabulary, unk_token="[UNK]"))
    tokenizer.normalizer = BertNormalizer()
    tokenizer.pre_tokenizer = BertPreTokenizer()
    tokenizer.save(str(folder / "tokenizer.json"))
    return len(vocabulary)


@pytest.fixture(scope="session")
def encoder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write a random BERT of width 16."""
    torch = pytest.importorskip("torch")
    transformers = pytest.importorskip("transformers")
    folder = tmp_path_factory.mktemp("encoder")
    size = write_tokenizer(folder, ["[PAD]", "[UNK]", "[CLS]", "[SEP]"])
    torch.manual_seed(0)
    settings = transformers.BertConfig(vocab_size=size, max_position_embeddings=300, **SIZES)
    transformers.BertModel(settings, add_pooling_layer=False).save_pretrained(folder)
    return folder


@pytest.fixture(scope="session")
def mpnet(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write a random MPNet, whose pieces have other numbers than BERT's."""
    torch = pytest.importorskip("torch")
    transformers = pytest.importorskip("transformers")
    folder = tmp_path_factory.mktemp("mpnet")
    size = write_tokenizer(folder, ["<s>", "<pad>", "</s>", "[UNK]"])
    torch.manual_seed(0)
    settings = transformers.MPNetConfig(vocab_size=size, max_position_embeddings=302, **SIZES)
    model = transformers.MPNetModel(settings, add_pooling_layer=False)
    torch.nn.init.normal_(model.encoder.relative_attention_bias.weight)
    model.save_pretrained(folder)
    return folder


@pytest.fixture(scope="session")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write six documents in GUM's format, all layers gold."""
    folder = tmp_path_factory.mktemp("data")
    (folder / "gum").mkdir()
    tokens = "the cat sat on the mat , because it was late . he said that the dog ran .".split()
    record = {
        "genre": "news",
        "license": "CC-BY",
        "tokens": tokens,
        "space_after": "1" * len(tokens),
        "sents": [0, 12],
        "pars": [0, 1],
        "deprel": ["nsubj" if token in ("cat", "it", "he", "dog") else "dep" for token in tokens],
        "edus": [0, 7, 12, 14],
        "rst_tree": [
            [1, 2, 4, "NN", "joint-list"],
            [1, 1, 2, "NS", "causal-cause"],
            [3, 3, 4, "SN", "attribution-positive"],
        ],
        "ontogum": [[[0, 1], [8, 8]]],
    }
    with (folder / "gum" / "gum_v11.jsonl").open("w", encoding="utf-8") as lines:
        for number in range(6):
            split = "train" if number < 4 else "dev"
            lines.write(json.dumps({"doc": f"d{number}", "split": split, **record}) + "\n")
    return folder


@pytest.fixture(scope="session")
def analyser(encoder: Path, tmp_path_factory: pytest.TempPathFactory) -> "Bundle":
    """Write a bundle whose analyser has learned nothing; it cuts texts somehow."""
    torch = pytest.importorskip("torch")
    from discobert.data.summary import ModelId
    from discobert.train.analyser.network import build_net, network_config, save_weights
    from discobert.train.analyser.settings import AnalyserTraining
    from discobert.train.analyser.train import describe_run
    from discobert.train.export.analyser import RuntimeSettings, export_analyser

    folder = tmp_path_factory.mktemp("analyser")
    config = network_config(encoder)
    torch.manual_seed(1)
    save_weights(build_net(config, encoder, train_lower=False), folder / "run")
    (folder / "run" / "config.json").write_text(describe_run(AnalyserTraining(), config))
    return export_analyser(
        folder / "run",
        folder / "bundle",
        encoder=encoder,
        model=ModelId("tiny", "1"),
        card="c",
        runtime=RuntimeSettings(int8=False),
    )


@pytest.fixture(scope="session", autouse=True)
def one_thread() -> None:
    """Compute with one thread: tiny matrices gain nothing from more."""
    torch = pytest.importorskip("torch")
    torch.set_num_threads(1)
