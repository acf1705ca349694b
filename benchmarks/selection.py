"""How many milliseconds a selection takes, on one core, for documents of about 113 EDUs.

python benchmarks/selection.py FILE.jsonl[.xz|.gz] [documents]

Documents come from the shipped analyser and scores from a seeded generator; times are CPU times,
the best of several runs of each document, and analysing articles is not counted.
"""

import random
import sys
from itertools import islice
from pathlib import Path
from time import process_time

from discobert import Summarizer
from discobert.data.document import Document
from discobert.data.graph import Edge
from discobert.data.summary import Scores
from discobert.discourse.dependencies import enforced_dependencies
from discobert.selection.budget import NO_BUDGET, Budget
from discobert.selection.build import Decoding, build_problem
from discobert.selection.select import select
from discobert.store.corpora.json_lines import ArticleSample

FEWEST, MOST = 100, 126
RUNS = 5
BUDGETS = {
    "60 words": Budget(words=60),
    "150 words": Budget(words=150),
    "400 characters": Budget(chars=400),
    "8 EDUs": Budget(edus=8),
    "3 sentences": Budget(sentences=3),
    "no limit": NO_BUDGET,
}

Case = tuple[Document, Scores, tuple[Edge, ...]]


def read_cases(path: Path, limit: int) -> list[Case]:
    """Analyse articles and keep those of the right length."""
    summarizer, rng = Summarizer.load(), random.Random(1)
    analyses = (summarizer.analyze(article.text) for article in ArticleSample(path=path).articles())
    fitting = (found for found in analyses if FEWEST <= len(found.document.edus) <= MOST)
    return [
        (
            found.document,
            Scores(tuple(rng.random() for _ in found.document.edus)),
            enforced_dependencies(found.document, found.rst),
        )
        for found in islice(fitting, limit)
    ]


def seconds(case: Case, options: Decoding) -> float:
    """Time the fastest of several runs."""
    times = []
    for _ in range(RUNS):
        start = process_time()
        select(build_problem(*case, decoding=options))
        times.append(process_time() - start)
    return min(times)


def main(path: Path, limit: int) -> None:
    """Measure every budget on the same documents."""
    cases = read_cases(path, limit)
    edus = sum(len(document.edus) for document, _, _ in cases) / len(cases)
    sys.stdout.write(f"{len(cases)} documents, {edus:.1f} EDUs a document\n")
    for length, budget in BUDGETS.items():
        options = Decoding(budget=budget)
        mean = sum(seconds(case, options) for case in cases) / len(cases)
        sys.stdout.write(f"{length:16} {mean * 1000:6.2f} ms\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 30)
