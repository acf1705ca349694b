"""One run of the benchmark: what summaries cost on this machine, on one thread."""

import os
import platform
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tokenizers import Tokenizer

from discobert import __version__
from discobert.api import Summarizer, locate_bundle
from discobert.benchmark.costs import (
    Cost,
    StagedCost,
    least_staged_cost,
    mean_cost,
    staged_cost,
)
from discobert.benchmark.footprint import installed_size
from discobert.benchmark.processes import ProcessCost, can_measure, import_ratio, process_cost
from discobert.benchmark.texts import NamedText, generated
from discobert.data.summary import ModelId
from discobert.errors import InputError
from discobert.language.sentences import NewsSplitter
from discobert.runtime.pieces import PieceLayout, lay_out
from discobert.store.bundle import TOKENIZER, open_bundle

OURS = "discobert"
GROWTH = (1_000, 4_000, 16_000)
SHORT, BOOK = 600, 100_000
"""Words of the texts whose peak memory is reported."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BenchmarkPlan:
    """How much to measure."""

    model: str | None = None
    runs: int = 3
    """How often each text is summarised; the cheapest run counts."""
    growth: tuple[int, ...] = GROWTH
    memory: tuple[int, ...] = (SHORT, BOOK)
    report_progress: Callable[[str], None] = field(default=lambda message: None)
    """Called with the name of what is measured next."""


@dataclass(frozen=True, slots=True)
class SystemCost:
    """What one system costs; None for what cannot be measured of it, or on this machine."""

    document: Cost
    """Mean of a document, after loading."""
    start: ProcessCost | None = None
    """A fresh process that summarises one text of 600 words."""
    installed: int | None = None
    """Bytes on disk, requirements included."""


@dataclass(frozen=True, slots=True)
class BenchmarkReport:
    """All figures of one run."""

    model: ModelId
    machine: str
    runs: int
    documents: int
    words: float
    pieces: float | None
    """Mean number of word pieces a document, [CLS] and [SEP] included; None without a tokenizer."""
    cost: SystemCost
    stages: Mapping[str, float]
    """CPU seconds a document."""
    growth: Mapping[int, StagedCost]
    """By number of words."""
    memory: Mapping[int, int]
    """Peak memory of a fresh process in bytes, by number of words."""
    imports: float | None
    """CPU time of our imports divided by that of numpy and onnxruntime alone."""

    def grown(self) -> float:
        """Divide the CPU time of the longest text by that of the shortest."""
        costs = [self.growth[words].total.cpu for words in sorted(self.growth)]
        return costs[-1] / costs[0]


def run_benchmark(texts: Sequence[NamedText], plan: BenchmarkPlan) -> BenchmarkReport:
    """Measure everything that can be measured on this machine."""
    if not texts:
        raise InputError("there are no texts to summarise")
    summarizer = Summarizer.load(plan.model)
    staged_cost(summarizer, texts[0].text)  # opens the sessions and fills the caches
    plan.report_progress(f"documents ({len(texts)}, {plan.runs} runs)")
    costs = [least_staged_cost(summarizer, text.text, runs=plan.runs) for text in texts]
    return BenchmarkReport(
        model=summarizer.model,
        machine=machine(),
        runs=plan.runs,
        documents=len(texts),
        words=sum(text.words for text in texts) / len(texts),
        pieces=_mean_pieces(texts, plan.model),
        cost=own_cost(mean_cost([[cost.total] for cost in costs]), plan),
        stages=mean_stages(costs),
        growth=_growth(summarizer, plan),
        memory=_memory(plan),
        imports=import_ratio(runs=plan.runs) if can_measure() else None,
    )


def mean_stages(costs: Sequence[StagedCost]) -> dict[str, float]:
    """Average the CPU seconds of each stage over documents."""
    return {
        stage: sum(cost.stages[stage] for cost in costs) / len(costs) for stage in costs[0].stages
    }


def own_cost(document: Cost, plan: BenchmarkPlan) -> SystemCost:
    """Add cold start and size on disk to what a document costs us."""
    installed = installed_size("discobert")
    if not can_measure():
        return SystemCost(document, None, installed)
    plan.report_progress(f"cold start of {OURS}")
    with tempfile.TemporaryDirectory() as folder:
        command = _summarize_command(write_text(Path(folder), SHORT), plan)
        return SystemCost(document, process_cost(command, runs=plan.runs), installed)


def _summarize_command(path: Path, plan: BenchmarkPlan) -> list[str]:
    model = [] if plan.model is None else ["--model", plan.model]
    return ["-m", "discobert", "summarize", str(path), *model]


def _growth(summarizer: Summarizer, plan: BenchmarkPlan) -> dict[int, StagedCost]:
    found = {}
    for words in plan.growth:
        plan.report_progress(f"{words:,} words")
        runs = plan.runs if words < max(plan.growth) else min(plan.runs, 2)
        found[words] = least_staged_cost(summarizer, generated(words).text, runs=runs)
    return found


def _memory(plan: BenchmarkPlan) -> dict[int, int]:
    if not can_measure():
        return {}
    found = {}
    with tempfile.TemporaryDirectory() as folder:
        for words in plan.memory:
            plan.report_progress(f"peak memory, {words:,} words")
            path = write_text(Path(folder), words)
            found[words] = process_cost(_summarize_command(path, plan)).memory
    return found


def write_text(folder: Path, words: int) -> Path:
    """Write a generated text of so many words into a folder."""
    path = folder / f"{words}.txt"
    path.write_text(generated(words).text, encoding="utf-8")
    return path


def _mean_pieces(texts: Sequence[NamedText], model: str | None) -> float | None:
    tokenizer = find_tokenizer(model)
    if tokenizer is None:
        return None
    return sum(len(piece_layout(tokenizer, text.text).ids) for text in texts) / len(texts)


def find_tokenizer(model: str | None) -> Tokenizer | None:
    """Load the tokenizer of a model, or that of the shipped model for the rules."""
    folder = locate_bundle(model) or locate_bundle(None)
    if folder is None:
        return None
    return Tokenizer.from_str(open_bundle(folder).read(TOKENIZER).decode())


def piece_layout(tokenizer: Tokenizer, text: str) -> PieceLayout:
    """Tokenise a text as the analyser does: [CLS] and [SEP] around every sentence."""
    return lay_out(tokenizer, text, NewsSplitter().split(text))


def machine() -> str:
    """Describe the machine and the versions that figures come from."""
    python = f"Python {platform.python_version()}"
    return f"{os.cpu_count()} × {platform.machine()}, {python}, discobert {__version__}"
