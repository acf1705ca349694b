"""What a reference says about an article and about its beginning."""

import pytest
from tests.builders import analysis, tree

from discobert.batch.tasks.labels import describe_oracle, edus_before, label_article, read_oracle
from discobert.data.codecs.fields import Field
from discobert.data.summary import Analysis
from discobert.errors import ConfigError
from discobert.metrics.oracle import PAPER, Objective, OracleConfig
from discobert.store.corpora.articles import Article


def own() -> Analysis:
    return analysis(
        "[The ferry sank] [because the storm came.] | [Nobody was hurt.] | [The ferry was old.]",
        tree("NS", tree("NN", tree("NS", 0, 1), 2), 3),
        ("The ferry", "The ferry was"),
        ("the storm", "Nobody"),
    )


def article(*reference: str) -> Article:
    return Article("doc", "cnn", own().document.text, reference)


def test_a_cut_leaves_out_units_tokens_and_edges_after_it() -> None:
    whole, part = (label_article(article("The ferry is old."), own(), end=end) for end in (None, 2))
    assert (whole.edus.oracle, part.edus.oracle) == ((3,), (0,))
    assert (whole.sentences.oracle, part.sentences.oracle) == ((2,), (0,))
    assert (len(part.edus.targets), len(part.sentences.targets)) == (3, 2)
    assert (whole.counts.tokens, part.counts.tokens) == (17, 12)
    assert (whole.counts.rst_edges, part.counts.rst_edges) == (3, 2)
    assert (whole.counts.coref_edges, part.counts.coref_edges) == (2, 1)
    assert whole.counts.reference_tokens == part.counts.reference_tokens == 5


def test_edus_before_a_sentence_are_counted() -> None:
    assert [edus_before(own(), sentence) for sentence in range(4)] == [0, 2, 3, 4]


@pytest.mark.parametrize(
    "config", [PAPER, OracleConfig(objective=Objective.ROUGE12, beam=3, max_steps=5)]
)
def test_a_manifest_tells_the_search(config: OracleConfig) -> None:
    assert read_oracle(Field(describe_oracle(config), "oracle")) == config


def test_an_unknown_search_is_refused() -> None:
    described = {**describe_oracle(PAPER), "objective": "luck"}
    with pytest.raises(ConfigError, match="unknown oracle objective 'luck'"):
        read_oracle(Field(described, "oracle"))
