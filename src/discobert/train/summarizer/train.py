"""Training the summariser: cached features, the document-level part, then the layers below it."""

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import torch

from discobert.errors import ConfigError, InputError
from discobert.nn.readers import UpperLayersReader
from discobert.nn.scorer import SummarizerNet
from discobert.scorer.decoding import TunedDecoding
from discobert.store.prepared.documents import Prepared
from discobert.train.core.loop import Loop, Progress, StepLosses, Validation
from discobert.train.core.machine import Machine, find_machine
from discobert.train.core.weights_file import write_weights_file
from discobert.train.summarizer.align import AlignLosses, alignment_teacher
from discobert.train.summarizer.bundle_start import (
    BundleFeatures,
    BundleReader,
    load_bundle_start,
)
from discobert.train.summarizer.corpus import Corpus, memory_corpus
from discobert.train.summarizer.encoders import EncoderSetup
from discobert.train.summarizer.features.cache import (
    CachedDocument,
    Featurise,
    HalfArray,
    cache_folder,
    cached_documents,
)
from discobert.train.summarizer.features.compute import feature_function, feature_key
from discobert.train.summarizer.features.items import Item, ItemOptions, item_of
from discobert.train.summarizer.network import (
    WEIGHTS,
    build_summarizer,
    interpolate,
    load_start,
    parameter_groups,
    trained_network,
    whole_weights,
)
from discobert.train.summarizer.objective.losses import SummaryLosses, step_length
from discobert.train.summarizer.run_files import (
    read_decoding,
    write_decoding,
    write_training,
    write_tuning,
)
from discobert.train.summarizer.settings import SummarizerTraining, TrainedPart
from discobert.train.summarizer.validate import (
    Prediction,
    ValidationDocument,
    mean_rouge,
    predict,
    rouge_table,
    tune,
    validation_documents,
)

logger = logging.getLogger(__name__)

HELD_OUT = 5
"""Without a validation corpus, at most one document in so many is held out."""


