"""Training the analyser: silver first, then gold, all heads over one encoder."""

import json
import logging
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

import torch

from discobert.errors import ConfigError, InputError
from discobert.nn.analyser import AnalyserConfig, AnalyserNet
from discobert.store.gum import GoldDocument, read_gum
from discobert.train.analyser_settings import TASKS, AnalyserTraining
from discobert.train.network import (
    build_net,
    check_same_encoder,
    check_same_relations,
    load_tokenizer,
    load_weights,
    network_config,
    trained_net,
)
from discobert.train.trainer import Trainer
from discobert.train.treebank import is_treebank, treebank_documents

logger = logging.getLogger(__name__)


def read_training_documents(
    paths: Sequence[Path], training: AnalyserTraining
) -> list[GoldDocument]:
    """Read the train split of the given corpora, minding licences."""
    return [
        gold
        for path in paths
        for gold in read_gum(path)
        if gold.split == "train" and (training.non_commercial or not gold.non_commercial)
    ]


def describe_run(training: AnalyserTraining, config: AnalyserConfig) -> str:
    """Write the resolved settings as JSON."""
    return json.dumps({"training": asdict(training), "network": asdict(config)}, indent=2)


CORPUS_FILES = {
    "gum": "gum/gum_v11.jsonl",
    "amalgum": "amalgum/amalgum_v02_silver.jsonl",
    "litbank": "litbank/litbank_coref.jsonl",
}


def find_corpus(data: Path, source: str) -> Path:
    """Return the file of a corpus below ``data``, packed or not."""
    if source not in CORPUS_FILES:
        raise ConfigError(f"unknown source {source!r}; known: {', '.join(CORPUS_FILES)}")
    plain = data / CORPUS_FILES[source]
    for path in (plain, *(plain.with_name(plain.name + suffix) for suffix in (".xz", ".gz"))):
        if path.is_file():
            return path
    raise InputError(f"{plain}: no such file, nor with .xz or .gz: where is {source}?")


def use_threads(count: int) -> None:
    """Compute with this many threads."""
    torch.set_num_threads(count)


def train_analyser(  # noqa: PLR0913 - where from, where to: each is a different thing
    part: str,
    training: AnalyserTraining,
    *,
    data: Path,
    encoder: Path,
    out: Path,
    start: Path | None = None,
    teachers: Sequence[Path] = (),
    resume: bool = False,
) -> Path:
    """Train one part (or all) of the analyser and return the folder of its weights.

    ``teachers`` are runs of parsers over the same, frozen encoder, which are imitated.
    """
    config = network_config(encoder, dropout=training.dropout, n_relations=len(training.relations))
    torch.manual_seed(training.seed)  # the heads start from random weights
    train_trunk = training.train_trunk and not training.freeze_encoder
    net = build_net(config, encoder, train_trunk=train_trunk)
    net.branch.requires_grad_(not training.freeze_encoder)
    if start is not None:
        load_weights(net, start)
    taught_by = tuple(_teacher(run, net, training, encoder) for run in teachers)
    out.mkdir(parents=True, exist_ok=True)
    (out / "config.json").write_text(describe_run(training, config), encoding="utf-8")
    if is_treebank(data):
        documents = list(treebank_documents(data))
    else:
        paths = [find_corpus(data, source) for source in training.sources]
        documents = read_training_documents(paths, training)
    logger.info("%d documents", len(documents))
    trainer = Trainer(
        net, load_tokenizer(encoder), documents, training, TASKS[part], out, taught_by
    )
    trainer.run(resume=resume)
    return out


def _teacher(run: Path, net: AnalyserNet, training: AnalyserTraining, encoder: Path) -> AnalyserNet:
    if not training.freeze_encoder:
        raise ConfigError("teachers read the same vectors all along: set freeze_encoder = true")
    teacher = trained_net(run, encoder)
    check_same_relations(run, training.relations)
    check_same_encoder(run, teacher, net)
    return teacher
