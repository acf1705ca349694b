"""One run of the benchmark: every system on the same texts by turns, one thread."""

import os
import platform
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tokenizers import Tokenizer

from discobert import __version__
from discobert.api import Summarizer, locate_bundle
from discobert.benchmark.clock import NOTHING, Cost, cost_of
from discobert.benchmark.encoder_baseline import BareEncoder, bare_encoder, minilm_folder, pieces_of
from discobert.benchmark.footprint import installed_size
from discobert.benchmark.processes import ProcessCost, can_measure, import_ratio, process_cost
from discobert.benchmark.rivals import RIVALS, load_rivals
from discobert.benchmark.stages import StagedCost, least_staged_cost, staged_cost
from discobert.benchmark.texts import NamedText, generated
from discobert.data.summary import ModelId
from discobert.errors import InputError
from discobert.store.bundle import TOKENIZER, open_bundle

OURS, LIMIT, CENTROIDS = "discobert", "bare encoder pass", "MiniLM centroids (torch)"
GROWTH = (1_000, 4_000, 16_000)
SHORT, BOOK = 600, 100_000
"""Words of the texts whose peak memory is reported."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """How much to measure."""

    model: str | None = None
    runs: int = 3
    """How often each text is summarised by each system; the cheapest run counts."""
    growth: tuple[int, ...] = GROWTH
    memory: tuple[int, ...] = (SHORT, BOOK)
    tell: Callable[[str], None] = field(default=lambda message: None)
    """Hears what is being measured."""


@dataclass(frozen=True, slots=True)
class SystemCost:
    """What one system costs; None for what cannot be measured of it, or here."""

    document: Cost
    """Mean of a document, when all is loaded."""
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
    pieces: float
    """Mean number of word pieces a document, marks around sentences included."""
    random_limit: bool
    """Whether the bare pass ran on random weights."""
    systems: Mapping[str, SystemCost]
    stages: Mapping[str, float]
    """CPU seconds a document."""
    growth: Mapping[int, StagedCost]
    """By number of words."""
    memory: Mapping[int, int]
    """Peak memory of a fresh process of ours in bytes, by number of words."""
    imports: float | None
    """Our imports divided by numpy and onnxruntime alone, in CPU time."""

    def ratio(self, name: str) -> float | None:
        """Divide our CPU time a document by that of another system."""
        other = self.systems.get(name)
        return None if other is None else self.systems[OURS].document.cpu / other.document.cpu

    def grown(self) -> float:
        """Divide the CPU time of the longest text by that of the shortest."""
        costs = [self.growth[words].total.cpu for words in sorted(self.growth)]
        return costs[-1] / costs[0]


def run_benchmark(texts: Sequence[NamedText], plan: Plan) -> BenchmarkReport:
    """Measure everything that can be measured here."""
    if not texts:
        raise InputError("there are no texts to summarise")
    summarizer = Summarizer.load(plan.model, threads=1)
    encoder, tokenizer = bare_encoder(), find_tokenizer(plan.model)
    plan.tell(f"documents ({len(texts)}, {plan.runs} runs)")
    costs, staged = _documents(summarizer, encoder, tokenizer, texts, plan)
    count = len(texts)
    return BenchmarkReport(
        model=summarizer.model,
        machine=machine(),
        runs=plan.runs,
        documents=count,
        words=sum(text.words for text in texts) / count,
        pieces=sum(len(pieces_of(tokenizer, text.text).ids) for text in texts) / count,
        random_limit=encoder.is_random,
        systems=_systems(costs, plan),
        stages={name: cpu / count for name, cpu in _summed(staged).items()},
        growth=_growth(summarizer, plan),
        memory=_memory(plan),
        imports=import_ratio(runs=plan.runs) if can_measure() else None,
    )


def _documents(
    summarizer: Summarizer,
    encoder: BareEncoder,
    tokenizer: Tokenizer,
    texts: Sequence[NamedText],
    plan: Plan,
) -> tuple[dict[str, Cost], list[StagedCost]]:
    """Return the mean cost a document of each system, and our stages document by document."""
    rivals = load_rivals()
    layouts = [pieces_of(tokenizer, text.text) for text in texts]
    staged_cost(summarizer, texts[0].text)  # opens the sessions and fills the caches
    runs: dict[str, list[list[Cost]]] = {}
    staged: list[list[StagedCost]] = [[] for _ in texts]
    for _ in range(plan.runs):
        # By turns, so that a busy moment of the machine hits all of them.
        for number, text in enumerate(texts):
            staged[number].append(staged_cost(summarizer, text.text))
            layout = layouts[number]
            found = {LIMIT: cost_of(lambda layout=layout: encoder.read(layout))}  # type: ignore[misc]
            for name, rival in rivals.items():
                found[name] = cost_of(lambda text=text, rival=rival: rival(text.text))  # type: ignore[misc]
            for name, cost in found.items():
                runs.setdefault(name, [[] for _ in texts])[number].append(cost)
    best = [min(costs, key=lambda cost: cost.total.cpu) for costs in staged]
    costs = {OURS: _mean([[cost.total] for cost in best])}
    return costs | {name: _mean(by_text) for name, by_text in runs.items()}, best


def _mean(by_text: Sequence[Sequence[Cost]]) -> Cost:
    cheapest = (min(costs, key=lambda cost: cost.cpu) for costs in by_text)
    return sum(cheapest, NOTHING) / len(by_text)


def _summed(staged: Sequence[StagedCost]) -> dict[str, float]:
    """Add up the stages of all documents, in the order in which they first ended."""
    found: dict[str, float] = {}
    for cost in staged:
        for stage, seconds in cost.stages.items():
            found[stage] = found.get(stage, 0.0) + seconds
    return found


def _systems(costs: Mapping[str, Cost], plan: Plan) -> dict[str, SystemCost]:
    with tempfile.TemporaryDirectory() as folder:
        path = _written(Path(folder), SHORT)
        return {name: _system(name, cost, path, plan) for name, cost in costs.items()}


def _system(name: str, cost: Cost, path: Path, plan: Plan) -> SystemCost:
    if name == LIMIT:
        return SystemCost(cost)
    if not can_measure():
        return SystemCost(cost, None, _installed(name))
    plan.tell(f"cold start of {name}")
    command = ["-m", "discobert.benchmark.rivals", name, str(path)]
    if name == OURS:
        command = _summarize_command(path, plan)
    return SystemCost(cost, process_cost(command, runs=plan.runs), _installed(name))


def _summarize_command(path: Path, plan: Plan) -> list[str]:
    model = [] if plan.model is None else ["--model", plan.model]
    return ["-m", "discobert", "summarize", str(path), *model]


def _installed(name: str) -> int | None:
    needed = ("discobert",) if name == OURS else RIVALS[name][1]
    return installed_size(*needed) if needed else None


def _growth(summarizer: Summarizer, plan: Plan) -> dict[int, StagedCost]:
    found = {}
    for words in plan.growth:
        plan.tell(f"{words:,} words")
        runs = plan.runs if words < max(plan.growth) else min(plan.runs, 2)
        found[words] = least_staged_cost(summarizer, generated(words).text, runs=runs)
    return found


def _memory(plan: Plan) -> dict[int, int]:
    if not can_measure():
        return {}
    found = {}
    with tempfile.TemporaryDirectory() as folder:
        for words in plan.memory:
            plan.tell(f"peak memory, {words:,} words")
            path = _written(Path(folder), words)
            found[words] = process_cost(_summarize_command(path, plan)).memory
    return found


def _written(folder: Path, words: int) -> Path:
    path = folder / f"{words}.txt"
    path.write_text(generated(words).text, encoding="utf-8")
    return path


def find_tokenizer(model: str | None) -> Tokenizer:
    """Load the tokenizer of a model, or MiniLM's for the rules, which have none."""
    folder = locate_bundle(model) or locate_bundle(None)
    if folder is not None:
        return Tokenizer.from_str(open_bundle(folder).read(TOKENIZER).decode())
    plain = minilm_folder()
    if plain is None:
        raise InputError("no tokenizer to count pieces with: install a model or MiniLM")
    return Tokenizer.from_file(str(plain / TOKENIZER))


def machine() -> str:
    """Describe where figures come from."""
    python = f"Python {platform.python_version()}"
    return f"{os.cpu_count()} × {platform.machine()}, {python}, discobert {__version__}"
