"""Figures of a benchmark as tables, JSON and a chart."""

from collections.abc import Mapping, Sequence

from discobert.benchmark.run import CENTROIDS, LIMIT, OURS, BenchmarkReport, SystemCost
from discobert.data.fields import FORMAT
from discobert.data.json_text import JsonObject
from discobert.render.charts import Bar, StackedBars

Row = tuple[str, ...]
Table = tuple[Row, Sequence[Row]]
NONE = "–"
_MEGA = 1e6


def ratios(report: BenchmarkReport) -> dict[str, float]:
    """Return the figures that hold on any machine."""
    found = {
        "pipeline / bare encoder pass": report.ratio(LIMIT),
        "pipeline / MiniLM centroids (torch)": report.ratio(CENTROIDS),
        f"cost of {max(report.growth):,} words / {min(report.growth):,} words": report.grown(),
        "imports / numpy and onnxruntime": report.imports,
    }
    return {name: ratio for name, ratio in found.items() if ratio is not None}


def to_json(report: BenchmarkReport) -> JsonObject:
    """Return the JSON of a benchmark."""
    return {
        "format": FORMAT,
        "documents": report.documents,
        "words": round(report.words, 1),
        "pieces": round(report.pieces, 1),
        "runs": report.runs,
        "threads": 1,
        "machine": report.machine,
        "model": {"name": report.model.name, "version": report.model.version},
        "limit_weights": "random" if report.random_limit else "MiniLM-L6",
        "systems": {name: _system(report, name) for name in report.systems},
        "stages_cpu_ms": {name: _ms(cpu) for name, cpu in report.stages.items()},
        "growth": {
            str(words): {
                "cpu_ms": _ms(cost.total.cpu),
                "wall_ms": _ms(cost.total.wall),
                "stages_cpu_ms": {name: _ms(cpu) for name, cpu in cost.stages.items()},
            }
            for words, cost in report.growth.items()
        },
        "peak_memory_mb": {str(words): _mb(size) for words, size in report.memory.items()},
        "ratios": {name: round(ratio, 3) for name, ratio in ratios(report).items()},
    }


def _system(report: BenchmarkReport, name: str) -> JsonObject:
    found = report.systems[name]
    start = found.start
    return {
        "cpu_ms": _ms(found.document.cpu),
        "wall_ms": _ms(found.document.wall),
        "cold_cpu_s": None if start is None else round(start.cpu, 3),
        "cold_wall_s": None if start is None else round(start.wall, 3),
        "peak_memory_mb": None if start is None else _mb(start.memory),
        "installed_mb": None if found.installed is None else _mb(found.installed),
    }


def _ms(seconds: float) -> float:
    return round(1e3 * seconds, 2)


def _mb(size: int) -> float:
    return round(size / _MEGA, 1)


def tables(report: BenchmarkReport) -> dict[str, Table]:
    """Return every table under its title."""
    texts = f"{report.documents} texts of {report.words:.0f} words and {report.pieces:.0f} pieces"
    found = {
        f"{report.model.name} {report.model.version}: {texts} on average, one thread, best of "
        f"{report.runs} ({report.machine})": system_table(report),
        "Our stages": stage_table(report),
        "Growth with the length of a text": growth_table(report),
        "Peak memory of discobert summarize": memory_table(report),
        "Ratios, in CPU time": ratio_table(report),
    }
    return {title: table for title, table in found.items() if table[1]}


def notes(report: BenchmarkReport) -> list[str]:
    """Say what a reader of the tables must know."""
    weights = "random weights of MiniLM-L6's shapes (the cost is the same)"
    return [
        f"{LIMIT}: one fp32 forward of MiniLM-L6 in ONNX Runtime, all optimisations, every piece "
        f"once in windows of up to 448, {weights if report.random_limit else 'its own weights'}.",
        "Cold start: a fresh process that summarises 600 words. Installed: all it requires "
        "included, extras left out.",
    ]


def system_table(report: BenchmarkReport) -> Table:
    """Compare the systems."""
    heading = (
        "system",
        "CPU ms",
        "wall ms",
        "÷ bare pass",
        "cold CPU s",
        "cold wall s",
        "peak MB",
        "installed MB",
    )
    least = report.systems[LIMIT].document.cpu
    return heading, [_row(name, cost, least) for name, cost in report.systems.items()]


def _row(name: str, cost: SystemCost, least: float) -> Row:
    start = cost.start
    return (
        name,
        f"{1e3 * cost.document.cpu:.1f}",
        f"{1e3 * cost.document.wall:.1f}",
        f"{cost.document.cpu / least:.2f}",
        NONE if start is None else f"{start.cpu:.2f}",
        NONE if start is None else f"{start.wall:.2f}",
        NONE if start is None else f"{start.memory / _MEGA:.0f}",
        NONE if cost.installed is None else f"{cost.installed / _MEGA:.0f}",
    )


def stage_table(report: BenchmarkReport) -> Table:
    """Show what a document's time is made of."""
    total = sum(report.stages.values())
    least = report.systems[LIMIT].document.cpu
    rows = [
        (name, f"{1e3 * cpu:.1f}", f"{100 * cpu / total:.1f} %", f"{cpu / least:.3f}")
        for name, cpu in report.stages.items()
    ]
    return ("stage", "CPU ms", "share", "÷ bare pass"), rows


def growth_table(report: BenchmarkReport) -> Table:
    """Show the CPU time of each stage by length of the text."""
    lengths = sorted(report.growth)
    totals = [report.growth[words].total.cpu for words in lengths]
    rows = [
        _growth_row(stage, [report.growth[words].stages.get(stage, 0.0) for words in lengths])
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


def ratio_table(report: BenchmarkReport) -> Table:
    """Show what may be compared between machines."""
    return ("ratio", ""), [(name, f"{ratio:.2f}") for name, ratio in ratios(report).items()]


def to_markdown(report: BenchmarkReport) -> str:
    """Write the tables as Markdown."""
    parts = [_markdown(title, *table) for title, table in tables(report).items()]
    return "\n".join([*parts, *notes(report), ""])


def _markdown(title: str, heading: Row, rows: Sequence[Row]) -> str:
    rule = ("---",) * len(heading)
    body = "\n".join(f"| {' | '.join(row)} |" for row in (heading, rule, *rows))
    return f"**{title}**\n\n{body}\n"


def chart(report: BenchmarkReport) -> StackedBars:
    """Draw the CPU time a document of each system, ours cut into its stages."""
    bars = [_bar(name, cost, report.stages) for name, cost in report.systems.items()]
    title = f"CPU milliseconds a document ({report.words:.0f} words, one thread)"
    return StackedBars(title, "ms", bars)


def _bar(name: str, cost: SystemCost, stages: Mapping[str, float]) -> Bar:
    parts = stages if name == OURS else {name: cost.document.cpu}
    return Bar(name, {part: 1e3 * cpu for part, cpu in parts.items()})
