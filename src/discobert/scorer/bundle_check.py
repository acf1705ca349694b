"""What a summariser's files must hold: names, shapes and ranges, compared when it is loaded."""

from collections.abc import Callable, Mapping
from typing import Any

from discobert.discourse.dependencies import VARIANTS
from discobert.errors import BundleError
from discobert.runtime.graph_check import Expected
from discobert.runtime.pieces import check_tokenizer
from discobert.runtime.settings import BundleSettings
from discobert.runtime.shapes import Sizes
from discobert.runtime.tensors import Content, Stored, read_finite
from discobert.scorer.features import (
    N_FEATURES,
    N_PLACES,
    N_SENTENCE_SCORES,
    N_SIMILARITIES,
    RstEdges,
    UnitSpan,
)
from discobert.scorer.genre_features import N_GENRE_FEATURES
from discobert.scorer.genre_network import N_OUTPUTS
from discobert.scorer.load import (
    BRANCH,
    CONTEXT,
    ENCODER,
    GENRE_SECTION,
    GENRE_WEIGHTS,
    SECTION,
    SENTENCE_SECTION,
    SENTENCE_WEIGHTS,
    TOKENIZER,
    WEIGHTS,
)
from discobert.scorer.sentence_features import N_DERIVED, N_NEVER_INPUTS, N_SURFACE
from discobert.scorer.sentence_network import N_HEADS, REACH

Read = Callable[[str], Content]

_MOST_PIECES, _MOST_OVERLAP = 4096, 64
_LEAST_WINDOW, _MOST_WINDOW = 65, 4096
"""Units of a window; neighbours overlap by 32 on either side."""
_SHARED = Expected(
    {"trunk": "1 ? hidden", "shapes": "1 ?", "places": "1 ?"}, {"output": "1 ? piece"}
)
_OWN = Expected({"ids": "1 ?", "segments": "1 ?"}, {"output": "1 ? piece"}, frozenset({"segments"}))
_CONTEXT = Expected(
    {
        "vectors": "1 ? piece",
        "places": "1 ? 2",
        "features": "1 ? features",
    },
    {"output": "1 ? unit"},
    frozenset({"places", "features"}),
)
_HEAD: Mapping[str, str] = {
    "spans.inner.weight": "span piece",
    "spans.inner.bias": "span",
    "spans.score.weight": "1 span",
    "spans.score.bias": "1",
    "head.weight": "1 unit",
    "head.bias": "1",
}
_RANKER: Mapping[str, str] = {
    "ranker.candidate.weight": "rank unit",
    "ranker.candidate.bias": "rank",
    "ranker.document.weight": "rank unit",
    "ranker.document.bias": "rank",
    "ranker.facts.weight": "rank 4",
    "ranker.facts.bias": "rank",
    "ranker.inner.weight": "ranker 2*rank",
    "ranker.inner.bias": "ranker",
    "ranker.score.weight": "1 ranker",
    "ranker.score.bias": "1",
}
_FUSE: Mapping[str, str] = {"graph.fuse.weight": "unit 2*unit", "graph.fuse.bias": "unit"}
_N_EXTRA = N_SURFACE + N_DERIVED
_SENTENCES: Mapping[str, str] = {
    "surface.mean": str(N_NEVER_INPUTS),
    "surface.scale": str(N_NEVER_INPUTS),
    "surface.inner.weight": f"never {N_NEVER_INPUTS}",
    "surface.inner.bias": "never",
    "surface.out.weight": "1 never",
    "surface.out.bias": "1",
    "mean": "extra",
    "scale": "extra",
    "extra.weight": "sentence extra",
    "project.weight": "sentence piece",
    "project.bias": "sentence",
    "features.weight": f"sentence {N_FEATURES + N_SIMILARITIES}",
    "features.bias": "sentence",
    "sentences.weight": f"{N_PLACES} sentence",
    "norm.weight": "sentence",
    "norm.bias": "sentence",
    "out.weight": "2 sentence",
    "out.bias": "2",
    "skip.weight": f"2 {_N_EXTRA}",
    "skip.bias": "2",
    "editors.mean": "editors",
    "editors.scale": "editors",
    "editors.inner.weight": "editor editors",
    "editors.inner.bias": "editor",
    "editors.out.weight": "2 editor",
    "editors.out.bias": "2",
    "editors.skip.weight": "2 editors",
    "editors.skip.bias": "2",
}
_GENRES: Mapping[str, str] = {
    "news.mean": "piece",
    "news.scale": "piece",
    "news.weight": "1 piece",
    "news.bias": "1",
    "heads.mean": "genres",
    "heads.scale": "genres",
    "heads.inner.weight": "genre genres",
    "heads.inner.bias": "genre",
    "heads.out.weight": f"{N_OUTPUTS} genre",
    "heads.out.bias": str(N_OUTPUTS),
    "heads.skip.weight": f"{N_OUTPUTS} genres",
    "heads.skip.bias": str(N_OUTPUTS),
}
_SENTENCE_LAYER: Mapping[str, str] = {
    "query_key_value.weight": "3*sentence sentence",
    "query_key_value.bias": "3*sentence",
    "attended.weight": "sentence sentence",
    "attended.bias": "sentence",
    "attended_norm.weight": "sentence",
    "attended_norm.bias": "sentence",
    "widen.weight": "wide sentence",
    "widen.bias": "wide",
    "narrow.weight": "sentence wide",
    "narrow.bias": "sentence",
    "output_norm.weight": "sentence",
    "output_norm.bias": "sentence",
    "bias": f"{N_HEADS} {2 * REACH + 1}",
}
_GRAPH_LAYER: Mapping[str, str] = {
    "widen.weight": "{0}_wide unit",
    "widen.bias": "{0}_wide",
    "narrow.weight": "unit {0}_wide",
    "narrow.bias": "unit",
    "inner_norm.weight": "unit",
    "inner_norm.bias": "unit",
    "output_norm.weight": "unit",
    "output_norm.bias": "unit",
}
_GRAPHS_OF: Mapping[str, tuple[str, ...]] = {
    "sentence": (),
    "edu": (),
    "edu+coref": ("coref",),
    "edu+rst": ("rst",),
    "edu+both": ("coref", "rst"),
}


