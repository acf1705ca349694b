"""Several systems, one judgement."""

from dataclasses import dataclass, field

from tests.builders import analysis

from discobert.data.summary import Analysis, ModelId, Scores
from discobert.discourse.units import UnitKind
from discobert.evaluate.cached_scorer import JudgedOnce
from discobert.protocols import Judgement
from discobert.selection.select import SelectionOptions

FERRY = analysis("[A ferry sank,] [and nobody was hurt.]")
BRIDGE = analysis("[The bridge stands.] [It is old.]")


@dataclass
class Counting:
    """Counts how often it is asked."""

    model: ModelId = field(default_factory=lambda: ModelId("counting", "1"))
    kind: UnitKind = UnitKind.EDU
    asked: list[Analysis] = field(default_factory=list)

    def judge(self, analysis: Analysis) -> Judgement:
        self.asked.append(analysis)
        return Judgement(Scores((0.1, float(len(self.asked)))), SelectionOptions())


def test_a_text_is_judged_once_until_another_comes() -> None:
    counting = Counting()
    once = JudgedOnce(counting)
    assert (once.model, once.kind) == (counting.model, counting.kind)
    first = once.judge(FERRY)
    assert once.judge(FERRY) is first
    assert once.judge(BRIDGE) != first
    assert once.judge(FERRY) != first
    assert counting.asked == [FERRY, BRIDGE, FERRY]
