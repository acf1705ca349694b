"""The paper's table under one small, equal budget: variants, seeds, paired comparisons."""

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
    SummaryRequest,
)
from discobert.selection.select import select
from discobert.store.prepared.documents import Prepared
from discobert.train.ablation.rows import FREE, LEAD, PAPER_LEAD, VARIANTS, Row
from discobert.train.export.summarizer import read_training
from discobert.train.summarizer.encoders import EncoderSetup
from discobert.train.summarizer.network import load_reader
from discobert.train.summarizer.settings import SummarizerTraining
from discobert.train.summarizer.train import CONFIG, SummarizerRun, TrainingData, read_decoding
from discobert.train.summarizer.validate import Judged, Prediction, Table, edu_scores, scored
from discobert.writing.realise import realise

logger = logging.getLogger(__name__)

WITHOUT_RULES = SummaryRequest(
    references=ReferencePolicy.KEEP, rules=ReadabilityRules(headings=Headings.KEEP)
)
"""Selection by score alone: neither antecedents nor headings are looked at."""


@dataclass(frozen=True, slots=True)
class AblationPlan:
    """What is trained, how often, and on what it is scored."""

    base: SummarizerTraining
    rows: tuple[Row, ...]
    seeds: tuple[int, ...]
    test: tuple[Prepared, ...]

    def __post_init__(self) -> None:
        if not self.seeds or not self.test or not self.rows:
            raise UsageError("an ablation needs rows, at least one seed and test documents")


@dataclass(frozen=True, slots=True)
class Result:
    """Scores of one line on every test document, the mean of all seeds."""

    row: Row
    table: Table
    by_seed: tuple[tuple[float, float, float], ...]


MakeSetup = Callable[[SummarizerTraining], EncoderSetup]


@dataclass(slots=True)
class Ablation:
    """Trains and scores all lines; what is done already is read back."""

    plan: AblationPlan
    make_setup: MakeSetup
    data: TrainingData
    out: Path
    cache: Path
    start: Path | None = None
    """An earlier stage whose encoder all lines share; the rest of it is not taken over."""
    on_run: Callable[[str], None] = lambda name: None

    def run(self) -> list[Result]:
        """Return lead-3, then every line, then the last variant without closures."""
        results = [Result(Row(LEAD, paper=PAPER_LEAD), lead_table(self.plan.test), ())]
        free: list[Table] = []
        for row in self.plan.rows:
            tables = []
            for seed in self.plan.seeds:
                self.on_run(f"{row.name}, seed {seed}")
                tables.append(self._table(row, seed, free))
            results.append(_result(row, tables))
        if free:
            results.append(_result(Row(FREE), free))
        return results

    def _table(self, row: Row, seed: int, free: list[Table]) -> Table:
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
            table = scored(documents, predictions, decoding, training.items().kind)
            if row.name == VARIANTS[-1].name:
                np.save(folder / "free.npy", free_table(documents, predictions, decoding))
            np.save(done, table)
        if (folder / "free.npy").is_file():
            free.append(np.load(folder / "free.npy"))
        found: Table = np.load(done)
        if len(found) != len(self.plan.test):
            raise UsageError(
                f"{done} scores {len(found):,} documents, not {len(self.plan.test):,}: "
                "remove it, or name as many with --test-documents"
            )
        return found


def _folder_name(row: Row) -> str:
    return "".join(c if c.isalnum() else "-" for c in row.name)


def _result(row: Row, tables: Sequence[Table]) -> Result:
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


def free_table(
    documents: Sequence[Judged], predictions: Sequence[Prediction], decoding: TunedDecoding
) -> Table:
    """Score the same scores decoded without closures: what the guarantee costs."""
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
