"""Where the pipeline's stages are, whichever of them a loaded model has."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from types import ModuleType

from discobert import pipeline
from discobert.analyser import neural, rules
from discobert.analyser.coreference import MentionResolver
from discobert.analyser.parser import BeamParser
from discobert.api import Summarizer
from discobert.benchmark.clock import Cost, Watched, cost_of, watching
from discobert.language.sentences import NewsSplitter
from discobert.runtime.encoder import LowerLayers, UpperLayers
from discobert.scorer import baselines
from discobert.scorer import network as scorer

REST = "rest"
"""What no stage accounts for."""


@dataclass(frozen=True, slots=True)
class StagedCost:
    """What one summary cost, and the CPU seconds of each stage that ran."""

    total: Cost
    stages: Mapping[str, float]


def staged_cost(summarizer: Summarizer, text: str) -> StagedCost:
    """Summarise a text once under the clock."""
    with watching(places(summarizer)) as clock:
        total = cost_of(partial(summarizer.summarize, text))
    stages = dict(clock.seconds)
    stages[REST] = max(total.cpu - sum(stages.values()), 0.0)
    return StagedCost(total, stages)


def least_staged_cost(summarizer: Summarizer, text: str, *, runs: int) -> StagedCost:
    """Summarise a text several times and keep the cheapest run."""
    return min((staged_cost(summarizer, text) for _ in range(runs)), key=lambda c: c.total.cpu)


def places(summarizer: Summarizer) -> list[Watched]:
    """Return what to watch, in the order in which a text passes."""
    return [
        Watched(NewsSplitter, "split", "sentences"),
        Watched(neural, "lay_out", "pieces"),
        Watched(LowerLayers, "vectors", "trunk"),
        Watched(UpperLayers, "encode", partial(_branch_stage, _summary_branch(summarizer))),
        Watched(neural.NeuralAnalyser, "analyse_encoded", "EDUs and subjects"),
        Watched(rules.RuleAnalyser, "analyse", "EDUs and subjects"),
        Watched(BeamParser, "parse", "parser"),
        Watched(rules, "right_branching_tree", "parser"),
        Watched(MentionResolver, "add", "coreference"),
        Watched(MentionResolver, "resolve", "coreference"),
        Watched(scorer.OwnPieces, "pieces", "summariser's encoder"),
        Watched(scorer.NeuralScorer, "score", "document part"),
        Watched(baselines.PositionScorer, "score", "scores"),
        *_in_module(pipeline, "selection", ("selection_problem", "select", "reasons_left_out")),
        Watched(pipeline, "write", "realisation"),
    ]


def _in_module(module: ModuleType, stage: str, names: Sequence[str]) -> list[Watched]:
    return [Watched(module, name, stage) for name in names]


def _summary_branch(summarizer: Summarizer) -> UpperLayers | None:
    used = summarizer.pipeline.scorer
    source = used.source if isinstance(used, scorer.NeuralScorer) else None
    return source.upper if isinstance(source, scorer.SharedPieces) else None


def _branch_stage(of_summariser: UpperLayers | None, branch: object, *_: object) -> str:
    return "summariser's branch" if branch is of_summariser else "analyser's branch"
