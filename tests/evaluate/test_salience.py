"""Areas under the curve of scores against the oracle, by hand."""

from dataclasses import dataclass

import pytest
from tests.builders import analysis, tree

from discobert.data.summary import Analysis, ModelId, Scores, SentenceSalience
from discobert.discourse.units import UnitKind
from discobert.errors import InputError
from discobert.evaluate.salience import (
    RankedUnits,
    ranked_units,
    report_on,
    sentence_scores,
)
from discobert.selection.build import Salience
from discobert.store.corpora.articles import Article

TEXT = "[The cat sat,] [~because it rained.] | [A dog ran.] | [Nobody came.]"
TREE = tree("NS", tree("NS", 0, 1), tree("NN", 2, 3))


GIVEN = ModelId("given", "1")


@dataclass(frozen=True)
class Given:
    """A scorer of one text, by hand."""

    scores: tuple[float, ...]
    sentences: tuple[float, ...] | None = None
    model: ModelId = GIVEN
    unit: UnitKind = UnitKind.EDU

    def score(self, analysis: Analysis) -> Salience:
        none = self.sentences
        columns = None if none is None else SentenceSalience(none, none, none, none)
        return Salience(Scores(self.scores), sentences=columns)


def areas(given: Given, *reference: str) -> dict[UnitKind, RankedUnits]:
    article = Article("a", "", "text", reference)
    return {each.kind: each for each in ranked_units(given, article, analysis(TEXT, TREE))}


def test_the_oracle_is_ranked_by_scores_and_by_position() -> None:
    found = areas(Given((0.1, 0.2, 0.9, 0.5), (3.0, 1.0, 2.0)), "a dog ran")
    # Of the EDUs the third is in the oracle: above all others by score, above one by position.
    assert found[UnitKind.EDU].scores == 1.0
    assert found[UnitKind.EDU].position == pytest.approx(1 / 3)
    # Of the sentences the second is: below both others by score, above the last by position.
    assert found[UnitKind.SENTENCE] == RankedUnits(UnitKind.SENTENCE, 0.0, 0.5)


def test_an_edu_of_the_oracle_brings_what_it_needs() -> None:
    found = areas(Given((0.9, 0.8, 0.1, 0.1)), "because it rained")
    assert found[UnitKind.EDU].scores == 1.0
    found = areas(Given((0.1, 0.8, 0.5, 0.6)), "because it rained")
    assert found[UnitKind.EDU].scores == 0.5  # the first EDU is in the oracle, too


def test_without_a_sentence_network_the_best_edu_counts() -> None:
    given = Given((0.1, 0.7, 0.4, 0.5))
    text = analysis(TEXT, TREE)
    assert sentence_scores(text, given.score(text)) == [0.7, 0.4, 0.5]


def test_texts_without_anything_to_rank_are_left_out() -> None:
    assert areas(Given((0.1, 0.2, 0.3, 0.4)), "zebra") == {}
    with pytest.raises(InputError, match="no text to rank units of"):
        report_on([])


def test_means_are_over_texts() -> None:
    found = [RankedUnits(UnitKind.EDU, area, 0.5) for area in (0.5, 1.0)]
    report = report_on(found)[UnitKind.EDU]
    assert (report.documents, report.scores.mean) == (2, 0.75)
    assert report.scores.low >= 0.5
