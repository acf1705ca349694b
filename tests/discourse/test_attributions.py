"""Who said what."""

from tests.builders import doc, tree

from discobert.discourse.attributions import attributions


def test_the_satellite_is_the_source() -> None:
    document = doc("[He said] [it rained] [and poured.]")
    rst = tree("SN", 0, tree("NN", 1, 2), "attribution")
    assert attributions(document, rst) == ((0, 1),)


def test_the_source_may_follow() -> None:
    document = doc("[It rained,] [he said.]")
    assert attributions(document, tree("NS", 0, 1, "attribution-positive")) == ((1, 0),)


def test_other_relations_and_other_sentences_do_not_count() -> None:
    document = doc("[It rained,] [he left.] | [He said so.]")
    rst = tree("NS", tree("NS", 0, 1, "context"), 2, "attribution")
    assert attributions(document, rst) == ()
