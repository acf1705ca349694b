"""Reports on a cut head as JSON and as tables."""

from discobert.data.codecs.fields import FORMAT
from discobert.data.codecs.json_text import JsonObject
from discobert.evaluate.cuts.report import PRECISIONS, CutGroup, CutReport
from discobert.evaluate.formats import bounds, model_json, rounded
from discobert.metrics.statistics import Interval
from discobert.render.tables import Table


def to_json(report: CutReport) -> JsonObject:
    """Return the JSON of an evaluation of cuts."""
    return {
        "format": FORMAT,
        "groups": {name: _group(group) for name, group in report.groups.items()},
        "questions": {name: _interval(area) for name, area in report.questions.items()},
        "calibration": [
            {
                "from": tenth.low,
                "cuts": tenth.n_items,
                "probability": rounded(tenth.mean),
                "harmless": rounded(tenth.true_share),
            }
            for tenth in report.tenths
        ],
        "brier": rounded(report.brier),
        "model": model_json(report.model),
    }


def _group(group: CutGroup) -> JsonObject:
    return {
        "cuts": group.n_cuts,
        "documents": group.n_documents,
        "harmless": rounded(group.harmless),
        "auc": _interval(group.area),
        "recall_at_precision": {
            f"{precision:.2f}": _interval(recall) for precision, recall in group.recalls.items()
        },
    }


def _interval(found: Interval) -> JsonObject:
    return {"mean": rounded(found.mean), "ci95": bounds(found)}


def tables(report: CutReport) -> dict[str, Table]:
    """Return tables for people, by title."""
    heading = ("", "cuts", "documents", "harmless", "AUC", *(f"R at P {p:.2f}" for p in PRECISIONS))
    groups = [
        (
            name,
            str(group.n_cuts),
            str(group.n_documents),
            f"{group.harmless:.3f}",
            _shown(group.area),
            *(_shown(group.recalls[precision]) for precision in PRECISIONS),
        )
        for name, group in report.groups.items()
    ]
    questions = [(name, _shown(area)) for name, area in report.questions.items()]
    tenths = [
        (f"{t.low:.1f}", str(t.n_items), f"{t.mean:.3f}", f"{t.true_share:.3f}")
        for t in report.tenths
    ]
    return {
        "Harmless cuts, with 95 % intervals over documents": (heading, groups),
        "Single questions": (("", "AUC"), questions),
        f"Calibration (Brier score {report.brier:.3f})": (
            ("from", "cuts", "probability", "judged harmless"),
            tenths,
        ),
    }


def _shown(found: Interval) -> str:
    return f"{found.mean:.3f} [{found.low:.3f}, {found.high:.3f}]"
