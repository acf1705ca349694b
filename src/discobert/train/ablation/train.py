"""The ablation: every row trained with several seeds under one budget, and scored."""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from discobert.discourse.units import UnitKind
from discobert.errors import UsageError
from discobert.metrics.rouge import reference_of, rouge
from discobert.scorer.decoding import TunedDecoding
from discobert.selection.build import build_problem
from discobert.selection.request import (
    Headings,
    ReadabilityRules,
    ReferencePolicy,
    Style,
    SummaryRequest,
)
from discobert.selection.select import select
from discobert.store.prepared.documents import Prepared
from discobert.train.ablation.rows import LEAD, PAPER_LEAD, VARIANTS, WITHOUT_CLOSURES, AblationRow
from discobert.train.summarizer.encoders import EncoderSetup
from discobert.train.summarizer.network import load_reader
from discobert.train.summarizer.run_files import CONFIG, read_decoding, read_training
from discobert.train.summarizer.settings import SummarizerTraining
from discobert.train.summarizer.train import SummarizerRun, TrainingData
from discobert.train.summarizer.validate import (
    Prediction,
    Table,
    ValidationDocument,
    edu_scores,
    rouge_table,
)
from discobert.writing.realise import realise

logger = logging.getLogger(__name__)

WITHOUT_RULES = SummaryRequest(
    style=Style.PAPER,
    references=ReferencePolicy.KEEP,
    rules=ReadabilityRules(headings=Headings.KEEP),
)
"""Selection by score alone: neither antecedents nor headings are looked at."""


@dataclass(frozen=True, slots=True)
class AblationPlan:
    """The rows to train, their seeds and common settings, and the test documents."""

    base: SummarizerTraining
    rows: tuple[AblationRow, ...]
    seeds: tuple[int, ...]
    test: tuple[Prepared, ...]

    def __post_init__(self) -> None:
        if not self.seeds or not self.test or not self.rows:
            raise UsageError("an ablation needs rows, at least one seed and test documents")


@dataclass(frozen=True, slots=True)
class Result:
    """ROUGE of one row on every test document, the mean of all seeds."""

    row: AblationRow
    table: Table
    by_seed: tuple[tuple[float, float, float], ...]


MakeSetup = Callable[[SummarizerTraining], EncoderSetup]


@dataclass(slots=True)
class Ablation:
    """Trains and scores all rows; results of finished runs are read from disk."""

    plan: AblationPlan
    make_setup: MakeSetup
    data: TrainingData
    out: Path
    cache: Path
    start: Path | None = None
    """An earlier run whose encoder all rows start from; its document-level part is not used."""
    on_run: Callable[[str], None] = lambda name: None

    def run(self) -> list[Result]:
        """Return lead-3, then every row, then the last variant without closures."""
        results = [Result(AblationRow(LEAD, paper=PAPER_LEAD), lead_table(self.plan.test), ())]
        without_closures: list[Table] = []
        for row in self.plan.rows:
            tables = []
            for seed in self.plan.seeds:
                self.on_run(f"{row.name}, seed {seed}")
                tables.append(self._table(row, seed, without_closures))
            results.append(_result(row, tables))
        if without_closures:
            results.append(_result(AblationRow(WITHOUT_CLOSURES), without_closures))
        return results

    def _table(self, row: AblationRow, seed: int, without_closures: list[Table]) -> Table:
        training = replace(self.plan.base, **row.changes, seed=seed)  # type: ignore[arg-type]
        folder = self.out / _folder_name(row) / f"seed-{seed}"
        done = folder / "scores.npy"
        setup = self.make_setup(training)
        if self.start is not None:
            load_reader(setup.reader, self.start)
        run = SummarizerRun(training, setup, folder, self.cache)
        if (folder / CONFIG).is_file() and read_training(folder) != training:
            raise UsageError(f"{folder} was trained with other settings: name another --out")
        if not done.is_file():
            run.run(self.data, resume=True)
            documents, predictions = run.predictions(self.plan.test)
            decoding = read_decoding(folder)
            table = rouge_table(documents, predictions, decoding, training.items().kind)
            if row.name == VARIANTS[-1].name:
                free = closure_free_table(documents, predictions, decoding)
                np.save(folder / "free.npy", free)
            np.save(done, table)
        if (folder / "free.npy").is_file():
            without_closures.append(np.load(folder / "free.npy"))
        found: Table = np.load(done)
        if len(found) != len(self.plan.test):
            raise UsageError(
                f"{done} scores {len(found):,} documents, not {len(self.plan.test):,}: "
                "remove it, or name as many with --test-documents"
            )
        return found


def _folder_name(row: AblationRow) -> str:
    return "".join(c if c.isalnum() else "-" for c in row.name)


def _result(row: AblationRow, tables: Sequence[Table]) -> Result:
    means = [tuple(map(float, table.mean(axis=0))) for table in tables]
    by_seed = tuple((first, second, third) for first, second, third in means)
    return Result(row, np.mean(tables, axis=0), by_seed)


def lead_table(documents: Sequence[Prepared]) -> Table:
    """Score the first three sentences of each document."""
    rows = []
    for document in documents:
        doc = document.analysis.document
        lines = [" ".join(span.of(doc.text).split()) for span in doc.sentences[:3]]
        found = rouge(reference_of(document.article.reference), lines)
        rows.append((found.rouge1.f1, found.rouge2.f1, found.rouge_l.f1))
    return 100 * np.array(rows)


def closure_free_table(
    documents: Sequence[ValidationDocument],
    predictions: Sequence[Prediction],
    decoding: TunedDecoding,
) -> Table:
    """Score summaries selected by the same scores without enforcing dependencies."""
    rows = []
    for document, prediction in zip(documents, predictions, strict=True):
        scores = edu_scores(document.analysis, prediction, UnitKind.EDU)
        doc = document.analysis.document
        problem = build_problem(
            doc, scores, (), decoding=decoding.with_ranker(prediction.rank), request=WITHOUT_RULES
        )
        found = rouge(document.reference, realise(doc, select(problem).selection.edus))
        rows.append((found.rouge1.f1, found.rouge2.f1, found.rouge_l.f1))
    return 100 * np.array(rows)
