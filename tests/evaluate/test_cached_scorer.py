"""Several systems, scored once."""

from dataclasses import dataclass, field

from tests.builders import analysis

from discobert.data.summary import Analysis, ModelId, Scores
from discobert.discourse.units import UnitKind
from discobert.evaluate.cached_scorer import CachedScorer
from discobert.selection.build import Salience

FERRY = analysis("[A ferry sank,] [and nobody was hurt.]")
BRIDGE = analysis("[The bridge stands.] [It is old.]")


@dataclass
class Counting:
    """Counts how often it is asked."""

    model: ModelId = field(default_factory=lambda: ModelId("counting", "1"))
    unit: UnitKind = UnitKind.EDU
    asked: list[Analysis] = field(default_factory=list)

    def score(self, analysis: Analysis) -> Salience:
        self.asked.append(analysis)
        return Salience(Scores((0.1, float(len(self.asked)))))


def test_a_text_is_scored_once_until_another_comes() -> None:
    counting = Counting()
    once = CachedScorer(counting)
    assert (once.model, once.unit) == (counting.model, counting.unit)
    first = once.score(FERRY)
    assert once.score(FERRY) is first
    assert once.score(BRIDGE) != first
    assert once.score(FERRY) != first
    assert counting.asked == [FERRY, BRIDGE, FERRY]
