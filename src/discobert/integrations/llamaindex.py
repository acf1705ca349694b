"""A node postprocessor for LlamaIndex: retrieved nodes, shortened around the query.

from discobert.integrations.llamaindex import DiscobertPostprocessor

engine = index.as_query_engine(node_postprocessors=[DiscobertPostprocessor(ratio=0.4)])
"""

from typing import Any

from discobert.errors import MissingExtra
from discobert.integrations.compression import MAX_CHARS, METADATA, SECONDS, Compressed, Compressor

try:
    from llama_index.core.bridge.pydantic import Field, PrivateAttr
    from llama_index.core.postprocessor.types import BaseNodePostprocessor
    from llama_index.core.schema import BaseNode, MetadataMode, NodeWithScore, QueryBundle
except ImportError as error:
    raise MissingExtra("llama-index-core", "llamaindex") from error


class DiscobertPostprocessor(BaseNodePostprocessor):
    """Keeps the clauses of each node that matter, verbatim, above all those about the query.

    Number, order and scores of nodes stay, none becomes longer, and one that cannot be shortened
    in time is returned as it was. ``metadata["discobert"]["spans"]`` says what was kept.
    """

    model: str | None = None
    """Name of a shipped model or the folder of a bundle."""
    seconds: float = SECONDS
    """For one call, however many nodes it has."""
    max_chars: int = MAX_CHARS
    """Longer nodes are returned as they are."""
    options: dict[str, Any] = Field(default_factory=dict)
    """Options of ``Summarizer.summarize``; without a length, half of the words are kept."""
    _compressor: Compressor = PrivateAttr()

    def __init__(
        self,
        *,
        model: str | None = None,
        seconds: float = SECONDS,
        max_chars: int = MAX_CHARS,
        **options: Any,  # noqa: ANN401 - those of SummaryOptions, checked below
    ) -> None:
        given = options.pop("options", options)  # as the library writes and reads them
        members: dict[str, Any] = {
            "model": model,
            "seconds": seconds,
            "max_chars": max_chars,
            "options": given,
        }
        super().__init__(**members)
        self._compressor = Compressor(given, model=model, seconds=seconds, max_chars=max_chars)

    @classmethod
    def class_name(cls) -> str:
        """Return the name under which pipelines are saved."""
        return "DiscobertPostprocessor"

    def _postprocess_nodes(
        self, nodes: list[NodeWithScore], query_bundle: QueryBundle | None = None
    ) -> list[NodeWithScore]:
        """Shorten nodes; the ones given are not changed, as an index may hold them."""
        query = None if query_bundle is None else query_bundle.query_str
        texts = [each.node.get_content(MetadataMode.NONE) for each in nodes]
        made = self._compressor.compress(texts, query)
        return [
            each
            if shorter.spans is None
            else NodeWithScore(node=_with_text(each.node, shorter), score=each.score)
            for each, shorter in zip(nodes, made, strict=True)
        ]


def _with_text(node: BaseNode, shorter: Compressed) -> BaseNode:
    """Return a copy with another text; what we add to the metadata is not shown to models."""
    copy = node.model_copy(
        update={
            "metadata": {**node.metadata, **shorter.metadata},
            "excluded_llm_metadata_keys": [*node.excluded_llm_metadata_keys, METADATA],
            "excluded_embed_metadata_keys": [*node.excluded_embed_metadata_keys, METADATA],
        }
    )
    copy.set_content(shorter.text)
    return copy
