"""The node postprocessor in LlamaIndex."""

import asyncio
import warnings

import pytest

pytest.importorskip("llama_index.core")

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # of the library, as it is imported
    from llama_index.core.schema import ImageNode, MetadataMode, NodeWithScore, TextNode

from tests.integrations.test_compression import ABOUT_HERRING, FLOOD, TRIAL

from discobert.integrations.llamaindex import DiscobertPostprocessor


def nodes() -> list[NodeWithScore]:
    return [
        NodeWithScore(node=TextNode(text=FLOOD, id_="1", metadata={"source": "a"}), score=0.5),
        NodeWithScore(node=ImageNode(image_path="a.png", id_="2"), score=0.4),
        NodeWithScore(node=TextNode(text=TRIAL, id_="3"), score=None),
    ]


def test_nodes_are_shortened_around_the_query() -> None:
    made = DiscobertPostprocessor(model="rules", sentences=2).postprocess_nodes(
        nodes(), query_str="Who sold herring?"
    )
    assert [(each.node.node_id, each.score) for each in made] == [
        ("1", 0.5),
        ("2", 0.4),
        ("3", None),
    ]
    assert made[0].node.get_content() == ABOUT_HERRING
    assert made[1].node.get_content() == ""
    assert TRIAL.startswith(made[2].node.get_content())


def test_models_read_no_offsets_but_programs_do() -> None:
    node = DiscobertPostprocessor(model="rules", sentences=1).postprocess_nodes(nodes())[0].node
    assert node.get_content(MetadataMode.LLM) == "source: a\n\nThe river rose after days of rain."
    assert node.metadata["discobert"] == {"spans": [[0, 34]]}


def test_nodes_of_the_index_are_not_changed() -> None:
    given = nodes()
    DiscobertPostprocessor(model="rules").postprocess_nodes(given, query_str="flour")
    assert [each.node.get_content() for each in given] == [FLOOD, "", TRIAL]
    assert given[0].node.metadata == {"source": "a"}


def test_asynchronous_call_gives_the_same() -> None:
    processor = DiscobertPostprocessor(model="rules", ratio=0.4)
    made = asyncio.run(processor.apostprocess_nodes(nodes(), query_str="flour"))
    expected = processor.postprocess_nodes(nodes(), query_str="flour")
    assert [each.node.get_content() for each in made] == [
        each.node.get_content() for each in expected
    ]


def test_settings_survive_being_written_and_read() -> None:
    processor = DiscobertPostprocessor(model="rules", seconds=3, sentences=1)
    again = DiscobertPostprocessor.from_dict(processor.to_dict())
    assert (again.model, again.seconds, again.options) == ("rules", 3, {"sentences": 1})
    assert DiscobertPostprocessor.class_name() == "DiscobertPostprocessor"
