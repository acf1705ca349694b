"""From the files of a bundle to running stages."""

from collections.abc import Callable
from typing import Any

from discobert.analyser.coreference import LinkWeights
from discobert.analyser.neural import SUBJECT_THRESHOLD, NeuralAnalyser
from discobert.analyser.parser import BeamParser
from discobert.analyser.parser_states import StateWeights
from discobert.language.sentences import NewsSplitter
from discobert.runtime.encoder import LowerLayers, OnnxModel, UpperLayers
from discobert.runtime.pieces import read_tokenizer
from discobert.runtime.tensors import Content, read_stored


def neural_analyser(read: Callable[[str], Content], settings: dict[str, Any]) -> NeuralAnalyser:
    """Build the analyser; ``read`` gives the content of a file of the bundle."""
    tensors = read_stored(read("heads.safetensors"))
    return NeuralAnalyser(
        splitter=NewsSplitter(),
        tokenizer=read_tokenizer(read("tokenizer.json")),
        trunk=LowerLayers(OnnxModel(read("trunk.onnx"))),
        branch=UpperLayers(
            OnnxModel(read("branch.onnx")),
            max_pieces=int(settings["max_pieces"]),
            overlap=int(settings["overlap"]),
        ),
        word_graph=OnnxModel(read("words.onnx")),
        edu_graph=OnnxModel(read("edus.onnx")),
        parser=BeamParser(
            StateWeights.of(tensors),
            tuple(map(str, settings["relations"])),
            beam=int(settings["beam"]),
        ),
        links=LinkWeights.of(tensors),
        boundary_threshold=float(settings.get("boundary_threshold", 0.0)),
        subject_threshold=float(settings.get("subject_threshold", SUBJECT_THRESHOLD)),
        link_threshold=float(settings.get("link_threshold", 0.0)),
    )
