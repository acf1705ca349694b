"""Training the summariser: cached features, the document-level part, then what lies below it."""

import json
import logging
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import save_file

from discobert.errors import ConfigError, InputError
from discobert.nn.readers import BranchReader
from discobert.nn.scorer import SummarizerNet
from discobert.scorer.decoding import TunedDecoding
from discobert.scorer.features import Reach
from discobert.store.files import write_whole
from discobert.store.prepared.documents import Prepared
from discobert.train.core.cache import Halves, Learnable, cache_folder, cached
from discobert.train.core.loop import Loop, Progress, StepLosses
from discobert.train.core.machine import Machine, find_machine
from discobert.train.summarizer.align import AlignLosses, check_alignment
from discobert.train.summarizer.corpus import Corpus, memory_corpus
from discobert.train.summarizer.encoders import EncoderSetup
from discobert.train.summarizer.features import ModuleReader, RuntimeReader, Trained, featuriser
from discobert.train.summarizer.items import Item, ItemOptions, item_of
from discobert.train.summarizer.losses import SummaryLosses, met_length
from discobert.train.summarizer.network import (
    WEIGHTS,
    build_summarizer,
    learning_part,
    load_start,
    mix_in,
    parameter_groups,
    whole_weights,
)
from discobert.train.summarizer.settings import SummarizerTraining
from discobert.train.summarizer.validate import (
    Judged,
    Prediction,
    Tuned,
    judged,
    mean_scores,
    predict,
    scored,
    tune,
)

logger = logging.getLogger(__name__)

CONFIG, DECODING, TUNING = "config.json", "decoding.json", "tuning.csv"
HELD_OUT = 5
"""Without a validation corpus, at most one document in so many is held out."""


@dataclass(frozen=True, slots=True)
class TrainingData:
    """What to learn from, and what to look at on the way."""

    train: Corpus
    validation: tuple[Prepared, ...]
    """Documents that nothing is learned from; may be empty."""


