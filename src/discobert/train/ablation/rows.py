"""The rows of the ablation table: the paper's five models, and single changes to the last."""

import difflib
from collections.abc import Mapping
from dataclasses import dataclass, field

from discobert.errors import UsageError
from discobert.train.summarizer.settings import SummarizerTraining

LEAD = "lead-3"
BASELINE = "sentence"
WITHOUT_GRAPHS = "edu"
WITHOUT_CLOSURES = "edu+both, closures off"


@dataclass(frozen=True, slots=True)
class AblationRow:
    """One row of the table: the changed settings, and the ROUGE that the paper reports."""

    name: str
    changes: Mapping[str, object] = field(default_factory=dict)
    paper: tuple[float, float, float] | None = None


VARIANTS = (
    AblationRow("sentence", {"variant": "sentence"}, (43.07, 19.94, 39.44)),
    AblationRow("edu", {"variant": "edu"}, (43.38, 20.44, 40.21)),
    AblationRow("edu+coref", {"variant": "edu+coref"}, (43.58, 20.64, 40.42)),
    AblationRow("edu+rst", {"variant": "edu+rst"}, (43.68, 20.71, 40.54)),
    AblationRow("edu+both", {"variant": "edu+both"}, (43.77, 20.85, 40.67)),
)
"""The paper's models on CNN/DailyMail's test set."""
PAPER_LEAD = (40.42, 17.62, 36.67)

FURTHER = (
    AblationRow(
        "legacy graphs and rules", {"rst_graph": "legacy", "rules": "legacy", "directions": "heads"}
    ),
    AblationRow("heads alone", {"directions": "heads"}),
    AblationRow("strict RST graph", {"rst_graph": "strict"}),
    AblationRow("1 graph layer", {"graph_layers": 1}),
    AblationRow("3 graph layers", {"graph_layers": 3}),
    AblationRow("no context layers", {"context_layers": 0}),
    AblationRow("no features", {"inputs": "none", "width": 0}),
    AblationRow("oracle labels alone", {"soft_share": 0.0}),
    AblationRow("label smoothing", {"label_smoothing": 0.1}),
    AblationRow("no average of weights", {"average_decay": 0.0}),
    AblationRow("ranker of candidates", {"rank_weight": 1.0}),
    AblationRow("CLS per EDU", {"edu_span": "cls"}),
)
"""Changes to edu+both, each alone."""


def named_rows(text: str) -> tuple[AblationRow, ...]:
    """Choose rows: ``variants``, ``all``, or names separated by commas."""
    if text == "variants":
        return VARIANTS
    if text == "all":
        return VARIANTS + FURTHER
    known = {row.name: row for row in VARIANTS + FURTHER}
    names = [name.strip() for name in text.split(",")]
    for name in names:
        if name not in known:
            near = difflib.get_close_matches(name, known, n=1)
            hint = f"; did you mean {near[0]!r}?" if near else ""
            raise UsageError(f"unknown row {name!r}{hint}; rows: {', '.join(known)}")
    return tuple(known[name] for name in names)


def small_budget() -> SummarizerTraining:
    """Return settings that train one row in minutes on a CPU."""
    return SummarizerTraining(
        documents=3000,
        epochs=6.0,
        warmup_steps=100,
        validate_every=200,
        validate_documents=200,
        tune_documents=1000,
    )
