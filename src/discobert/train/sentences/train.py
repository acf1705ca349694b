"""The sentence network from raw articles and editors' extracts."""

import json
import logging
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from discobert.errors import InputError, UsageError
from discobert.nn.sentences import NEW, SentenceNet, warm_start
from discobert.scorer.load import CONTEXT
from discobert.scorer.sentence_network import NeverModel
from discobert.store.bundle import Bundle
from discobert.store.files import write_whole
from discobert.store.text import printable
from discobert.train.core.checkpoint import trainable
from discobert.train.core.curves import read_curve
from discobert.train.core.loop import Loop, LoopConfig, ParameterGroup, Progress, Validation
from discobert.train.core.machine import PlainMachine
from discobert.train.core.weights_file import write_weights_file
from discobert.train.sentences.documents import StepPlan, TrainingDocument, read_documents
from discobert.train.sentences.extracts import (
    TRAIN,
    ExtractDocument,
    cache_name,
    extract_documents,
)
from discobert.train.sentences.heads import train_heads
from discobert.train.sentences.labels import label_missing
from discobert.train.sentences.losses import SentenceLosses
from discobert.train.sentences.never import held_out_never, never_model, train_never
from discobert.train.sentences.settings import SentenceTraining
from discobert.train.sentences.validate import CRITERION, HeldOut, held_out, measure
from discobert.train.sentences.vectors import ArticleFile, SentenceEncoder, encode_missing

logger = logging.getLogger(__name__)

WEIGHTS = "sentences.safetensors"
RECORD = "sentences.json"
STATISTICS_DOCUMENTS = 1500
"""Documents from which mean and deviation of the inputs are taken."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SentenceData:
    """Where articles and extracts lie."""

    articles: Sequence[Path]
    """Files of articles with reference summaries, to train on."""
    validation: Path
    extracts: Sequence[Path]
    """Files of editors' extracts."""
    gum: Path | None = None
    """Texts of the extracts from GUM."""
    extract_articles: Sequence[Path] = ()
    """Files with the articles of the extracts from news."""
    cache: Path

    def __post_init__(self) -> None:
        """Refuse files of extracts that would share a file of the cache."""
        named: dict[str, Path] = {}
        for path in self.extracts:
            other = named.setdefault(cache_name(path), path)
            if other != path:
                raise UsageError(
                    f"extracts {printable(other)} and {printable(path)} would share one file of "
                    "the cache, which goes by their names: rename one of them"
                )