def check_scorer(read: Read, settings: Mapping[str, Any], sizes: Sizes) -> None:
    """Compare settings, graphs and weights of a summariser; ``sizes`` are the analyser's."""
    given = BundleSettings(settings).part(SECTION)
    _check_settings(given)
    if given.choice("encoder", ("shared", "bert")) == "shared":
        _SHARED.check(BRANCH, read(BRANCH), sizes)
    else:
        check_tokenizer(read(TOKENIZER))
        _OWN.check(ENCODER, read(ENCODER), sizes)
    n_scores = N_SENTENCE_SCORES if given.values.get("sentence_scores") is True else 0
    sizes.known["features"] = N_FEATURES + N_SIMILARITIES + n_scores
    if given.flag("context"):
        _CONTEXT.check(CONTEXT, read(CONTEXT), sizes)
    else:
        sizes.known["unit"] = sizes.known["piece"]
    tensors = _shapes(read_finite(WEIGHTS, read(WEIGHTS)))
    sizes.check_all(WEIGHTS, tensors, _weights(given))
    if SENTENCE_SECTION in settings:
        _check_readable(BundleSettings(settings).part(SENTENCE_SECTION))
        _check_sentences(read_finite(SENTENCE_WEIGHTS, read(SENTENCE_WEIGHTS)), sizes)
        if GENRE_SECTION in settings:
            _check_readable(BundleSettings(settings).part(GENRE_SECTION))
            _check_genres(read_finite(GENRE_WEIGHTS, read(GENRE_WEIGHTS)), sizes)


def _check_settings(given: BundleSettings) -> None:
    given.integer("max_pieces", 1, _MOST_PIECES)
    given.integer("overlap", 0, _MOST_OVERLAP)
    given.integer("context_units", _LEAST_WINDOW, _MOST_WINDOW)
    given.choice("rules", tuple(VARIANTS))
    given.choice("rst_graph", tuple(member.value for member in RstEdges))
    given.choice("sentence_span", tuple(member.value for member in UnitSpan))
    decoding = given.part("decoding")
    decoding.integer("value", 1, 100_000)
    decoding.flag("blocking")


def _check_readable(given: BundleSettings) -> None:
    if "readable" in given.values:
        weights = given.part("readable")
        weights.integer("words", 1, 100_000, 80)
        weights.integer("max_jump", 0, 100_000, 8)


def _weights(given: BundleSettings) -> dict[str, str]:
    """Return the shapes of the weights that a variant needs."""
    variant = given.choice("variant", tuple(_GRAPHS_OF))
    n_layers = given.integer("graph_layers", 0, 16)
    n_ways = {
        "coref": 1,
        "rst": 1 if given.choice("directions", ("heads", "both")) == "heads" else 2,
    }
    expected = {**_HEAD, **(_RANKER if given.flag("ranker") else {})}
    for graph in _GRAPHS_OF[variant]:
        for layer in range(n_layers):
            prefix = f"graph.{graph}.layers.{layer}."
            expected |= {prefix + name: s.format(graph) for name, s in _GRAPH_LAYER.items()}
            for way in range(n_ways[graph]):
                expected[f"{prefix}neighbours.{way}.linear.weight"] = "unit unit"
                expected[f"{prefix}neighbours.{way}.linear.bias"] = "unit"
    return {**expected, **(_FUSE if len(_GRAPHS_OF[variant]) > 1 else {})}


def _check_sentences(tensors: Mapping[str, Stored], sizes: Sizes) -> None:
    n_layers = sum(name.endswith("query_key_value.bias") for name in tensors)
    layers = {
        f"layers.{layer}.{name}": shape
        for layer in range(n_layers)
        for name, shape in _SENTENCE_LAYER.items()
    }
    sizes.check_all(SENTENCE_WEIGHTS, _shapes(tensors), {**_SENTENCES, **layers})
    known = sizes.known
    fits = (
        known["extra"] == known["piece"] + _N_EXTRA
        and known["editors"] == known["sentence"] + _N_EXTRA + 2
        and known["sentence"] % N_HEADS == 0
    )
    if not fits:
        raise BundleError(f"{SENTENCE_WEIGHTS}: the widths of its layers do not fit together")


def _check_genres(tensors: Mapping[str, Stored], sizes: Sizes) -> None:
    sizes.check_all(GENRE_WEIGHTS, _shapes(tensors), _GENRES)
    known = sizes.known
    if known["genres"] != known["editors"] + N_GENRE_FEATURES + known["piece"]:
        raise BundleError(f"{GENRE_WEIGHTS}: the widths of its layers do not fit together")


def _shapes(tensors: Mapping[str, Stored]) -> dict[str, tuple[int, ...]]:
    return {name: values.shape for name, values in tensors.items()}
