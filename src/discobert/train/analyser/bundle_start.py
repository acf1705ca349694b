"""Training an analyser further from a bundle: its lower layers stay, its other weights start."""

import hashlib
from pathlib import Path

from safetensors.torch import load as load_tensors

from discobert.errors import ConfigError
from discobert.nn.analyser import AnalyserNet
from discobert.nn.export.reimport import analyser_weights
from discobert.store.bundle import Bundle
from discobert.train.analyser.network import stored_lower_layers

LOWER_LAYERS = "trunk.onnx"
ONNX_FILES = (LOWER_LAYERS, "branch.onnx", "words.onnx", "edus.onnx")


def load_bundle(net: AnalyserNet, bundle: Bundle) -> None:
    """Load the weights of a bundle; word embeddings stay those of the encoder it came from."""
    heads = {name: w.float() for name, w in load_tensors(bundle.read("heads.safetensors")).items()}
    models = {name: bundle.read(name) for name in ONNX_FILES}
    ours = net.state_dict()
    found = analyser_weights(models, heads)
    other = [name for name, value in found.items() if ours[name].shape != value.shape]
    if other:
        raise ConfigError(
            f"{bundle.path}: its {other[0]} has another shape than this network's; "
            "start from a bundle with one parser that came from the same encoder"
        )
    net.load_state_dict(found, strict=False)


def check_relations(bundle: Bundle, relations: tuple[str, ...]) -> None:
    """Refuse a bundle whose parser predicts other relations."""
    if bundle.settings.get("relations") != list(relations):
        raise ConfigError(f"{bundle.path}: its parser has other relations than the settings")


def lower_layers_checksum(bundle: Bundle) -> str:
    """Return the checksum of a bundle's lower layers."""
    return hashlib.sha256(bundle.read(LOWER_LAYERS)).hexdigest()


def check_lower_layers(run: Path, bundle: Bundle) -> None:
    """Refuse a bundle over whose lower layers the run was not trained."""
    if stored_lower_layers(run) != lower_layers_checksum(bundle):
        raise ConfigError(
            f"{run} was not trained over the lower layers of {bundle.path}; "
            "train it with the same --model, or export it without one"
        )
