"""Analyser and summariser of one bundle as a pipeline: the trunk runs once a text."""

from collections.abc import Callable, Mapping
from typing import Any

from discobert.data.summary import ModelId
from discobert.stages.load import neural_analyser
from discobert.stages.load_scorer import neural_scorer
from discobert.stages.pipeline import Pipeline
from discobert.stages.readings import SharedReader
from discobert.stages.tensors import Content


def neural_pipeline(
    read_file: Callable[[str], Content], settings: Mapping[str, Any], *, model: ModelId
) -> Pipeline:
    """Build both from the files of a bundle."""
    shared = SharedReader(neural_analyser(read_file, dict(settings)))
    scorer = neural_scorer(read_file, settings, model=model, read=shared.reading_of)
    return Pipeline(shared, scorer)
