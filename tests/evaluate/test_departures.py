"""What single decisions of the released code change."""

import pytest
from tests.builders import analysis, tree

from discobert.api import Summarizer
from discobert.data.graph import Edge
from discobert.data.summary import Analysis, ModelId, Scores
from discobert.discourse.units import UnitKind
from discobert.evaluate.departures import (
    NO_BLOCKING,
    ONE_HOP,
    PLAIN_SAME_UNIT,
    UNIT_BLOCKING,
    Departure,
    direct_heads,
)
from discobert.evaluate.systems import BARE, SystemExtract, edu_oracle
from discobert.metrics.oracle import PAPER
from discobert.pipeline import Pipeline
from discobert.selection.budget import Budget
from discobert.selection.build import Decoding, Salience
from discobert.selection.paper.greedy import Greedy, Overflow
from discobert.selection.redundancy import Blocking
from discobert.store.corpora.articles import Article

ARTICLE = Article("a", "", "text", ("it sank",))
CHAIN = "[A ferry sank,] [~hitting a rock,] [~hidden by fog.] | [Snow fell.] | [It rained.]"
CHAINED = tree("NN", tree("NN", tree("NS", 0, tree("NS", 1, 2)), 3), 4)


class Fixed:
    """A scorer whose scores are given."""

    model = ModelId("fixed", "1")
    unit = UnitKind.EDU

    def __init__(self, scores: tuple[float, ...], words: int, overflow: Overflow) -> None:
        search = Greedy(overflow=overflow)
        self._decoding = Decoding(search=search, budget=Budget(words=words), redundancy=Blocking())
        self._scores = Scores(scores)

    def score(self, analysis: Analysis) -> Salience:
        return Salience(self._scores, self._decoding)


def shown(
    departure: Departure,
    found: Analysis,
    scores: tuple[float, ...],
    *,
    words: int = 9,
    overflow: Overflow = Overflow.SKIP,
) -> SystemExtract:
    base = Summarizer.load("rules")
    scorer = Fixed(scores, words, overflow)
    summarizer = Summarizer(Pipeline(base.pipeline.analyser, scorer), base.language)
    return departure.summary_by(summarizer, BARE, ARTICLE, found)


def test_one_step_brings_direct_heads_alone() -> None:
    brought = direct_heads(3, [Edge(2, 1, "x"), Edge(1, 0, "x")])
    assert list(map(sorted, brought)) == [[0], [0, 1], [1, 2]]
    found = analysis(CHAIN, CHAINED)
    scores = (0.1, 0.1, 0.9, 0.2, 0.2)
    assert shown(ONE_HOP, found, scores, words=6).edus == (1, 2)
    assert shown(Departure(), found, scores).edus == (0, 1, 2)


def test_same_units_are_like_others_under_the_papers_rules() -> None:
    text = "[The prizes,] [~given by a jury,] [honour work.] | [Snow fell on us.] | [It rained.]"
    found = analysis(
        text, tree("NN", tree("NN", tree("NN", tree("NS", 0, 1), 2, "same-unit"), 3), 4)
    )
    scores = (0.1, 0.1, 0.9, 0.2, 0.2)
    assert shown(Departure(), found, scores, words=4).edus == (0, 2)
    assert shown(PLAIN_SAME_UNIT, found, scores, words=2).edus == (2,)


REPEATING = "[A big ferry sank.] | [A big ferry sank,] [~hitting rocks.] | [It rained a lot today.]"
REPEATED = tree("NN", tree("NN", 0, tree("NS", 1, 2)), 3)


def test_blocking_by_unit_drops_heads() -> None:
    found = analysis(REPEATING, REPEATED)
    scores = (0.9, 0.1, 0.8, 0.7)
    assert shown(Departure(), found, scores, words=11).edus == (0, 3)
    assert shown(UNIT_BLOCKING, found, scores, words=11).edus == (0, 2, 3)
    assert shown(NO_BLOCKING, found, scores, words=11).edus == (0, 1, 2)


@pytest.mark.parametrize(("overflow", "edus"), [(Overflow.SKIP, (0, 2)), (Overflow.STOP, (0,))])
def test_blocking_by_unit_ends_as_the_model_was_tuned_to(
    overflow: Overflow, edus: tuple[int, ...]
) -> None:
    scores = (0.9, 0.1, 0.6, 0.7)
    found = analysis(REPEATING, REPEATED)
    assert shown(UNIT_BLOCKING, found, scores, words=6, overflow=overflow).edus == edus


def test_a_text_that_fits_is_shown_whole() -> None:
    found = analysis(REPEATING, REPEATED)
    assert shown(UNIT_BLOCKING, found, (0.1,) * 4, words=99).edus == (0, 1, 2, 3)


def test_the_oracle_with_one_step_may_leave_a_chain_open() -> None:
    found = analysis(CHAIN, CHAINED)
    article = Article("a", "", "text", ("hidden by fog",))
    assert edu_oracle(PAPER, article, found, reach=direct_heads).edus == (1, 2)
    assert edu_oracle(PAPER, article, found).edus == (0, 1, 2)
