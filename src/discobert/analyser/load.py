"""From the files of a bundle to running stages."""

from collections.abc import Callable, Mapping
from typing import Any

from discobert.analyser.coreference import LinkWeights
from discobert.analyser.cuts.head import SECTION, WEIGHTS, CutHead
from discobert.analyser.neural import SUBJECT_THRESHOLD, NeuralAnalyser
from discobert.analyser.parser import BeamParser
from discobert.analyser.parser_states import StateWeights
from discobert.data.limits import DEFAULT_LIMITS, TextLimits
from discobert.language.sentences import NewsSplitter
from discobert.runtime.encoder import LowerLayers, UpperLayers
from discobert.runtime.onnx_model import OnnxModel
from discobert.runtime.pieces import read_tokenizer
from discobert.runtime.tensors import Content, read_stored
from discobert.runtime.threads import Threads


def neural_analyser(
    read: Callable[[str], Content],
    settings: Mapping[str, Any],
    *,
    threads: int = 1,
    limits: TextLimits = DEFAULT_LIMITS,
) -> NeuralAnalyser:
    """Build the analyser; ``read`` gives the content of a file of the bundle."""
    workers = Threads(threads)
    tensors = read_stored(read("heads.safetensors"))
    tokenizer = read_tokenizer(read("tokenizer.json"))
    cut_head = None
    if SECTION in settings:
        cut_head = CutHead.of(read_stored(read(WEIGHTS)), settings[SECTION], tokenizer)
    return NeuralAnalyser(
        splitter=NewsSplitter(),
        tokenizer=tokenizer,
        lower=LowerLayers(OnnxModel(read("trunk.onnx"), keeps_memory=True), workers),
        upper=UpperLayers(
            OnnxModel(read("branch.onnx"), keeps_memory=True),
            max_pieces=int(settings["max_pieces"]),
            overlap=int(settings["overlap"]),
            threads=workers,
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
        limits=limits,
        cut_head=cut_head,
    )