@dataclass(frozen=True, slots=True)
class TrainingData:
    """Documents to learn from and held-out documents."""

    train: Corpus
    validation: tuple[Prepared, ...]
    """To validate and to tune lengths on; may be empty."""


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
    """An earlier run whose weights are the initial ones."""
    on_step: Callable[[Progress], None] = lambda progress: None
    on_document: Callable[[], None] = lambda: None
    max_steps: int | None = None
    """Stop after so many steps as if interrupted."""

    def run(self, data: TrainingData, *, resume: bool = False) -> Path:
        """Train and tune; return the folder of the results."""
        training = self.training
        self.out.mkdir(parents=True, exist_ok=True)
        torch.manual_seed(training.seed)
        whole = build_summarizer(training, self.setup)
        if self.start is not None:
            load_start(whole, self.start)
        elif self.setup.bundle is not None and not training.fresh_document:
            load_bundle_start(whole, self.setup.bundle)
        write_training(self.out, training, self.setup, whole)
        held_out = {document.article.id for document in data.validation}
        found = self._features(
            data.train, training.training_items(), limit=training.documents or None
        )
        documents = [x for x in found if x.item.id not in held_out]
        if not documents:
            raise InputError("no document is left to learn from: give more, or a validation corpus")
        validation = self._validation_documents(data.validation)
        net = trained_network(whole, self.setup, training.trained_part)
        machine = find_machine(training.precision)
        logger.info(
            "%d documents to learn from, %d to validate on", len(documents), len(validation)
        )
        self._loop(net, documents, validation, machine).run(resume=resume)
        if self.max_steps is None:
            if self.start is not None and training.start_share > 0:
                interpolate(whole, self.start, share=training.start_share)
            write_weights_file(self.out / WEIGHTS, whole_weights(whole, training.trained_part))
            self._tune(net, validation[: training.tune_documents])
        return self.out

    def predictions(
        self, documents: Sequence[Prepared]
    ) -> tuple[list[ValidationDocument], list[Prediction]]:
        """Score other documents with the finished network."""
        net = self._finished()
        found = self._validation_documents(documents)
        return found, list(predict(net, found, self.training.sizes()))

    def tune(self, documents: Sequence[Prepared]) -> TunedDecoding:
        """Tune the length rule of the finished network again, on these documents."""
        net = self._finished()
        self._tune(net, self._validation_documents(documents))
        return read_decoding(self.out)

    def _finished(self) -> SummarizerNet:
        whole = build_summarizer(self.training, self.setup)
        load_start(whole, self.out)
        return trained_network(whole, self.setup, self.training.trained_part).eval()

    def _features(
        self, corpus: Corpus, options: ItemOptions, *, limit: int | None = None
    ) -> list[CachedDocument]:
        self.setup.reader.eval()
        folder = cache_folder(self.cache, feature_key(self.training, self.setup, options))
        return cached_documents(
            folder,
            corpus.parts,
            self._featurise(options),
            limit=limit,
            on_document=self.on_document,
        )

    def _featurise(self, options: ItemOptions) -> Featurise:
        training, setup = self.training, self.setup
        if setup.bundle is not None and isinstance(setup.reader, BundleReader):
            return partial(
                BundleFeatures.of(
                    setup.bundle,
                    setup.lower,
                    setup.reader,
                    sentence_scores=training.sentence_scores,
                ),
                options=options,
            )
        features = feature_function(training, setup)
        keep_layout = not training.trained_part.caches_units
        lay_out = setup.lay_out(training)

        def featurise(document: Prepared) -> tuple[Item, HalfArray]:
            item = item_of(document, options, lay_out)
            vectors = features(item)
            return (item if keep_layout else replace(item, layout=None)), vectors

        return featurise

    def _validation_documents(self, documents: Sequence[Prepared]) -> list[ValidationDocument]:
        if not documents:
            return []
        found = self._features(memory_corpus(documents), self.training.items())
        return validation_documents(found, documents)

    def _loop(
        self,
        net: SummarizerNet,
        documents: Sequence[CachedDocument],
        validation: Sequence[ValidationDocument],
        machine: Machine,
    ) -> Loop:
        training = self.training
        if training.rank_weight > 0 and machine.n_processes > 1:
            raise ConfigError("rank_weight above 0 needs a single process")
        return Loop(
            net=net,
            groups=parameter_groups(net, training),
            plan=training.batches([step_length(x, training) for x in documents]),
            losses=self._losses(net, documents, machine),
            validation=self._validation(net, validation),
            config=training.loop(),
            out=self.out,
            machine=machine,
            on_step=self.on_step,
            tensorboard=training.tensorboard,
            max_steps=self.max_steps,
        )

    def _losses(
        self, net: SummarizerNet, documents: Sequence[CachedDocument], machine: Machine
    ) -> StepLosses:
        training, reader = self.training, self.setup.reader
        aligned = training.trained_part is TrainedPart.ALIGN
        if not aligned or not isinstance(reader, UpperLayersReader):
            return SummaryLosses(documents, training, net, machine)
        teacher = alignment_teacher(training, self.setup.teacher)
        return AlignLosses(documents, training, reader, teacher, machine)

    def _validation(
        self, net: SummarizerNet, documents: Sequence[ValidationDocument]
    ) -> Validation | None:
        training = self.training
        some = documents[: training.validate_documents]
        if not some or training.trained_part is TrainedPart.ALIGN:
            return None

        def measure() -> Mapping[str, float]:
            predictions = list(predict(net, some, training.sizes()))
            table = rouge_table(some, predictions, training.decoding(), training.items().kind)
            return dict(zip(("rouge1", "rouge2", "rougeL"), mean_rouge(table), strict=True))

        return Validation(measure, "rouge2")

    def _tune(self, net: SummarizerNet, documents: Sequence[ValidationDocument]) -> None:
        training = self.training
        decoding = training.decoding()
        if documents and training.trained_part is not TrainedPart.ALIGN:
            net.eval()
            predictions = list(predict(net, documents, training.sizes()))
            ranker = training.rank_weight > 0
            tuned = tune(documents, predictions, training.items().kind, ranker=ranker)
            decoding = tuned.decoding
            write_tuning(self.out, tuned)
        write_decoding(self.out, decoding)
