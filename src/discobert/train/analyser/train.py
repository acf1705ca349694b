"""Training the analyser: silver first, then gold, all heads over one encoder."""

import json
import logging
from collections.abc import Sequence
from dataclasses import asdict
from itertools import chain
from pathlib import Path

import torch

from discobert.errors import ConfigError, InputError
from discobert.nn.analyser import AnalyserConfig, AnalyserNet
from discobert.store.bundle import Bundle
from discobert.store.treebanks.gum import GoldDocument, read_gum
from discobert.store.treebanks.teacher_labels import read_teacher_labels
from discobert.train.analyser.bundle_start import check_relations, load_bundle, trunk_key
from discobert.train.analyser.network import (
    build_net,
    check_same_encoder,
    check_same_relations,
    load_tokenizer,
    load_weights,
    network_config,
    trained_net,
)
from discobert.train.analyser.settings import TASKS, AnalyserTraining
from discobert.train.analyser.trainer import Trainer
from discobert.train.analyser.treebank import is_treebank, treebank_documents
from discobert.train.summarizer.features import ModuleTrunk, RuntimeTrunk, weights_key

logger = logging.getLogger(__name__)


def read_training_documents(
    paths: Sequence[Path], training: AnalyserTraining, *, taught: Sequence[Path] = ()
) -> list[GoldDocument]:
    """Read the train split of the given corpora and what was annotated anew, minding licences."""
    return [
        gold
        for gold in chain(*map(read_gum, paths), *map(read_teacher_labels, taught))
        if gold.split == "train" and (training.non_commercial or not gold.non_commercial)
        for _ in range(training.gold_repeats if gold.by_people else 1)
    ]


def describe_run(training: AnalyserTraining, config: AnalyserConfig, **standing: str) -> str:
    """Write the resolved settings as JSON, and what the run stands on."""
    described = {"training": asdict(training), "network": asdict(config)}
    return json.dumps(described | standing, indent=2)


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
    bundle: Bundle | None = None,
    start: Path | None = None,
    teachers: Sequence[Path] = (),
    taught: Sequence[Path] = (),
    resume: bool = False,
) -> Path:
    """Train one part (or all) of the analyser and return the folder of its weights.

    With a ``bundle``, its trunk stays as it is and its other weights are where training starts.
    ``teachers`` are runs of parsers over the same, frozen encoder, which are imitated;
    ``taught`` are files of documents that another analyser has annotated.
    """
    if bundle is not None and training.train_trunk:
        raise ConfigError("the trunk of a bundle stays as it is: set train_trunk = false")
    config = network_config(encoder, dropout=training.dropout, n_relations=len(training.relations))
    torch.manual_seed(training.seed)  # the heads start from random weights
    train_trunk = training.train_trunk and not training.freeze_encoder
    net = build_net(config, encoder, train_trunk=train_trunk)
    net.branch.requires_grad_(not training.freeze_encoder)
    if bundle is not None:
        check_relations(bundle, training.relations)
        load_bundle(net, bundle)
    if start is not None:
        load_weights(net, start)
    taught_by = tuple(_teacher(run, net, training, encoder) for run in teachers)
    standing = {"start": weights_key(net)}
    if bundle is not None:
        standing["trunk"] = trunk_key(bundle)
    out.mkdir(parents=True, exist_ok=True)
    (out / "config.json").write_text(describe_run(training, config, **standing), encoding="utf-8")
    if is_treebank(data):
        if taught:
            raise ConfigError(
                f"{data} is a treebank, which is learned from alone: leave out --taught"
            )
        documents = list(treebank_documents(data))
    else:
        paths = [find_corpus(data, source) for source in training.sources]
        documents = read_training_documents(paths, training, taught=taught)
    logger.info("%d documents", len(documents))
    trainer = Trainer(
        net,
        ModuleTrunk(net.trunk) if bundle is None else RuntimeTrunk(bundle.read("trunk.onnx")),
        load_tokenizer(encoder),
        documents,
        training,
        TASKS[part],
        out,
        taught_by,
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
