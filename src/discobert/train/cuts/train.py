"""Training of the cut head: dependency parser, features, networks, calibration."""

import hashlib
import json
import logging
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import TypeVar

import numpy as np
import torch
from safetensors.torch import save

from discobert.analyser.cuts.head import SECTION, WEIGHTS, frequency_rank
from discobert.analyser.load import neural_analyser
from discobert.analyser.neural import NeuralAnalyser
from discobert.analyser.syntax import DependencyParser
from discobert.data.codecs.json_text import JsonObject
from discobert.nn.cuts import DependencyNet, dependency_tensors
from discobert.store.bundle import CARD, CONFIG, Bundle
from discobert.store.corpora.judged_cuts import read_cut_documents
from discobert.store.files import write_whole
from discobert.train.cuts.dependency_parser import DependencyAccuracy, train_dependency_parser
from discobert.train.cuts.examples import CutExamples, cut_examples, load_examples, save_examples
from discobert.train.cuts.network import calibrate, train_network
from discobert.train.cuts.settings import CutTraining
from discobert.train.cuts.syntax_data import load_sentences, save_sentences, treebank_sentences

logger = logging.getLogger(__name__)
RUN_CONFIG = "config.json"
T = TypeVar("T")


def train_cuts(
    training: CutTraining, *, data: Path, bundle: Bundle, out: Path, cache: Path
) -> None:
    """Train a cut head over the analyser of a bundle; ``data`` holds cuts, GUM, EWT and news."""
    analyser = neural_analyser(bundle.read, bundle.settings)
    cache /= _fingerprint(bundle)
    net, score = _dependency_net(training, analyser, data, cache)
    tensors = dependency_tensors(net)
    examples = _examples(analyser, net, data, cache)
    everything = np.arange(len(examples.documents))
    scaling = None
    for number in range(training.networks):
        trained = train_network(training, examples, everything, seed=training.seed + number)
        tensors |= trained.tensors(number)
        scaling = trained.scaling
        logger.info("trained network %d of %d", number + 1, training.networks)
    if scaling is not None:
        tensors["mean"] = torch.from_numpy(scaling.mean)
        tensors["deviation"] = torch.from_numpy(scaling.deviation)
    calibration = calibrate(training, examples)
    settings: JsonObject = {
        "networks": training.networks,
        "calibration": [calibration.slope, calibration.intercept],
        "thresholds": dict(calibration.thresholds),
        "features": list(examples.names),
    }
    _write_run(out, training, settings, score, save(tensors))


def _write_run(
    out: Path,
    training: CutTraining,
    settings: JsonObject,
    score: DependencyAccuracy | None,
    data: bytes,
) -> None:
    out.mkdir(parents=True, exist_ok=True)
    content = {
        "training": asdict(training),
        SECTION: settings,
        "dependency_parser": None if score is None else asdict(score),
    }
    write_whole(out / WEIGHTS, data)
    write_whole(out / RUN_CONFIG, (json.dumps(content, indent=2) + "\n").encode())


def _fingerprint(bundle: Bundle) -> str:
    """Name the analyser that features come from: another one needs other features."""
    skipped = (CARD, CONFIG, WEIGHTS)
    sums = (f"{name} {value}" for name, value in sorted(bundle.checksums.items()))
    kept = "\n".join(line for line in sums if line.split()[0] not in skipped)
    return hashlib.sha256(kept.encode()).hexdigest()[:12]


def _cached(path: Path, load: Callable[[Path], T], make: Callable[[Path], None]) -> T:
    if not path.is_file():
        logger.info("computing %s", path.name)
        make(path)
    return load(path)


def _dependency_net(
    training: CutTraining, analyser: NeuralAnalyser, data: Path, cache: Path
) -> tuple[DependencyNet, DependencyAccuracy | None]:
    train, dev = (
        _cached(
            cache / f"syntax-{split}.npz",
            load_sentences,
            lambda path, split=split: save_sentences(  # type: ignore[misc]
                path, treebank_sentences(analyser, data, split)
            ),
        )
        for split in ("train", "dev")
    )
    return train_dependency_parser(training, train, dev)


def _examples(analyser: NeuralAnalyser, net: DependencyNet, data: Path, cache: Path) -> CutExamples:
    """Compute the features of the training cuts; they depend on the weights of the parser."""
    tensors = {name: value.numpy() for name, value in dependency_tensors(net).items()}
    parser = DependencyParser.of(tensors)
    digest = hashlib.sha256(b"".join(tensors[name].tobytes() for name in sorted(tensors)))
    rank = frequency_rank(analyser.tokenizer)

    def make(path: Path) -> None:
        documents = read_cut_documents(
            data / "cuts" / "cuts.jsonl.xz",
            articles=data / "cnndm" / "train-7.jsonl.xz",
            gum=data / "gum" / "gum_v11.jsonl.xz",
            split="train",
        )
        save_examples(path, cut_examples(analyser, parser, rank, documents))

    return _cached(cache / f"cuts-{digest.hexdigest()[:12]}.npz", load_examples, make)
