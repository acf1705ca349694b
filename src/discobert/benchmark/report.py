"""Figures of a benchmark as tables, JSON and a chart."""

from collections.abc import Mapping, Sequence

from discobert.benchmark.run import OURS, BenchmarkReport, SystemCost
from discobert.data.codecs.fields import FORMAT
from discobert.data.codecs.json_text import JsonObject
from discobert.render.charts import Bar, StackedBars
from discobert.render.tables import Row, Table, markdown_tables

NONE = "–"
_MEGA = 1e6
NOTES = (
    "Cold start: a fresh process that summarises 600 words. Installed: all it requires included, "
    "extras left out.",
    "To compare with other tools and with a bare encoder pass: python -m benchmarks.compare in a "
    "clone of the repository.",
)


def ratios(report: BenchmarkReport) -> dict[str, float]:
    """Return the figures that can be compared between machines."""
    grown = f"cost of {max(report.growth):,} words / {min(report.growth):,} words"
    found = {grown: report.grown()}
    if report.imports is not None:
        found["imports / numpy and onnxruntime"] = report.imports
    return found


def to_json(report: BenchmarkReport) -> JsonObject:
    """Return the JSON of a benchmark."""
    return {
        "format": FORMAT,
        "documents": report.documents,
        "words": round(report.words, 1),
        "pieces": None if report.pieces is None else round(report.pieces, 1),
        "runs": report.runs,
        "threads": 1,
        "machine": report.machine,
        "model": {"name": report.model.name, "version": report.model.version},
        "systems": {OURS: system_json(report.cost)},
        "stages_cpu_ms": _stages_json(report.stages),
        "growth": {
            str(words): {
                "cpu_ms": _ms(cost.total.cpu),
                "wall_ms": _ms(cost.total.wall),
                "stages_cpu_ms": _stages_json(cost.stages),
            }
            for words, cost in report.growth.items()
        },
        "peak_memory_mb": {str(words): _mb(size) for words, size in report.memory.items()},
        "ratios": {name: round(ratio, 3) for name, ratio in ratios(report).items()},
    }


def system_json(cost: SystemCost) -> JsonObject:
    """Return the JSON of what one system costs."""
    start = cost.start
    return {
        "cpu_ms": _ms(cost.document.cpu),
        "wall_ms": _ms(cost.document.wall),
        "cold_cpu_s": None if start is None else round(start.cpu, 3),
        "cold_wall_s": None if start is None else round(start.wall, 3),
        "peak_memory_mb": None if start is None else _mb(start.memory),
        "installed_mb": None if cost.installed is None else _mb(cost.installed),
    }


def _stages_json(stages: Mapping[str, float]) -> JsonObject:
    return {name: _ms(cpu) for name, cpu in stages.items()}


def _ms(seconds: float) -> float:
    return round(1e3 * seconds, 2)


def _mb(size: int) -> float:
    return round(size / _MEGA, 1)


def tables(report: BenchmarkReport) -> dict[str, Table]:
    """Return every table that has rows, by its title."""
    pieces = "" if report.pieces is None else f" and {report.pieces:.0f} word pieces"
    found = {
        f"{report.model.name} {report.model.version}: {report.documents} texts of "
        f"{report.words:.0f} words{pieces} on average, one thread, best of {report.runs} "
        f"({report.machine})": system_table({OURS: report.cost}),
        "Stages": stage_table(report.stages),
        "Growth with the length of a text": growth_table(report),
        "Peak memory of discobert summarize": memory_table(report),
        "Ratios of CPU time": ratio_table(ratios(report)),
    }
    return {title: table for title, table in found.items() if table[1]}


def system_table(systems: Mapping[str, SystemCost]) -> Table:
    """Show what each system costs."""
    heading = (
        "system",
        "CPU ms",
        "wall ms",
        "cold CPU s",
        "cold wall s",
        "peak MB",
        "installed MB",
    )
    return heading, [_system_row(name, cost) for name, cost in systems.items()]


def _system_row(name: str, cost: SystemCost) -> Row:
    start = cost.start
    return (
        name,
        f"{1e3 * cost.document.cpu:.1f}",
        f"{1e3 * cost.document.wall:.1f}",
        NONE if start is None else f"{start.cpu:.2f}",
        NONE if start is None else f"{start.wall:.2f}",
        NONE if start is None else f"{start.memory / _MEGA:.0f}",
        NONE if cost.installed is None else f"{cost.installed / _MEGA:.0f}",
    )


def stage_table(stages: Mapping[str, float]) -> Table:
    """Show how the CPU time of a document divides among the stages."""
    total = sum(stages.values()) or 1.0
    rows = [
        (name, f"{1e3 * cpu:.1f}", f"{100 * cpu / total:.1f} %") for name, cpu in stages.items()
    ]
    return ("stage", "CPU ms", "share"), rows


def growth_table(report: BenchmarkReport) -> Table:
    """Show the CPU time of each stage by length of the text."""
    lengths = sorted(report.growth)
    totals = [report.growth[words].total.cpu for words in lengths]
    rows = [
        _growth_row(stage, [report.growth[words].stages[stage] for words in lengths])
        for stage in report.growth[lengths[0]].stages
    ]
    heading = ("CPU ms", *(f"{words:,} words" for words in lengths), "grown")
    return heading, [_growth_row("all", totals), *rows]


def _growth_row(name: str, seconds: Sequence[float]) -> Row:
    grown = f"{seconds[-1] / seconds[0]:.1f} ×" if seconds[0] > 0 else NONE
    return (name, *(f"{1e3 * cpu:.1f}" for cpu in seconds), grown)


def memory_table(report: BenchmarkReport) -> Table:
    """Show the peak memory by length of the text."""
    rows = [(f"{words:,} words", f"{size / _MEGA:.0f}") for words, size in report.memory.items()]
    return ("text", "MB"), rows


def ratio_table(found: Mapping[str, float]) -> Table:
    """Show ratios by name."""
    return ("ratio", ""), [(name, f"{ratio:.2f}") for name, ratio in found.items()]


def to_markdown(report: BenchmarkReport) -> str:
    """Write tables and notes as Markdown."""
    return "\n".join([markdown_tables(tables(report)), *NOTES, ""])


def chart(
    systems: Mapping[str, SystemCost], stages: Mapping[str, float], *, words: float
) -> StackedBars:
    """Draw the CPU time a document of each system, ours divided into stages."""
    bars = [
        Bar(name, _in_ms(stages if name == OURS else {name: cost.document.cpu}))
        for name, cost in systems.items()
    ]
    return StackedBars(f"CPU milliseconds a document ({words:.0f} words, one thread)", "ms", bars)


def _in_ms(seconds: Mapping[str, float]) -> dict[str, float]:
    return {name: 1e3 * cpu for name, cpu in seconds.items()}
