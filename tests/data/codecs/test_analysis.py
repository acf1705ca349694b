"""Values survive JSON, and broken JSON is refused by name."""

import copy
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.builders import analysis, chain, tree
from tests.strategies import analyses, trees

from discobert.data.codecs.analysis import (
    decode_analysis,
    decode_tree,
    encode_analysis,
    encode_tree,
)
from discobert.data.codecs.json_text import Json, JsonObject, dumps, loads
from discobert.data.cuts import Cut
from discobert.data.rst import RstTree
from discobert.data.summary import Analysis
from discobert.errors import FormatError

RAIN = analysis("[Ann stayed,] [~as it rained.] || [She read.]", None, ("Ann", "She"))


@given(analyses())
def test_analysis_survives(drawn: Analysis) -> None:
    assert decode_analysis(loads(dumps(encode_analysis(drawn)))) == drawn


@given(st.integers(1, 9).flatmap(trees))
def test_tree_survives(drawn: RstTree) -> None:
    assert decode_tree(encode_tree(drawn)) == drawn


def test_deep_trees_survive() -> None:
    deep = chain(5_000)
    assert decode_tree(loads(dumps(encode_tree(deep)))) == deep


def test_layout_of_an_analysis() -> None:
    assert encode_analysis(RAIN) == {
        "format": 1,
        "id": "doc",
        "text": "Ann stayed, as it rained.\nShe read.",
        "sentences": [[0, 25], [26, 35]],
        "paragraphs": [0, 1],
        "edus": [
            {"start": 0, "end": 11, "sentence": 0, "has_subject": True},
            {"start": 12, "end": 25, "sentence": 0, "has_subject": False},
            {"start": 26, "end": 35, "sentence": 1, "has_subject": True},
        ],
        "tree": {
            "relation": "rel",
            "nuclearity": "NS",
            "left": {"edu": 0},
            "right": {
                "relation": "rel",
                "nuclearity": "NS",
                "left": {"edu": 1},
                "right": {"edu": 2},
            },
        },
        "clusters": [[[0, 3], [26, 29]]],
    }


def test_what_can_be_computed_or_assumed_may_be_absent() -> None:
    short = encode_analysis(analysis("[It rained.]"))
    del short["paragraphs"], short["clusters"]
    short["edus"] = [{"start": 0, "end": 10, "sentence": 0}]
    short["unknown"] = "ignored"
    assert decode_analysis(short) == analysis("[It rained.]")


def test_cuts_are_a_member_only_if_there_are_some() -> None:
    judged = replace(RAIN, cuts=(Cut((1,), 0.75),))
    encoded = encode_analysis(judged)
    assert encoded["cuts"] == [{"edus": [1], "harmless": 0.75}]
    assert decode_analysis(encoded) == judged
    assert "cuts" not in encode_analysis(RAIN)


@pytest.mark.parametrize(
    ("cut", "message"),
    [
        ({"edus": [1]}, "analysis.cuts[0] lacks the member 'harmless'"),
        ({"edus": [1], "harmless": 1.5}, "analysis.cuts[0]: the probability of a cut"),
        ({"edus": [], "harmless": 0.5}, "analysis.cuts[0]: the EDUs of a cut"),
        ({"edus": [1, 2], "harmless": 0.5}, "the cut [1, 2] is not in one sentence"),
        ({"edus": [3], "harmless": 0.5}, "a cut of [3] among 3 EDUs"),
    ],
)
def test_broken_cut_is_refused_by_name(cut: Json, message: str) -> None:
    with pytest.raises(FormatError) as error:
        decode_analysis({**encode_analysis(RAIN), "cuts": [cut]})
    assert message in str(error.value)


def changed(value: JsonObject, path: str, new: Json) -> JsonObject:
    """Copy a JSON object with the member at a dotted path replaced."""
    result = copy.deepcopy(value)
    place: Json = result
    *parents, last = [int(key) if key.isdigit() else key for key in path.split(".")]
    for key in parents:
        place = place[key]  # type: ignore[index]
    place[last] = new  # type: ignore[index]
    return result


@pytest.mark.parametrize(
    ("path", "new", "message"),
    [
        ("format", 2, "analysis.format is 2; this discobert reads 1 only"),
        ("format", "1", "analysis.format must be a whole number, got '1'"),
        ("format", True, "analysis.format must be a whole number, got true"),
        ("id", None, "analysis.id must be a string, got null"),
        ("text", 3.5, "analysis.text must be a string, got 3.5"),
        ("text", "other", "analysis: doc: sentences overlap, are out of order or leave the text"),
        ("sentences", {}, "analysis.sentences must be an array, got an object of 0"),
        ("sentences.1", [26], "analysis.sentences[1] must be two whole numbers, got an array of 1"),
        ("sentences.1.0", 0.5, "analysis.sentences[1][0] must be a whole number, got 0.5"),
        ("sentences.0", [5, 5], "analysis.sentences[0]: a span needs 0 <= start < end"),
        ("paragraphs", [1], "paragraphs must start at sentence 0"),
        ("edus.1", {"start": 12, "end": 25}, "analysis.edus[1] lacks the member 'sentence'"),
        ("edus.1.start", 25, "analysis.edus[1]: a span needs"),
        ("edus.1.has_subject", 1, "analysis.edus[1].has_subject must be true or false, got 1"),
        ("edus.1.start", 14, "characters [11, 14) belong to no unit: 'as'"),
        ("clusters.0", [], "analysis.clusters[0]: a cluster needs at least one mention"),
        ("clusters.0", [[26, 29], [0, 3]], "in reading order"),
        ("clusters.0.0", [0, 99], "ends after the text"),
        ("tree", {"edu": 0}, "EDU 1 is missing"),
        ("tree", [], "tree must be an object, got an array of 0"),
        ("tree.right.left", {"edu": "1"}, "tree.right.left.edu must be a whole number"),
        ("tree.right.left", {}, "tree.right.left lacks the member 'right'"),
        ("tree.nuclearity", "SS", "tree.nuclearity: unknown nuclearity 'SS': use one of NS"),
        ("tree.relation", 4, "tree.relation must be a string"),
        ("tree.relation", ["x" * 99], "tree.relation must be a string, got an array of 1"),
        ("id", 10**90, "got 1000"),
    ],
)
def test_broken_analysis_is_refused_by_name(path: str, new: Json, message: str) -> None:
    with pytest.raises(FormatError) as error:
        decode_analysis(changed(encode_analysis(RAIN), path, new))
    assert message in str(error.value)
    assert len(str(error.value)) < 160


@pytest.mark.parametrize("value", [None, [], {}, "x", {"id": "a"}])
def test_other_json_is_refused(value: Json) -> None:
    with pytest.raises(FormatError, match=r"must be an object|lacks the member 'format'"):
        decode_analysis(value)


def test_path_of_a_fault_deep_down_stays_short() -> None:
    encoded = encode_tree(chain(5_000))
    node = encoded
    for _ in range(4_000):
        right = node["right"]
        assert isinstance(right, dict)
        node = right
    node["nuclearity"] = "X"
    with pytest.raises(FormatError, match=r"^\.\.\.[a-z.]*right\.nuclearity: unknown") as error:
        decode_tree(encoded)
    assert len(str(error.value)) < 160


def test_two_trees_of_one_shape_differ_by_relation() -> None:
    assert encode_tree(tree("NS", 0, 1, "a")) != encode_tree(tree("NS", 0, 1, "b"))
