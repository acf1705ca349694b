"""TunedDecoding under several rules, on the realised text."""

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from tests.tiny import tiny_examples, tiny_tokenizer  # noqa: E402

from discobert.discourse.units import UnitKind  # noqa: E402
from discobert.metrics.rouge import reference_of  # noqa: E402 - after the check
from discobert.runtime.pieces import lay_out_analysis  # noqa: E402
from discobert.scorer.decoding import LengthRule, TunedDecoding  # noqa: E402
from discobert.train.summarizer.corpus import prepared_example  # noqa: E402
from discobert.train.summarizer.features.cache import CachedDocument  # noqa: E402
from discobert.train.summarizer.features.items import ItemOptions, item_of  # noqa: E402
from discobert.train.summarizer.validate import (  # noqa: E402
    NORMALISATIONS,
    Prediction,
    ValidationDocument,
    edu_scores,
    mixtures,
    rouge_table,
    rules_to_try,
    summary_lines,
    tune,
)


def documents() -> list[ValidationDocument]:
    tokenizer = tiny_tokenizer()
    found = []
    for example in tiny_examples():
        item = item_of(
            prepared_example(example), ItemOptions(), lambda read: lay_out_analysis(tokenizer, read)
        )
        reference = reference_of(example.reference)
        found.append(
            ValidationDocument(CachedDocument(item, item.chosen), example.analysis, reference)
        )
    return found


def oracle_predictions() -> list[Prediction]:
    """Put what the oracle chose first."""
    return [Prediction(8 * x.features.item.chosen - 4, None) for x in documents()]


def test_the_oracles_scores_find_the_oracles_summary() -> None:
    rules = TunedDecoding(rule=LengthRule.STEPS, value=2)
    good = rouge_table(documents(), oracle_predictions(), rules, UnitKind.EDU)
    worst = [Prediction(-found.logits, None) for found in oracle_predictions()]
    bad = rouge_table(documents(), worst, rules, UnitKind.EDU)
    assert good.shape == (4, 3)
    assert float(good.mean()) > float(bad.mean()) + 10


def test_units_that_were_cut_off_score_nothing() -> None:
    read = tiny_examples()[0].analysis
    scores = edu_scores(read, Prediction(np.zeros(3, dtype=np.float32), None), UnitKind.EDU)
    assert scores.values == (0.5, 0.5, 0.5, 0.0, 0.0, 0.0, 0.0)


def test_edus_of_a_sentence_share_its_score() -> None:
    read = tiny_examples()[0].analysis
    logits = np.array([4, 0, -4, 0], dtype=np.float32)
    values = edu_scores(read, Prediction(logits, None), UnitKind.SENTENCE).values
    assert values[0] == values[1] > 0.9
    assert values[2] == values[3] == values[6] == 0.5
    lines = summary_lines(
        documents()[0], Prediction(logits, None), TunedDecoding(value=1), UnitKind.SENTENCE
    )
    assert lines == ("The river rose after days of rain.",)


def test_words_bound_the_summary() -> None:
    for rule in (LengthRule.WORDS, LengthRule.FULL_WORDS):
        lines = summary_lines(
            documents()[0], oracle_predictions()[0], TunedDecoding(rule=rule, value=9), UnitKind.EDU
        )
        assert 0 < sum(len(line.split()) for line in lines) <= 9


def test_tuning_keeps_the_best_rule_and_shows_all() -> None:
    asked: list[TunedDecoding] = []
    tuned = tune(
        documents(), oracle_predictions(), UnitKind.EDU, ranker=False, on_rule=asked.append
    )
    totals = {rule: sum(scores) for rule, scores in tuned.trials}
    assert totals[tuned.decoding] == max(totals.values())
    assert asked == [rule for rule, _ in tuned.trials]
    lengths = rules_to_try(UnitKind.EDU, ranker=False)
    assert asked[: len(lengths)] == lengths
    assert len(rules_to_try(UnitKind.EDU, ranker=True)) == len(lengths) + 3
    others, free = asked[len(lengths) : -1], asked[-1]
    assert {*NORMALISATIONS} <= {rule.economy for rule in (*lengths, *others)}
    assert len({(rule.rule, rule.value) for rule in others}) == 1
    assert not free.blocking


def test_a_ranker_decides_where_the_rule_asks_it_to() -> None:
    shortest = Prediction(
        oracle_predictions()[0].logits, lambda found: [-float(len(units)) for units in found]
    )
    longest = Prediction(shortest.logits, lambda found: [float(len(units)) for units in found])
    rule = TunedDecoding(rule=LengthRule.RANK, value=4)
    short = summary_lines(documents()[0], shortest, rule, UnitKind.EDU)
    long = summary_lines(documents()[0], longest, rule, UnitKind.EDU)
    assert len(" ".join(short)) < len(" ".join(long))


def test_sentences_are_mixed_into_the_scores_of_their_units() -> None:
    decoding = TunedDecoding(sentence_weight=0.5, bias=1.0)
    own, sentences = np.zeros(2, dtype=np.float32), np.array([2.0, -2.0], dtype=np.float32)
    assert decoding.probabilities(own, sentences) == pytest.approx([1 / (1 + np.exp(-2)), 0.5])
    assert decoding.probabilities(own, None) == pytest.approx([1 / (1 + np.exp(-1))] * 2)
    assert TunedDecoding.of(decoding.settings()) == decoding
    assert {rule.sentence_weight for rule in mixtures(decoding)} == {0.7, 1.0}
