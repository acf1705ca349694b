"""Analyser and summariser of one bundle as a pipeline: the trunk runs once a text."""

from collections.abc import Callable, Mapping
from typing import Any

from discobert.analyser.load import neural_analyser
from discobert.analyser.shared_encoder import SharedEncoder
from discobert.data.summary import ModelId
from discobert.pipeline import Pipeline
from discobert.runtime.tensors import Content
from discobert.scorer.load import neural_scorer


def neural_pipeline(
    read_file: Callable[[str], Content], settings: Mapping[str, Any], *, model: ModelId
) -> Pipeline:
    """Build both from the files of a bundle."""
    shared = SharedEncoder(neural_analyser(read_file, dict(settings)))
    scorer = neural_scorer(read_file, settings, model=model, read=shared.encoded)
    return Pipeline(shared, scorer)
