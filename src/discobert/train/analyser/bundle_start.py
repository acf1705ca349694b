"""The bundle that an analyser stands on while it learns: its trunk, and weights to start from."""

import hashlib
from pathlib import Path

from safetensors.torch import load as load_tensors

from discobert.errors import ConfigError
from discobert.nn.analyser import AnalyserNet
from discobert.nn.export.reimport import analyser_weights
from discobert.store.bundle import Bundle
from discobert.train.analyser.network import trunk_of

GRAPHS = ("trunk.onnx", "branch.onnx", "words.onnx", "edus.onnx")


def load_bundle(net: AnalyserNet, bundle: Bundle) -> None:
    """Take over the weights of a bundle; embeddings stay those of the encoder it came from."""
    heads = {name: w.float() for name, w in load_tensors(bundle.read("heads.safetensors")).items()}
    graphs = {name: bundle.read(name) for name in GRAPHS}
    ours = net.state_dict()
    found = analyser_weights(graphs, heads)
    other = [name for name, value in found.items() if ours[name].shape != value.shape]
    if other:
        raise ConfigError(
            f"{bundle.path}: its {other[0]} has another shape than this network's; "
            "start from a bundle with one parser that came from the same encoder"
        )
    net.load_state_dict(found, strict=False)


def check_relations(bundle: Bundle, relations: tuple[str, ...]) -> None:
    """Refuse to go on with a parser that says other things."""
    if bundle.settings.get("relations") != list(relations):
        raise ConfigError(f"{bundle.path}: its parser knows other relations than the settings say")


def trunk_key(bundle: Bundle) -> str:
    """Name the trunk of a bundle."""
    return hashlib.sha256(bundle.read("trunk.onnx")).hexdigest()


def check_stood_on(run: Path, bundle: Bundle) -> None:
    """Refuse to put a run on a trunk that it was not trained on."""
    if trunk_of(run) != trunk_key(bundle):
        raise ConfigError(
            f"{run} was not trained on the trunk of {bundle.path}; "
            "train it with the same --model, or export it without one"
        )
