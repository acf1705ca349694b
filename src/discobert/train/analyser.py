"""Training the analyser: silver first, then gold, all heads over one encoder."""

import json
import logging
import math
import random
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import torch
from safetensors.torch import load_file, save_file
from tokenizers import Tokenizer
from torch import Tensor, nn

from discobert.errors import ConfigError, InputError
from discobert.nn.analyser import AnalyserConfig, AnalyserNet
from discobert.nn.encoder import EncoderConfig, load_branch, load_trunk
from discobert.nn.parser import ParserConfig
from discobert.stages.sentences import NewsSplitter
from discobert.store.gum import GoldDocument, read_gum
from discobert.train.checkpoint import MovingAverage, load_checkpoint, save_checkpoint
from discobert.train.encode import branch_vectors, trunk_vectors
from discobert.train.gold import RELATIONS, GoldItem, gold_item
from discobert.train.losses import coref_losses, tag_losses, tree_loss
from discobert.train.treebank import is_treebank, treebank_documents

logger = logging.getLogger(__name__)

TASKS = {
    "analyser": ("boundary", "subject", "tree", "mention", "link"),
    "segmenter": ("boundary", "subject"),
    "parser": ("tree",),
    "coref": ("mention", "link"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class AnalyserTraining:
    """How the analyser is trained; one stage (silver or gold) a file."""

    sources: tuple[str, ...] = ("gum",)
    """Which of the data files to learn from: gum, amalgum, litbank, ewt."""
    epochs: float = 1.0
    documents_per_step: int = 4
    encoder_rate: float = 1e-4
    head_rate: float = 1e-3
    warmup_steps: int = 50
    weight_decay: float = 0.01
    clip: float = 1.0
    dropout: float = 0.0
    """Dropout inside the branch, whole features at a time."""
    explore: float = 0.0
    """Share of random parser actions, so that it learns to go on after its own mistakes."""
    average_decay: float = 0.0
    """Decay of the moving average of weights; 0: none."""
    window_sizes: tuple[int, ...] = (320, 384, 448)
    predicted_sentences: float = 0.0
    """Share of documents laid out by our sentence splitter instead of gold sentences."""
    literature_share: float = 1.0
    """Share of the literary documents (coreference only) met in each epoch."""
    train_trunk: bool = False
    non_commercial: bool = False
    """Learn from NC-licensed documents too; never for weights that ship."""
    boundary_weight: float = 4.0
    subject_weight: float = 2.0
    tree_weight: float = 1.0
    mention_weight: float = 1.0
    link_weight: float = 1.0
    relations: tuple[str, ...] = RELATIONS
    """Labels the parser learns; a treebank of another kind brings its own."""
    seed: int = 13
    checkpoint_minutes: float = 5.0

    def __post_init__(self) -> None:
        for name in ("epochs", "encoder_rate", "head_rate"):
            if getattr(self, name) <= 0:
                raise ConfigError(f"{name} must be above 0, got {getattr(self, name)}")
        if self.documents_per_step < 1:
            raise ConfigError(
                f"documents_per_step must be at least 1, got {self.documents_per_step}"
            )


def network_config(
    encoder: Path, *, dropout: float = 0.0, n_relations: int = len(RELATIONS)
) -> AnalyserConfig:
    """Fit the network to a BERT checkpoint: the lower half of its layers is the trunk."""
    try:
        found = json.loads((encoder / "config.json").read_text(encoding="utf-8"))
        sizes = EncoderConfig(
            vocabulary=found["vocab_size"],
            positions=found["max_position_embeddings"],
            hidden=found["hidden_size"],
            heads=found["num_attention_heads"],
            feed_forward=found["intermediate_size"],
            layers=found["num_hidden_layers"],
            layer_norm_eps=found["layer_norm_eps"],
        )
    except (OSError, ValueError, KeyError) as error:
        raise InputError(f"{encoder}: not a BERT checkpoint: config.json: {error!r}") from error
    return AnalyserConfig(
        encoder=sizes,
        trunk_layers=sizes.layers // 2,
        dropout=dropout,
        parser=ParserConfig(relations=n_relations),
    )


def build_net(config: AnalyserConfig, encoder: Path, *, train_trunk: bool) -> AnalyserNet:
    """Create the network with a BERT checkpoint inside."""
    net = AnalyserNet(config)
    weights = {
        name.removeprefix("bert."): w
        for name, w in load_file(encoder / "model.safetensors").items()
    }
    load_trunk(net.trunk, weights)
    load_branch(net.branch, weights, first_layer=config.trunk_layers)
    # The word embeddings stay as they came: half of all weights, few of them met in gold data.
    net.trunk.requires_grad_(train_trunk)
    net.trunk.embeddings.requires_grad_(False)
    return net


def load_tokenizer(encoder: Path) -> Tokenizer:
    """Read the tokenizer of a BERT checkpoint, without truncation or padding."""
    tokenizer = Tokenizer.from_file(str(encoder / "tokenizer.json"))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return tokenizer


def load_weights(net: AnalyserNet, folder: Path) -> None:
    """Take over the trained weights of an earlier stage."""
    missing = net.load_state_dict(
        load_file(folder / "analyser.safetensors"), strict=False
    ).unexpected_keys
    if missing:
        raise ConfigError(f"{folder} holds weights this network lacks: {missing[:3]}")


def trained_relations(folder: Path) -> tuple[str, ...]:
    """Return the relations that a run learned, from the settings beside its weights."""
    try:
        settings = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise InputError(f"{folder}: config.json of the training run: {error}") from error
    return tuple(settings["training"].get("relations", RELATIONS))


def save_weights(net: AnalyserNet, folder: Path) -> None:
    """Write all weights that training changed."""
    folder.mkdir(parents=True, exist_ok=True)
    kept = {name: p.detach().contiguous() for name, p in net.named_parameters() if p.requires_grad}
    save_file(kept, folder / "analyser.safetensors")


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


class _Clock:
    """Tells how long a run has taken and when a checkpoint is due."""

    def __init__(self, minutes: float) -> None:
        self._minutes = minutes
        self._started = self._saved = time.monotonic()

    def seconds(self) -> float:
        return time.monotonic() - self._started

    def is_due(self) -> bool:
        due = time.monotonic() - self._saved > 60 * self._minutes
        if due:
            self._saved = time.monotonic()
        return due


@dataclass(slots=True)
class Trainer:
    """One run: documents in, weights out."""

    net: AnalyserNet
    tokenizer: Tokenizer
    documents: list[GoldDocument]
    training: AnalyserTraining
    tasks: tuple[str, ...]
    out: Path

    def run(self, *, resume: bool) -> None:
        """Train to the end, writing checkpoints on the way."""
        training = self.training
        rng = random.Random(training.seed)
        torch.manual_seed(training.seed)
        optimizer = self._optimizer()
        average = (
            MovingAverage.of(self.net, training.average_decay) if training.average_decay else None
        )
        n_steps = math.ceil(training.epochs * len(self.documents) / training.documents_per_step)
        step, checkpoint = 0, self.out / "checkpoint"
        if resume and checkpoint.exists():
            step = load_checkpoint(
                checkpoint, module=self.net, optimizer=optimizer, average=average, rng=rng
            )["step"]
        clock = _Clock(training.checkpoint_minutes)
        sums: dict[str, float] = {}
        self.net.train()
        for batch in self._batches(n_steps, skip=step):
            self._set_rate(optimizer, step, n_steps)
            losses = self._step(batch, optimizer, rng)
            sums |= {n: 0.95 * sums.get(n, loss) + 0.05 * loss for n, loss in losses.items()}
            if average:
                average.update(self.net)
            step += 1
            if step % 10 == 0:
                self._log(step, n_steps, clock.seconds(), sums)
            if clock.is_due():
                save_checkpoint(
                    checkpoint,
                    module=self.net,
                    optimizer=optimizer,
                    average=average,
                    rng=rng,
                    position={"step": step},
                )
        if average:
            average.copy_to(self.net)
        save_weights(self.net, self.out)

    def _set_rate(self, optimizer: torch.optim.Optimizer, step: int, n_steps: int) -> None:
        """Warm up, then fall linearly to the end."""
        rate = min(1.0, (step + 1) / self.training.warmup_steps) * max(0.02, 1 - step / n_steps)
        for group in optimizer.param_groups:
            group["lr"] = group["base"] * rate

    def _log(self, step: int, n_steps: int, seconds: float, sums: dict[str, float]) -> None:
        record = {"step": step, "of": n_steps, "seconds": round(seconds, 1)}
        record |= {name: round(value, 4) for name, value in sums.items()}
        logger.info("%s", record)
        with (self.out / "log.jsonl").open("a", encoding="utf-8") as log:
            log.write(json.dumps(record) + "\n")

    def _optimizer(self) -> torch.optim.AdamW:
        encoder = [
            p
            for n, p in self.net.named_parameters()
            if p.requires_grad and n.startswith(("trunk", "branch"))
        ]
        heads = [p for n, p in self.net.named_parameters() if not n.startswith(("trunk", "branch"))]
        training = self.training
        groups = [
            {"params": encoder, "lr": training.encoder_rate, "base": training.encoder_rate},
            {"params": heads, "lr": training.head_rate, "base": training.head_rate},
        ]
        return torch.optim.AdamW(groups, weight_decay=training.weight_decay, fused=True)

    def _batches(self, n_steps: int, *, skip: int) -> Iterator[list[GoldDocument]]:
        """Yield the documents of each step; the order depends on the seed and the step alone."""
        size = self.training.documents_per_step
        order: list[int] = []
        shuffler = random.Random(self.training.seed + 1)
        for step in range(n_steps):
            while len(order) < size:
                fresh = [
                    index
                    for index, gold in enumerate(self.documents)
                    if gold.edus is not None or shuffler.random() < self.training.literature_share
                ]
                shuffler.shuffle(fresh)
                order += fresh
            batch, order = order[:size], order[size:]
            if step >= skip:
                yield [self.documents[index] for index in batch]

    def _item(self, gold: GoldDocument, rng: random.Random) -> GoldItem:
        ours = rng.random() < self.training.predicted_sentences
        return gold_item(
            self.tokenizer,
            gold,
            sentences=NewsSplitter().split(gold.text) if ours else None,
            relations=self.training.relations,
        )

    def _step(
        self, batch: list[GoldDocument], optimizer: torch.optim.Optimizer, rng: random.Random
    ) -> dict[str, float]:
        training = self.training
        items = [self._item(gold, rng) for gold in batch]
        layouts = [item.layout for item in items]
        with torch.set_grad_enabled(training.train_trunk):
            trunks = [trunk_vectors(self.net.trunk, layout) for layout in layouts]
        pieces = branch_vectors(
            self.net, layouts, trunks, max_pieces=rng.choice(training.window_sizes)
        )
        sums: dict[str, list[Tensor]] = {}
        for item, vectors in zip(items, pieces, strict=True):
            for name, loss in self._losses(item, vectors, rng).items():
                sums.setdefault(name, []).append(loss)
        means = {name: torch.stack(losses).mean() for name, losses in sums.items()}
        total = torch.stack(
            [getattr(training, f"{name}_weight") * loss for name, loss in means.items()]
        ).sum()
        optimizer.zero_grad()
        total.backward()  # type: ignore[no-untyped-call]
        nn.utils.clip_grad_norm_(
            [p for p in self.net.parameters() if p.requires_grad], training.clip
        )
        optimizer.step()
        return {name: float(loss.detach()) for name, loss in means.items()}

    def _losses(self, item: GoldItem, pieces: Tensor, rng: random.Random) -> dict[str, Tensor]:
        losses: dict[str, Tensor] = {}
        if "boundary" in self.tasks:
            losses |= tag_losses(self.net, item, pieces)
        if "tree" in self.tasks and item.oracle is not None:
            losses["tree"] = tree_loss(self.net, item, pieces, rng, explore=self.training.explore)
        if "link" in self.tasks and item.clusters:
            losses |= coref_losses(self.net, item, pieces)
        return losses


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
    resume: bool = False,
) -> Path:
    """Train one part (or all) of the analyser and return the folder of its weights."""
    config = network_config(encoder, dropout=training.dropout, n_relations=len(training.relations))
    torch.manual_seed(training.seed)  # the heads start from random weights
    net = build_net(config, encoder, train_trunk=training.train_trunk)
    if start is not None:
        load_weights(net, start)
    out.mkdir(parents=True, exist_ok=True)
    (out / "config.json").write_text(describe_run(training, config), encoding="utf-8")
    if is_treebank(data):
        documents = list(treebank_documents(data))
    else:
        paths = [find_corpus(data, source) for source in training.sources]
        documents = read_training_documents(paths, training)
    logger.info("%d documents", len(documents))
    Trainer(net, load_tokenizer(encoder), documents, training, TASKS[part], out).run(resume=resume)
    return out
