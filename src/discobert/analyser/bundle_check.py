"""What an analyser's files must hold: names, shapes and ranges, compared as it is loaded."""

from collections.abc import Callable, Mapping
from typing import Any

from discobert.analyser.cuts.head import SECTION, WEIGHTS
from discobert.analyser.neural import WORD_OUTPUTS
from discobert.analyser.parser_rows import N_ROLES
from discobert.analyser.syntax import FARTHEST, PARTS_OF_SPEECH, RELATIONS
from discobert.discourse.mentions import N_DISTANCES, N_KINDS, N_MATCHES
from discobert.discourse.transitions import FEATURE_VALUES, N_FEATURES
from discobert.errors import BundleError
from discobert.runtime.graph_check import Expected
from discobert.runtime.pieces import check_tokenizer
from discobert.runtime.settings import BundleSettings
from discobert.runtime.shapes import Sizes
from discobert.runtime.tensors import Content, Stored, read_finite

Read = Callable[[str], Content]

MOST_PIECES, MOST_OVERLAP, MOST_BEAM = 4096, 64, 64
_MOST_LOGIT = 100.0
HEADS = "heads.safetensors"

_UPPER = {"trunk": "1 ? hidden", "shapes": "1 ?", "places": "1 ?"}
GRAPHS: Mapping[str, Expected] = {
    "trunk.onnx": Expected({"ids": "1 ?"}, {"vectors": "1 ? hidden"}),
    "branch.onnx": Expected(_UPPER, {"vectors": "1 ? hidden"}),
    "words.onnx": Expected(
        {"words": "? hidden"},
        dict(
            zip(
                WORD_OUTPUTS,
                ("? 2", "? mention", "? mention", "?", "?", "? link", "? link"),
                strict=True,
            )
        ),
    ),
    "edus.onnx": Expected({"pooled": "? 3*hidden"}, {"vectors": "? edu"}),
}
_LINKS: Mapping[str, str] = {
    "mentions.lengths.weight": "32 1",
    "links.later.weight": "2*link 2*link",
    "links.later.bias": "2*link",
    "links.kinds.weight": f"{N_KINDS * N_KINDS} 1",
    "links.distances.weight": f"{N_DISTANCES * N_KINDS} 1",
    "links.matches.weight": f"{N_MATCHES * N_KINDS} 1",
}
_SYNTAX: Mapping[str, str] = {
    "syntax.dist": str(2 * FARTHEST + 1),
    "syntax.inp.weight": "syntax hidden",
    "syntax.inp.bias": "syntax",
    "syntax.mix.weight": "syntax 3*syntax",
    "syntax.mix.bias": "syntax",
    "syntax.q.weight": "arc syntax",
    "syntax.q.bias": "arc",
    "syntax.k.weight": "arc syntax",
    "syntax.k.bias": "arc",
    "syntax.kb.weight": "1 syntax",
    "syntax.kb.bias": "1",
    "syntax.root.weight": "1 syntax",
    "syntax.root.bias": "1",
    "syntax.upos.weight": f"{len(PARTS_OF_SPEECH)} syntax",
    "syntax.upos.bias": str(len(PARTS_OF_SPEECH)),
    "syntax.rel.weight": f"{len(RELATIONS)} 2*syntax",
    "syntax.rel.bias": str(len(RELATIONS)),
}
_CUT_NETWORK: Mapping[str, str] = {
    "words.weight": "8 hidden view",
    "edus.weight": "4 edu view",
    "means.weight": "2 hidden view",
    "views.bias": "14 view",
    "views.weight": "first 14*view",
    "scalars.weight": "first scalars",
    "scalars.bias": "first",
    "second.weight": "second first",
    "second.bias": "second",
    "out.weight": "4 second",
    "out.bias": "4",
    "skip.weight": "4 scalars",
}


def check_analyser(read: Read, settings: Mapping[str, Any]) -> Sizes:
    """Compare settings, graphs and weights of a bundle's analyser; return the sizes found."""
    given = BundleSettings(settings)
    given.integer("max_pieces", 1, MOST_PIECES)
    given.integer("overlap", 0, MOST_OVERLAP)
    given.integer("beam", 1, MOST_BEAM)
    for threshold in ("boundary_threshold", "subject_threshold", "link_threshold"):
        given.number(threshold, -_MOST_LOGIT, _MOST_LOGIT, 0.0)
    relations = given.texts("relations", 200)
    check_tokenizer(read("tokenizer.json"))
    sizes = Sizes()
    for file, expected in GRAPHS.items():
        expected.check(file, read(file), sizes)
    _check_heads(read_finite(HEADS, read(HEADS)), len(relations), sizes)
    if SECTION in settings:
        _check_cuts(read_finite(WEIGHTS, read(WEIGHTS)), given.part(SECTION), sizes)
    return sizes


def _check_heads(tensors: Mapping[str, Stored], n_relations: int, sizes: Sizes) -> None:
    is_lone = "states.inner.bias" in tensors and tensors["states.inner.bias"].ndim == 1
    states = _state_shapes(n_relations, "" if is_lone else "parsers ")
    shapes = {name: values.shape for name, values in tensors.items()}
    sizes.check_all(HEADS, shapes, {**_LINKS, **states})
    n_parsers = sizes.known.get("parsers", 1)
    if n_parsers * sizes.known["role"] != sizes.known["edu"]:
        raise BundleError(f"{HEADS}: the parser's weights do not fit the vectors of edus.onnx")


def _state_shapes(n_relations: int, axis: str) -> dict[str, str]:
    """Return the shapes of the parser's weights, with a further axis for several parsers."""
    shapes = {
        "roles.weight": f"{N_ROLES}*state role",
        "features.weight": f"{N_FEATURES * FEATURE_VALUES} state",
        "inner.weight": "inner state",
        "inner.bias": "inner",
        "actions.weight": "2 inner",
        "actions.bias": "2",
        "nuclearities.weight": "3 inner",
        "nuclearities.bias": "3",
        "relations.weight": f"{3 * n_relations} inner",
        "relations.bias": f"{3 * n_relations}",
    }
    return {f"states.{name}": f"{axis}{shape}" for name, shape in shapes.items()}


def _check_cuts(tensors: Mapping[str, Stored], given: BundleSettings, sizes: Sizes) -> None:
    n_networks = given.integer("networks", 1, 16)
    given.numbers("calibration", 2, -_MOST_LOGIT, _MOST_LOGIT)
    sizes.known["scalars"] = len(given.texts("features", 2000))
    networks = {
        f"{number}.{name}": shape
        for number in range(n_networks)
        for name, shape in _CUT_NETWORK.items()
    }
    shapes = {name: values.shape for name, values in tensors.items()}
    expected = {"mean": "scalars", "deviation": "scalars", **_SYNTAX, **networks}
    sizes.check_all(WEIGHTS, shapes, expected)
    if not (tensors["deviation"] > 0).all():
        raise BundleError(f"{WEIGHTS}: deviation must be above 0 for every feature")
