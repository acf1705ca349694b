"""What the released code's decisions cost: systems that differ in one of them."""

from dataclasses import dataclass

from discobert.evaluate.reproduction.published import Published
from discobert.evaluate.reproduction.results import ResultFile, Results
from discobert.evaluate.reproduction.scores import METRICS, NOTHING, Evaluation
from discobert.render.tables import Row, markdown_table

BASE = "discobert-bare"
BASE_ORACLE = "oracle-edu"


@dataclass(frozen=True, slots=True)
class Decision:
    """A decision and the system in which it is taken the other way."""

    what: str
    system: str
    base: str = BASE


DECISIONS = (
    Decision("ours, for reference: clauses with all they need, repairs of lines alone", BASE),
    Decision("code: the subject is looked for in the left head", "discobert-left-subject"),
    Decision("code: a clause brings its direct heads alone", "discobert-one-hop"),
    Decision("code: blocking drops single clauses of a closure", "discobert-unit-blocking"),
    Decision("code: post-processing (drops short lines, edges)", "discobert-paper-rules"),
    Decision("neither: no trigram blocking", "discobert-no-blocking"),
    Decision("paper: halves of a clause do not need each other", "discobert-plain-same-unit"),
    Decision("neither: no dependencies at all", "discobert-free"),
    Decision(
        "ours beyond the paper: needs, antecedents, no headings (style paper)", "discobert-paper"
    ),
    Decision("oracle, for reference: clauses with all they need", BASE_ORACLE, BASE_ORACLE),
    Decision("code: oracle labels with direct heads alone", "oracle-edu-one-hop", BASE_ORACLE),
    Decision("neither: oracle without dependencies", "oracle-edu-free", BASE_ORACLE),
)


def costs(results: Results, published: Published) -> str:
    """Return the table of decisions: difference from the reference, lengths, unmet dependencies."""
    evaluation = Evaluation(results.read(ResultFile.NEWS))
    heading = (
        "decision",
        "system",
        "R-1",
        "R-2",
        "R-Lsum",
        "words",
        "clauses without one they need, in 100 summaries",
    )
    return markdown_table(heading, [_row(evaluation, decision) for decision in DECISIONS])


def _row(evaluation: Evaluation, decision: Decision) -> Row:
    system = evaluation.system(decision.system)
    broken = 100 * system.figure("violations") / evaluation.documents
    return (
        decision.what,
        f"`{decision.system}`",
        *(_figure(evaluation, decision, metric) for metric in METRICS),
        f"{system.figure('words'):.0f}",
        f"{broken:.0f}",
    )


def _figure(evaluation: Evaluation, decision: Decision, metric: str) -> str:
    """Write the mean of a reference, else the difference from it, paired where that was tested."""
    system = evaluation.system(decision.system)
    if decision.system == decision.base:
        return f"{system.figure(metric):.2f}"
    paired = system.gain(decision.base, metric)
    if paired != NOTHING:
        return paired
    base = evaluation.system(decision.base)
    return f"{system.figure(metric) - base.figure(metric):+.2f}".replace("-", "−")
