"""Training the analyser: silver first, then gold, all heads over one encoder."""

import json
import logging
import random
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import torch

from discobert.errors import ConfigError
from discobert.nn.analyser import AnalyserConfig, AnalyserNet
from discobert.store.bundle import Bundle
from discobert.store.treebanks.gum import GoldDocument
from discobert.train.analyser.bundle_start import (
    LOWER_LAYERS,
    check_relations,
    load_bundle,
    lower_layers_checksum,
)
from discobert.train.analyser.documents import (
    find_corpus,
    is_treebank,
    read_training_documents,
    read_validation_documents,
    treebank_documents,
)
from discobert.train.analyser.encode import DocumentEncoder
from discobert.train.analyser.losses import Teachers
from discobert.train.analyser.network import (
    build_net,
    check_same_encoder,
    check_same_relations,
    load_tokenizer,
    load_weights,
    network_config,
    save_weights,
    trained_net,
)
from discobert.train.analyser.settings import TASKS, AnalyserTraining
from discobert.train.analyser.step_losses import AnalyserLosses, HeldOutLosses
from discobert.train.core.batches import FixedSizePlan
from discobert.train.core.loop import Loop, ParameterGroup, Validation
from discobert.train.core.lower_layers import (
    ModuleLowerLayers,
    PieceEncoder,
    RuntimeLowerLayers,
    weights_checksum,
)
from discobert.train.core.machine import PlainMachine

logger = logging.getLogger(__name__)

ENCODER = ("trunk.", "branch.")
"""How the names of the encoder's parameters start; all others belong to heads."""


def describe_run(training: AnalyserTraining, config: AnalyserConfig, **checksums: str) -> str:
    """Return the resolved settings and checksums of the initial weights as JSON."""
    described = {"training": asdict(training), "network": asdict(config)}
    return json.dumps(described | checksums, indent=2)


@dataclass(frozen=True, slots=True)
class AnalyserData:
    """Documents to learn from, and held-out ones to validate on, if there are any."""

    train: Sequence[GoldDocument]
    validation: Sequence[GoldDocument] = ()


def read_data(
    data: Path, training: AnalyserTraining, *, teacher_labels: Sequence[Path] = ()
) -> AnalyserData:
    """Read a folder of corpora or a treebank."""
    if is_treebank(data):
        if teacher_labels:
            raise ConfigError(
                f"{data} is a treebank, which is learned from alone: leave out --taught"
            )
        found = AnalyserData(list(treebank_documents(data)))
    else:
        paths = [find_corpus(data, source) for source in training.sources]
        found = AnalyserData(
            read_training_documents(paths, training, teacher_labels=teacher_labels),
            read_validation_documents(paths, training) if training.validate_every else (),
        )
    if training.validate_every and not found.validation:
        raise ConfigError(f"{data} has no dev split to validate on: set validate_every = 0")
    return found


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
    teacher_labels: Sequence[Path] = (),
    resume: bool = False,
) -> Path:
    """Train one part (or all) of the analyser and return the folder of its weights.

    With a ``bundle``, its lower layers stay frozen and its other weights are the initial ones.
    ``start`` is a run whose weights are the initial ones. ``teachers`` are runs of parsers over the
    same frozen encoder, which are imitated. ``teacher_labels`` are files of documents that another
    analyser has annotated.
    """
    if bundle is not None and training.train_trunk:
        raise ConfigError("the lower layers of a bundle stay frozen: set train_trunk = false")
    config = network_config(encoder, dropout=training.dropout, n_relations=len(training.relations))
    net = _initial_net(config, training, encoder=encoder, bundle=bundle, start=start)
    teacher_nets = tuple(_teacher(run, net, training, encoder) for run in teachers)
    checksums = {"start": weights_checksum(net)}
    if bundle is not None:
        checksums["trunk"] = lower_layers_checksum(bundle)
    out.mkdir(parents=True, exist_ok=True)
    (out / "config.json").write_text(describe_run(training, config, **checksums), encoding="utf-8")
    found = read_data(data, training, teacher_labels=teacher_labels)
    logger.info("%d documents", len(found.train))
    lower: PieceEncoder = (
        ModuleLowerLayers(net.trunk)
        if bundle is None
        else RuntimeLowerLayers(bundle.read(LOWER_LAYERS))
    )
    tokenizer = load_tokenizer(encoder)
    losses = AnalyserLosses(
        DocumentEncoder(net, lower, training),
        tokenizer,
        found.train,
        TASKS[part],
        random.Random(training.seed),
        Teachers(teacher_nets, training.teacher_share),
    )
    held_out = HeldOutLosses(net, lower, tokenizer, found.validation, training, TASKS[part])
    analyser_loop(losses, held_out, out).run(resume=resume)
    save_weights(net, out)
    return out


def analyser_loop(losses: AnalyserLosses, held_out: HeldOutLosses, out: Path) -> Loop:
    """Set up the training loop."""
    training = losses.training
    return Loop(
        net=losses.net,
        groups=parameter_groups(losses.net, training),
        plan=FixedSizePlan(
            optional=[gold.edus is None for gold in losses.documents],
            optional_share=training.literature_share,
            size=training.documents_per_step,
            epochs=training.epochs,
            seed=training.seed,
        ),
        losses=losses,
        loss_weights=training.loss_weights(),
        validation=(
            Validation(held_out, "dev_loss", higher_is_better=False) if held_out.documents else None
        ),
        config=training.loop(),
        out=out,
        machine=PlainMachine(),
        rng=losses.rng,
    )


def parameter_groups(
    net: AnalyserNet, training: AnalyserTraining
) -> tuple[ParameterGroup, ParameterGroup]:
    """Return the encoder's trainable parameters and those of the heads, each with their rate."""
    named = list(net.named_parameters())
    encoder = [p for name, p in named if p.requires_grad and name.startswith(ENCODER)]
    heads = [p for name, p in named if not name.startswith(ENCODER)]
    return (
        ParameterGroup(tuple(encoder), training.encoder_rate),
        ParameterGroup(tuple(heads), training.head_rate),
    )


def _initial_net(
    config: AnalyserConfig,
    training: AnalyserTraining,
    *,
    encoder: Path,
    bundle: Bundle | None,
    start: Path | None,
) -> AnalyserNet:
    torch.manual_seed(training.seed)  # the heads start from random weights
    train_lower = training.train_trunk and not training.freeze_encoder
    net = build_net(config, encoder, train_lower=train_lower)
    net.branch.requires_grad_(not training.freeze_encoder)
    if bundle is not None:
        check_relations(bundle, training.relations)
        load_bundle(net, bundle)
    if start is not None:
        load_weights(net, start)
    return net


def _teacher(run: Path, net: AnalyserNet, training: AnalyserTraining, encoder: Path) -> AnalyserNet:
    if not training.freeze_encoder:
        raise ConfigError(
            "teachers need the vectors of an encoder that stays the same: set freeze_encoder = true"
        )
    teacher = trained_net(run, encoder)
    check_same_relations(run, training.relations)
    check_same_encoder(run, teacher, net)
    return teacher
