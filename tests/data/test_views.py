"""Sentences, EDUs, mentions and trees with their text."""

from tests.builders import analysis, tree

from discobert.data.views import ClusterView, MentionView

FOUND = analysis(
    "[When it rains,] [~we stay in.] | [Bo reads his book.]",
    tree("NN", tree("SN", 0, 1, "context"), 2, "joint"),
    ("Bo", "his"),
)


def test_sentences_hold_their_edus() -> None:
    first, second = FOUND.sentences
    assert (first.index, first.text) == (0, "When it rains, we stay in.")
    assert [edu.text for edu in first.edus] == ["When it rains,", "we stay in."]
    assert str(second) == FOUND.text[second.start : second.end] == "Bo reads his book."


def test_edus_have_offsets_and_sentence() -> None:
    edus = FOUND.edus
    assert [edu.sentence for edu in edus] == [0, 0, 1]
    assert [edu.has_subject for edu in edus] == [True, False, True]
    assert all(FOUND.text[edu.start : edu.end] == str(edu) for edu in edus)
    assert edus[2].index == 2


def test_clusters_show_their_mentions() -> None:
    ((name, pronoun),) = FOUND.clusters
    assert (str(name), pronoun.text) == ("Bo", "his")
    assert FOUND.text[pronoun.start : pronoun.end] == "his"


def test_a_node_has_relation_children_and_text() -> None:
    root = FOUND.tree
    assert (root.relation, root.nuclearity, root.edus) == ("joint", "NN", (0, 1, 2))
    assert root.text == FOUND.text
    assert root.left is not None
    assert (root.left.relation, root.left.nuclearity) == ("context", "SN")
    assert root.left.text == "When it rains, we stay in."
    assert not root.is_leaf
    assert root.edu is None


def test_a_leaf_has_an_edu_and_nothing_below() -> None:
    leaf = FOUND.tree.right
    assert leaf is not None
    assert leaf.is_leaf
    assert (leaf.edu, leaf.text) == (2, "Bo reads his book.")
    assert (leaf.relation, leaf.nuclearity, leaf.left, leaf.right, leaf.children) == (
        None,
        None,
        None,
        None,
        (),
    )


def test_a_tree_is_walked_in_reading_order() -> None:
    assert [node.relation or node.edu for node in FOUND.tree] == ["joint", "context", 0, 1, 2]


def test_a_part_of_a_tree_is_drawn() -> None:
    assert FOUND.tree.left is not None
    assert str(FOUND.tree.left) == "context 0–1\n├╌S 0 When it rains,\n└─N 1 we stay in."
    assert str(FOUND) == str(FOUND.tree)


def test_repr_is_short() -> None:
    assert repr(FOUND.tree) == "<joint NN, EDUs 0 to 2>"
    assert repr(FOUND.tree.right) == "<EDU 2: 'Bo reads his book.'>"
    assert repr(FOUND) == "<Analysis of 'doc': 2 sentences, 3 EDUs, 1 coreference clusters>"


def test_a_cluster_is_its_mentions_and_has_the_text_of_the_longest() -> None:
    cluster = ClusterView((MentionView(0, 2, "He"), MentionView(5, 11, "Al Ray")))
    assert cluster.mentions == tuple(cluster)
    assert [mention.text for mention in cluster] == ["He", "Al Ray"]
    assert cluster.text == "Al Ray"
