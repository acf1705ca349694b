"""Reports on an analyser as JSON and as tables."""

from collections.abc import Mapping

from discobert.data.codecs.fields import FORMAT
from discobert.data.codecs.json_text import Json, JsonObject
from discobert.evaluate.analyses.report import WORDS, AnalysisReport, Figures, Subset
from discobert.evaluate.formats import bounds, model_json, rounded
from discobert.metrics.statistics import Interval
from discobert.render.tables import Row, Table

_NAMES: Mapping[str, str] = {
    "segmentation.f1": "EDU boundaries F1",
    "segmentation.precision": "  precision",
    "segmentation.recall": "  recall",
    "segmentation.intra_f1": "  inside sentences F1",
    "sentences.f1": "sentence starts F1",
    "parsing.gold_edus.span": "gold EDUs: span",
    "parsing.gold_edus.nuclearity": "  nuclearity",
    "parsing.gold_edus.relation": "  relation",
    "parsing.gold_edus.full": "  full",
    "parsing.end_to_end.span": "end to end: span",
    "parsing.end_to_end.nuclearity": "  nuclearity",
    "parsing.end_to_end.relation": "  relation",
    "parsing.end_to_end.full": "  full",
    "dependencies.intra_uas": "dependencies inside sentences (intra_uas)",
    "dependencies.per_edu": "  dependencies an EDU",
    "dependencies.gold_per_edu": "  the same in gold",
    "coref.conll_f1": "coreference CoNLL F1",
    "coref.muc": "  MUC",
    "coref.b3": "  B-cubed",
    "coref.ceafe": "  CEAF-e",
    "coref.mention_f1": "  mentions F1",
    "coref.edu_edge_f1": "  pairs of EDUs F1",
    "subjects.f1": "subjects F1",
}
_BY_GENRE: Mapping[str, str] = {
    "segmentation.f1": "EDUs",
    "segmentation.intra_f1": "inner",
    "sentences.f1": "sentences",
    "parsing.gold_edus.span": "gold S",
    "parsing.gold_edus.nuclearity": "N",
    "parsing.gold_edus.relation": "R",
    "parsing.gold_edus.full": "Full",
    "parsing.end_to_end.span": "raw S",
    "parsing.end_to_end.full": "Full",
    "dependencies.intra_uas": "UAS",
    "coref.conll_f1": "CoNLL",
    "subjects.f1": "subjects",
}


def to_json(report: AnalysisReport) -> JsonObject:
    """Return the JSON of an evaluation of analyses, figures nested by layer."""
    return {
        "format": FORMAT,
        **_nested({name: rounded(found.mean) for name, found in report.figures.items()}),
        "documents": report.documents,
        "ci95": _nested({name: bounds(found) for name, found in report.figures.items()}),
        "in_licence": _subset(report.in_licence),
        "by_genre": {genre: _subset(subset) for genre, subset in report.by_genre.items()},
        f"cpu_seconds_per_{WORDS}_words": rounded(report.cpu_seconds),
        "model": model_json(report.model),
    }


def _subset(subset: Subset) -> JsonObject:
    found = {name: rounded(value) for name, value in subset.figures.items()}
    return {"documents": subset.documents, **_nested(found)}


def _nested(flat: Mapping[str, Json]) -> JsonObject:
    """Turn ``{"coref.muc": 1}`` into ``{"coref": {"muc": 1}}``."""
    root: JsonObject = {}
    for path, value in flat.items():
        *folders, name = path.split(".")
        place = root
        for folder in folders:
            inner = place.setdefault(folder, {})
            place = inner if isinstance(inner, dict) else {}
        place[name] = value
    return root


def tables(report: AnalysisReport) -> Mapping[str, Table]:
    """Return heading and rows of every table, by its title."""
    n_inside = report.in_licence.documents
    heading = ("figure", f"all {report.documents}", "95 % interval", f"in licence: {n_inside}")
    time = (f"CPU seconds for {WORDS} words", f"{report.cpu_seconds:.3f}", "", "")
    rows = [_row(name, report.figures[name], report.in_licence.figures) for name in _NAMES]
    genres = [_genre_row(genre, subset) for genre, subset in report.by_genre.items()]
    return {
        f"Analysis of {report.documents:,} documents, per cent": (heading, [*rows, time]),
        "By genre": (("genre", "documents", *_BY_GENRE.values()), genres),
    }


def _row(name: str, found: Interval, inside: Figures) -> Row:
    digits = 2 if name.endswith("per_edu") else 1
    bounds = f"[{found.low:.{digits}f}, {found.high:.{digits}f}]"
    beside = f"{inside[name]:.{digits}f}" if inside else "–"
    return _NAMES[name], f"{found.mean:.{digits}f}", bounds, beside


def _genre_row(genre: str, subset: Subset) -> Row:
    return genre, str(subset.documents), *(f"{subset.figures[name]:.1f}" for name in _BY_GENRE)
