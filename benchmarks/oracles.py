"""How many documents a second the oracles and ROUGE score, on one core.

python benchmarks/oracles.py FILE.jsonl[.xz|.gz] [documents]

Units are clauses cut by rules, about 67 a document, so that no model is needed; times are CPU times
with the cache of stems warm, and cutting articles into clauses is not counted.
"""

import sys
from collections.abc import Callable
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from time import process_time

from discobert.api import rule_analyser
from discobert.data.document import SourceText
from discobert.data.summary import Analysis
from discobert.discourse.dependencies import closures, enforced_dependencies
from discobert.language.tokens import tokenise
from discobert.metrics.oracle import Objective, OracleConfig, find_oracle, soft_targets
from discobert.metrics.rouge import reference_of, rouge
from discobert.store.corpora.json_lines import ArticleSample

CLAUSES = 67


@dataclass(frozen=True, slots=True)
class Case:
    """One document: texts of its clauses, what each needs, and its reference."""

    clauses: tuple[str, ...]
    needed: tuple[frozenset[int], ...]
    reference: tuple[str, ...]


def case_of(analysis: Analysis, reference: tuple[str, ...]) -> Case:
    """Keep whole sentences until there are about 67 clauses."""
    document = analysis.document
    ends = [edus.stop for edus in document.edus_by_sentence()]
    size = max((end for end in ends if end <= CLAUSES), default=ends[0])
    needed = closures(len(document.edus), enforced_dependencies(document, analysis.rst))
    return Case(tuple(document.edu_text(edu) for edu in range(size)), needed[:size], reference)


def find(case: Case, config: OracleConfig) -> None:
    """Search from raw text, tokens and counts included."""
    units = [tokenise(clause) for clause in case.clauses]
    find_oracle(units, reference_of(case.reference), closures=case.needed, config=config)


def soften(case: Case) -> None:
    """Compute soft targets from raw text."""
    units = [tokenise(clause) for clause in case.clauses]
    soft_targets(units, reference_of(case.reference), closures=case.needed)


def score(case: Case) -> None:
    """Score the first clauses, each on a line of its own: the costly case of ROUGE-Lsum."""
    rouge(reference_of(case.reference), case.clauses[:12])


TASKS: dict[str, Callable[[Case], None]] = {
    "oracle, greedy, rouge1": lambda case: find(case, OracleConfig()),
    "oracle, greedy, rouge1+rouge2": lambda case: find(
        case, OracleConfig(objective=Objective.ROUGE12)
    ),
    "oracle, beam 5, rouge1": lambda case: find(case, OracleConfig(beam=5)),
    "soft targets": soften,
    "ROUGE of twelve clauses": score,
}


def main(path: Path, limit: int) -> None:
    """Measure every task on the same documents."""
    analyser = rule_analyser()
    long_enough = (
        (found, article.reference)
        for article in ArticleSample(path=path).articles()
        for found in [analyser.analyse(SourceText(article.id, article.text))]
        if len(found.document.edus) >= CLAUSES
    )
    cases = [case_of(*pair) for pair in islice(long_enough, limit)]
    clauses = sum(len(case.clauses) for case in cases) / len(cases)
    sys.stdout.write(f"{len(cases)} documents, {clauses:.1f} clauses a document\n")
    for name, task in TASKS.items():
        for case in cases[:50]:
            task(case)
        start = process_time()
        for case in cases:
            task(case)
        rate = len(cases) / (process_time() - start)
        sys.stdout.write(f"{name:32} {rate:8,.0f} documents/s\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 500)