def split_data(
    train: Corpus, validation: Corpus | None, training: SummarizerTraining
) -> TrainingData:
    """Take validation documents from their own corpus, or else from the end of the other."""
    wanted = max(training.validate_documents, training.tune_documents)
    if wanted == 0:
        return TrainingData(train, ())
    if validation is not None:
        return TrainingData(train, tuple(validation.first(wanted)))
    held_out = min(training.validate_documents, train.n_documents // HELD_OUT)
    return TrainingData(train, tuple(train.last(held_out)) if held_out else ())


@dataclass(slots=True)
class SummarizerRun:
    """One stage of training: data and network in, weights and a length rule out."""

    training: SummarizerTraining
    setup: EncoderSetup
    out: Path
    cache: Path
    start: Path | None = None
    on_step: Callable[[Progress], None] = lambda progress: None
    on_document: Callable[[], None] = lambda: None
    max_steps: int | None = None
    """Stop here as if interrupted."""

    def run(self, data: TrainingData, *, resume: bool = False) -> Path:
        """Train and tune; return the folder of the results."""
        training = self.training
        self.out.mkdir(parents=True, exist_ok=True)
        torch.manual_seed(training.seed)
        whole = build_summarizer(training, self.setup)
        if self.start is not None:
            load_start(whole, self.start)
        self._write_config(whole)
        held_out = {document.article.id for document in data.validation}
        found = self._features(
            data.train, training.learned_items(), limit=training.documents or None
        )
        learnables = [x for x in found if x.item.id not in held_out]
        if not learnables:
            raise InputError("no document is left to learn from: give more, or a validation corpus")
        looked_at = self._judged(data.validation)
        net = learning_part(whole, self.setup, training.is_trained)
        machine = find_machine(training.precision)
        logger.info("%d documents to learn from, %d to look at", len(learnables), len(looked_at))
        self._loop(net, learnables, looked_at, machine).run(resume=resume)
        if self.max_steps is None:
            if self.start is not None and training.start_share > 0:
                mix_in(whole, self.start, share=training.start_share)
            save_file(whole_weights(whole, training.is_trained), self.out / WEIGHTS)
            self._tune(net, looked_at[: training.tune_documents])
        return self.out

    def predictions(self, documents: Sequence[Prepared]) -> tuple[list[Judged], list[Prediction]]:
        """Let the finished network score other documents."""
        net = self._finished()
        looked_at = self._judged(documents)
        return looked_at, list(predict(net, looked_at, self.training.sizes()))

    def tune(self, documents: Sequence[Prepared]) -> TunedDecoding:
        """Tune the length rule of the finished network anew, on these documents."""
        net = self._finished()
        self._tune(net, self._judged(documents))
        return read_decoding(self.out)

    def _finished(self) -> SummarizerNet:
        whole = build_summarizer(self.training, self.setup)
        load_start(whole, self.out)
        return learning_part(whole, self.setup, self.training.is_trained).eval()

    def _features(
        self, corpus: Corpus, options: ItemOptions, *, limit: int | None = None
    ) -> list[Learnable]:
        training, setup = self.training, self.setup
        compute = featuriser(training.is_trained, setup.lower, feature_reader(training, setup))
        keep_layout = not training.is_trained.reads_units
        lay_out = setup.lay_out(training)

        def featurise(document: Prepared) -> tuple[Item, Halves]:
            item = item_of(document, options, lay_out)
            vectors = compute(item)
            return (item if keep_layout else replace(item, layout=None)), vectors

        setup.reader.eval()
        facts = feature_facts(training, setup)
        if options.later_windows > 0:
            facts |= {"later_windows": options.later_windows}
        folder = cache_folder(self.cache, facts)
        return cached(folder, corpus.parts, featurise, limit=limit, on_document=self.on_document)

    def _judged(self, documents: Sequence[Prepared]) -> list[Judged]:
        if not documents:
            return []
        return judged(self._features(memory_corpus(documents), self.training.items()), documents)

    def _loop(
        self,
        net: SummarizerNet,
        learnables: Sequence[Learnable],
        looked_at: Sequence[Judged],
        machine: Machine,
    ) -> Loop:
        training = self.training
        if training.rank_weight > 0 and machine.n_processes > 1:
            raise ConfigError("rank_weight above 0 needs a single process")
        return Loop(
            net=net,
            groups=parameter_groups(net, training),
            lengths=[met_length(x, training) for x in learnables],
            losses=self._losses(net, learnables, machine),
            validate=self._validate(net, looked_at),
            config=training.loop(),
            out=self.out,
            machine=machine,
            on_step=self.on_step,
            tensorboard=training.tensorboard,
            max_steps=self.max_steps,
        )

    def _losses(
        self, net: SummarizerNet, learnables: Sequence[Learnable], machine: Machine
    ) -> StepLosses:
        reader = self.setup.reader
        if self.training.is_trained is not Trained.ALIGN or not isinstance(reader, BranchReader):
            return SummaryLosses(learnables, self.training, net, machine)
        teacher = check_alignment(self.training, self.setup.teacher)
        return AlignLosses(learnables, self.training, reader, teacher, machine)

    def _validate(
        self, net: SummarizerNet, documents: Sequence[Judged]
    ) -> Callable[[], tuple[float, float, float]] | None:
        training = self.training
        some = documents[: training.validate_documents]
        if not some or training.is_trained is Trained.ALIGN:
            return None

        def validate() -> tuple[float, float, float]:
            found = list(predict(net, some, training.sizes()))
            table = scored(some, found, training.decoding(), training.items().kind)
            return mean_scores(table)

        return validate

    def _tune(self, net: SummarizerNet, documents: Sequence[Judged]) -> None:
        training = self.training
        decoding = training.decoding()
        if documents and training.is_trained is not Trained.ALIGN:
            net.eval()
            found = list(predict(net, documents, training.sizes()))
            ranker = training.rank_weight > 0
            tuned = tune(documents, found, training.items().kind, ranker=ranker)
            decoding = tuned.decoding
            write_whole(self.out / TUNING, tuning_csv(tuned).encode())
        write_decoding(self.out, decoding)

    def _write_config(self, whole: SummarizerNet) -> None:
        content = {
            "training": asdict(self.training),
            "encoder": {"kind": self.setup.kind, "hidden": self.setup.hidden},
            "parameters": sum(p.numel() for p in whole.parameters()),
        }
        write_whole(self.out / CONFIG, (json.dumps(content, indent=2) + "\n").encode())


def feature_reader(
    training: SummarizerTraining, setup: EncoderSetup
) -> RuntimeReader | ModuleReader:
    """Run a frozen branch as users will, where that is asked for and sentences are read alone."""
    reader = setup.reader
    alone = training.sees() is Reach.SENTENCE
    if training.int8_features and alone and isinstance(reader, BranchReader):
        return RuntimeReader(reader, setup.hidden)
    return ModuleReader(reader, training.sizes())


def feature_kind(trained: Trained) -> str:
    """Name what is cached."""
    if trained.reads_units:
        return "units"
    return "trunk" if trained.reads_trunk else "pieces"


def feature_facts(training: SummarizerTraining, setup: EncoderSetup) -> dict[str, Any]:
    """Name all that cached features depend on."""
    trained = training.is_trained
    options = training.items()
    facts = {
        "features": feature_kind(trained),
        "encoder": setup.lower.key if trained.reads_trunk else setup.key(spans=trained.reads_units),
        "kind": options.kind.value,
        "rules": training.rules,
        "rst_graph": training.rst_graph,
        "sentence_span": training.sentence_span,
        "max_pieces": training.max_pieces,
        "edu_span": training.edu_span,
        "own_pieces": setup.tokenizer is not None,
    }
    if not trained.reads_trunk:
        facts |= {"reach": training.reach, "window_pieces": training.window_pieces}
        if isinstance(feature_reader(training, setup), RuntimeReader):
            facts |= {"branch": "int8"}
    return facts


def tuning_csv(tuned: Tuned) -> str:
    """Write what every rule gave as a table."""
    rows = ["rule,value,blocking,share,power,rouge1,rouge2,rougeL"]
    for rule, scores in tuned.trials:
        figures = ",".join(f"{score:.3f}" for score in scores)
        economy = f"{rule.economy.share},{rule.economy.power}"
        rows.append(f"{rule.rule.value},{rule.value},{rule.blocking},{economy},{figures}")
    return "\n".join(rows) + "\n"


def write_decoding(folder: Path, decoding: TunedDecoding) -> None:
    """Keep the length rule beside the weights."""
    text = json.dumps(decoding.settings(), indent=2)
    write_whole(folder / DECODING, f"{text}\n".encode())


def read_decoding(folder: Path) -> TunedDecoding:
    """Read the length rule of a run."""
    return TunedDecoding.of(json.loads((folder / DECODING).read_text(encoding="utf-8")))