@dataclass(slots=True)
class SentenceRun:
    """One training run."""

    config: SentenceTraining
    data: SentenceData
    bundle: Bundle
    out: Path
    on_step: Callable[[Progress], None] = lambda progress: None
    max_steps: int | None = None
    """Stop after so many steps as if interrupted."""

    def run(self, *, resume: bool) -> None:
        """Train the model of furniture, the network and the heads, and write their weights."""
        self.out.mkdir(parents=True, exist_ok=True)
        encoder = SentenceEncoder.of(self.bundle)
        extracts = self._extracts(encoder)
        surface = train_never(extracts, self.config, seed=self.config.seed)
        never = never_model(surface)
        examples = self._held_out(encoder, never)
        documents = self._documents(encoder, never)
        sizes = (len(documents), len(examples), len(extracts))
        logger.info("%d articles, %d held out, %d extracts", *sizes)
        net = self._network(documents)
        if not self._train(net, documents, examples, resume=resume):
            return
        heads = train_heads(
            net.eval(), extracts, held_out_never(extracts, self.config), self.config
        )
        weights = {**trainable(net), "mean": net.mean.data, "scale": net.scale.data}
        self._write({**weights, **surface, **heads}, n_documents=len(documents))

    def _extracts(self, encoder: SentenceEncoder) -> list[ExtractDocument]:
        data = self.data
        found = [
            extract_documents(
                path,
                gum=data.gum,
                articles=data.extract_articles,
                encoder=encoder,
                cache=data.cache,
            )
            for path in data.extracts
        ]
        return [each for some in found for each in some if each.extract.split == TRAIN]

    def _documents(self, encoder: SentenceEncoder, never: NeverModel) -> list[TrainingDocument]:
        found: list[TrainingDocument] = []
        for path in self.data.articles:
            end = self.config.last_line.get(path.name.split(".")[0])
            file = ArticleFile.of(path, self.data.cache, end=end)
            found += self._prepared(file, encoder, never)
        if not found:
            raise InputError("the files of --data hold no article to train on")
        return found

    def _held_out(self, encoder: SentenceEncoder, never: NeverModel) -> list[HeldOut]:
        first = self.config.validation_skip
        end = first + self.config.validation_documents
        file = ArticleFile.of(self.data.validation, self.data.cache, first=first, end=end)
        found = held_out(file, self._prepared(file, encoder, never))
        if not found:
            raise InputError(f"{self.data.validation}: no article after line {first}")
        return found

    def _prepared(
        self, file: ArticleFile, encoder: SentenceEncoder, never: NeverModel
    ) -> list[TrainingDocument]:
        encode_missing(file, encoder, max_words=self.config.max_words)
        label_missing(file)
        return list(read_documents(file, never, self.config))

    def _network(self, documents: Sequence[TrainingDocument]) -> SentenceNet:
        """Build the network with the weights of the bundle's context layers."""
        config = self.config
        torch.manual_seed(config.seed)
        weights = warm_start(self.bundle.read(CONTEXT), n_layers=config.layers)
        hidden = weights["project.weight"].shape[1]
        net = SentenceNet(
            hidden=hidden,
            width=config.width,
            feed_forward=config.feed_forward,
            n_layers=config.layers,
        )
        net.load_state_dict(weights, strict=False)
        rows = [document.rows[:, hidden:] for document in documents[:STATISTICS_DOCUMENTS]]
        net.standardise(torch.from_numpy(np.concatenate(rows).astype(np.float32)))
        return net

    def _train(
        self,
        net: SentenceNet,
        documents: Sequence[TrainingDocument],
        examples: Sequence[HeldOut],
        *,
        resume: bool,
    ) -> bool:
        """Train the network; return whether the run came to its end."""
        config, rng = self.config, random.Random(self.config.seed)
        lengths = [min(len(document), config.max_sentences) for document in documents]
        plan = StepPlan(lengths, config.documents_per_step, config.steps, config.seed)
        Loop(
            net=net,
            groups=parameter_groups(net, config),
            plan=plan,
            losses=SentenceLosses(documents, config, plan.n_documents, rng),
            validation=Validation(lambda: measure(net, examples), CRITERION),
            config=loop_config(config),
            out=self.out,
            machine=PlainMachine(),
            rng=rng,
            on_step=self.on_step,
            max_steps=self.max_steps,
        ).run(resume=resume)
        return self.max_steps is None or self.max_steps >= config.steps

    def _write(self, tensors: Mapping[str, Tensor], *, n_documents: int) -> None:
        """Write the weights, then the figures of the run for the model card."""
        contiguous = {name: value.detach().contiguous() for name, value in tensors.items()}
        write_weights_file(self.out / WEIGHTS, contiguous)
        rows = [row for row in read_curve(self.out / "curve.csv") if CRITERION in row]
        best = max(rows, key=lambda row: row[CRITERION])
        record = {
            "settings": asdict(self.config),
            "data": [path.name for path in self.data.articles],
            "documents": n_documents,
            "seconds": rows[-1]["seconds"],
            "best": {name: best[name] for name in ("step", "rouge1", "rouge2", "rougeL")},
            "base": f"{self.bundle.model.name} {self.bundle.model.version}",
        }
        write_whole(self.out / RECORD, f"{json.dumps(record, indent=2)}\n".encode())


def parameter_groups(net: SentenceNet, config: SentenceTraining) -> list[ParameterGroup]:
    """Let modules that the summariser does not have learn faster."""
    named = [(name, p) for name, p in net.named_parameters() if p.requires_grad]
    return [
        ParameterGroup(tuple(p for name, p in named if not name.startswith(NEW)), config.rate),
        ParameterGroup(tuple(p for name, p in named if name.startswith(NEW)), config.new_rate),
    ]


def loop_config(config: SentenceTraining) -> LoopConfig:
    """Return the settings that all training runs have."""
    return LoopConfig(
        warmup_steps=config.warmup_steps,
        weight_decay=config.weight_decay,
        clip=config.clip,
        average_decay=config.average_decay,
        log_every=config.log_every,
        validate_every=config.validate_every,
        checkpoint_minutes=config.checkpoint_minutes,
        seed=config.seed,
    )
