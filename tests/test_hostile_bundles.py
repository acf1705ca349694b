"""Damaged and hostile bundles whose checksums were computed anew: errors of the bundle, exit 4."""

import hashlib
import json
import shutil
import struct
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from discobert import Summarizer
from discobert.analyser.bundle_check import check_analyser
from discobert.checked_bundle import checked_bundle, try_out
from discobert.cli.app import run
from discobert.errors import BundleError, InputError
from discobert.pipeline import Pipeline
from discobert.runtime.graph_check import check_graph
from discobert.runtime.network_errors import network_errors
from discobert.runtime.onnx_file import FLOAT, GraphNode, Value, onnx_model
from discobert.runtime.shapes import Sizes
from discobert.runtime.tensors import read_finite, read_stored
from discobert.scorer.bundle_check import check_scorer
from discobert.store import bundle as bundle_module
from discobert.store.bundle import SHIPPED, open_bundle, require_recorded

SHIPPED_EN = SHIPPED / "en"
FILES = {path.name: path.read_bytes() for path in SHIPPED_EN.iterdir()}
SETTINGS: dict[str, Any] = json.loads(FILES["config.json"])["settings"]
TEXT = "The old bridge, which was unsafe, was closed on Monday. It will open in May."


def check(files: Mapping[str, bytes] = FILES, settings: Mapping[str, Any] = SETTINGS) -> None:
    sizes = check_analyser(files.__getitem__, settings)
    check_scorer(files.__getitem__, settings, sizes)


def changed(path: str, value: object) -> dict[str, Any]:
    """Return the settings with one of them changed; ``path`` is written with dots."""
    settings = json.loads(json.dumps(SETTINGS))
    *parts, last = path.split(".")
    found = settings
    for part in parts:
        found = found[part]
    found[last] = value
    return dict(settings)


def test_the_shipped_bundle_passes_and_is_the_recorded_one() -> None:
    check()
    bundle = open_bundle(SHIPPED_EN)
    assert bundle.is_recorded, "the shipped model has changed: run scripts/record-models"
    require_recorded(bundle)


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("overlap", 10**9),
        ("overlap", -1),
        ("overlap", 2.5),
        ("overlap", True),
        ("beam", 10**6),
        ("beam", 0),
        ("beam", "4"),
        ("beam", 10**400),
        ("max_pieces", 0),
        ("max_pieces", None),
        ("boundary_threshold", 1e300),
        ("link_threshold", "low"),
        ("relations", []),
        ("relations", ["a"] * 15),
        ("relations", list("abcdefghijklmn")),
        ("relations", "adversative"),
        ("summarizer", []),
        ("summarizer.max_pieces", 10**7),
        ("summarizer.overlap", 10**7),
        ("summarizer.context", "yes"),
        ("summarizer.context_units", 64),
        ("summarizer.context_units", 10**9),
        ("summarizer.graph_layers", 10**6),
        ("summarizer.graph_layers", 3),
        ("summarizer.directions", "up"),
        ("summarizer.encoder", "other"),
        ("summarizer.variant", "edu+all"),
        ("summarizer.rules", "none"),
        ("summarizer.rst_graph", "trees"),
        ("summarizer.sentence_span", "words"),
        ("summarizer.ranker", True),
        ("summarizer.decoding", None),
        ("summarizer.decoding.value", 0),
        ("summarizer.decoding.value", 10**12),
        ("summarizer.decoding.blocking", 1),
        ("cuts.networks", 10**9),
        ("cuts.networks", 3),
        ("cuts.calibration", [1.0]),
        ("cuts.calibration", [1.0, 1e9]),
        ("cuts.features", ["at_start"]),
        ("cuts.features", 3),
        ("sentences", 1),
        ("sentences.readable.words", 10**12),
        ("sentences.readable.max_jump", -1),
    ],
)
def test_settings_out_of_range_are_refused(path: str, value: object) -> None:
    name = path.rsplit(".", maxsplit=1)[-1].split("_")[0]
    with pytest.raises(BundleError, match=rf"{name}|cuts\.safetensors"):
        check(settings=changed(path, value))


@pytest.mark.parametrize("path", ["beam", "relations", "summarizer.variant", "cuts.networks"])
def test_missing_settings_are_refused(path: str) -> None:
    settings = changed(path, None)
    found: Any = settings
    for part in path.split(".")[:-1]:
        found = found[part]
    del found[path.rsplit(".", maxsplit=1)[-1]]
    with pytest.raises(BundleError, match="lacks the member"):
        check(settings=settings)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("branch.onnx", "summary_branch.onnx"),
        ("words.onnx", "edus.onnx"),
        ("trunk.onnx", "branch.onnx"),
        ("summary_branch.onnx", "summary_context.onnx"),
        ("heads.safetensors", "cuts.safetensors"),
        ("summary.safetensors", "sentences.safetensors"),
        ("trunk.onnx", "tokenizer.json"),
    ],
)
def test_swapped_files_are_noticed(one: str, other: str) -> None:
    with pytest.raises(BundleError, match=r"\.onnx|\.safetensors|tokenizer"):
        check({**FILES, one: FILES[other], other: FILES[one]})


def tensors_with(
    file: str, change: Callable[[dict[str, Any]], None], *, tail: bytes = b""
) -> dict[str, bytes]:
    """Return the files with another header in one file of weights."""
    data = FILES[file]
    size = int.from_bytes(data[:8], "little")
    header = json.loads(data[8 : 8 + size])
    change(header)
    written = json.dumps(header).encode()
    return {**FILES, file: struct.pack("<Q", len(written)) + written + data[8 + size :] + tail}


def _drop(header: dict[str, Any]) -> None:
    del header["head.bias"]


def _reshape(header: dict[str, Any]) -> None:
    header["head.weight"]["shape"] = [256, 1]


def _negative(header: dict[str, Any]) -> None:
    header["head.weight"]["shape"] = [-1, -256]


def _beyond(header: dict[str, Any]) -> None:
    header["head.weight"]["data_offsets"] = [10**9, 10**9 + 1024]


def _huge(header: dict[str, Any]) -> None:
    header["head.weight"]["shape"] = [1 << 40, 1 << 40]


def _unknown(header: dict[str, Any]) -> None:
    header["head.weight"]["dtype"] = "F8"


def _no_entry(header: dict[str, Any]) -> None:
    header["head.weight"] = 1


def _broadcast(header: dict[str, Any]) -> None:
    entry = header["graph.fuse.bias"]
    start = entry["data_offsets"][0]
    entry |= {"shape": [1], "data_offsets": [start, start + 4]}


@pytest.mark.parametrize(
    "change", [_drop, _reshape, _negative, _beyond, _huge, _unknown, _no_entry, _broadcast]
)
def test_weights_of_other_names_or_shapes_are_refused(
    change: Callable[[dict[str, Any]], None],
) -> None:
    with pytest.raises(BundleError, match=r"summary\.safetensors"):
        check(tensors_with("summary.safetensors", change))


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\xff" * 8 + b"{}",
        struct.pack("<Q", 2) + b"[]",
        struct.pack("<Q", 200_000) + b"[" * 200_000,
        struct.pack("<Q", 1) + b"{",
    ],
)
def test_what_is_no_file_of_weights_is_refused(data: bytes) -> None:
    with pytest.raises(BundleError, match="not a safetensors file"):
        read_stored(data)


def test_numbers_that_are_not_finite_are_refused() -> None:
    values = np.array([1.0, np.nan], dtype="<f4").tobytes()
    header = json.dumps({"a": {"dtype": "F32", "shape": [2], "data_offsets": [0, 8]}}).encode()
    with pytest.raises(BundleError, match=r"x\.safetensors: a holds numbers that are not finite"):
        read_finite("x.safetensors", struct.pack("<Q", len(header)) + header + values)


def graph(*nodes: GraphNode, weights: Mapping[str, Any] | None = None) -> bytes:
    return onnx_model(
        nodes or [GraphNode("Relu", ["x"], "y")],
        weights or {},
        inputs=[Value("x", ("n", 2))],
        outputs=[Value("y", ("n", 2))],
    )


@pytest.mark.parametrize("operator", ["Loop", "If", "Scan", "SequenceMap", "StringNormalizer", ""])
def test_operators_that_export_never_writes_are_refused(operator: str) -> None:
    with pytest.raises(BundleError, match=f"the operator '{operator}' is not allowed"):
        check_graph("x.onnx", graph(GraphNode(operator, ["x"], "y")))


def test_operators_of_other_domains_are_refused() -> None:
    with pytest.raises(BundleError, match=r"the operator 'evil\.Relu' is not allowed"):
        check_graph("x.onnx", graph(GraphNode("Relu", ["x"], "y", domain="evil")))


def message(field: int, data: bytes) -> bytes:
    """Write a field of less than 128 bytes."""
    key = field << 3 | 2
    return (
        (bytes([key]) if key < 128 else bytes([key & 127 | 128, key >> 7]))
        + bytes([len(data)])
        + data
    )


TENSOR = bytes([1 << 3, 2, 2 << 3, FLOAT]) + message(8, b"w")
"""Two singles by the name of w, without their data."""


@pytest.mark.parametrize(
    ("end", "reason"),
    [
        (message(7, b""), "2 graphs instead of one"),
        (message(25, b""), "the field 25"),
        (message(20, b""), "the field 20"),
        (b"\x08" + b"\xff" * 20, "more than 10 bytes"),
        (b"\x08" + b"\xff" * 2_000_000, "more than 10 bytes"),
        (b"\x3a\xff\xff\xff\x7f", "ends after its message"),
        (b"\x08", "no graph that discobert opens"),
        (b"\x0b", "no field of kind 3"),
    ],
)
def test_what_does_not_belong_into_a_model_is_refused(end: bytes, reason: str) -> None:
    with pytest.raises(BundleError, match=reason):
        check_graph("x.onnx", graph() + end)


@pytest.mark.parametrize(
    ("part", "reason"),
    [
        (message(5, TENSOR + bytes([14 << 3, 1])), "weights in another file"),
        (message(5, TENSOR + message(13, b"\x0a\x01a")), "a tensor with the field 13"),
        (message(5, TENSOR + message(9, b"1234")), r"shape \[2\] in 4 bytes"),
        (message(5, bytes([2 << 3, 8])), "weights of kind 8"),
        (message(15, b""), "a graph with the field 15"),
        (message(1, message(5, message(6, b""))), "an? attribute with the field 6"),
        (message(1, message(4, b"Relu") + message(7, b"\xff")), "no graph that discobert opens"),
    ],
)
def test_what_does_not_belong_into_a_graph_is_refused(part: bytes, reason: str) -> None:
    with pytest.raises(BundleError, match=reason):
        check_graph("x.onnx", message(7, part))


def test_a_graph_of_too_many_operations_is_refused() -> None:
    nodes = [GraphNode("Relu", ["x"], "y")] * 20_001
    with pytest.raises(BundleError, match="20,001 operations"):
        check_graph("x.onnx", graph(*nodes))


def test_constant_shapes_of_inputs_are_no_free_ones() -> None:
    sizes = Sizes()
    sizes.check("x", [None, 6], "? 3*a")
    assert sizes.known == {"a": 2}
    for found in ([5, 6], [None, 7], [None, 9], [None], [None, None], [None, 0]):
        with pytest.raises(BundleError, match="x has the shape"):
            sizes.check("x", found, "? 3*a")


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    return Path(shutil.copytree(SHIPPED_EN, tmp_path / "copy"))


def rewrite(folder: Path, files: Mapping[str, bytes]) -> None:
    """Change files of a bundle and compute its checksums anew."""
    for name, data in files.items():
        (folder / name).write_bytes(data)
    names = sorted(path.name for path in folder.iterdir() if path.name != "SHA256SUMS")
    sums = {name: hashlib.sha256((folder / name).read_bytes()).hexdigest() for name in names}
    lines = "".join(f"{checksum}  {name}\n" for name, checksum in sums.items())
    (folder / "SHA256SUMS").write_text(lines)


def test_a_hostile_bundle_ends_with_exit_code_4(
    copy: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = tmp_path / "a.txt"
    text.write_text(TEXT)
    config = json.loads(FILES["config.json"]) | {"settings": changed("overlap", 10**9)}
    rewrite(copy, {"config.json": json.dumps(config).encode()})
    assert run(["summarize", str(text), "--model", str(copy)]) == 4
    error = capsys.readouterr().err
    assert "settings: overlap must be from 0 to 64, got 1000000000" in error
    assert "a fault of ours" not in error


def test_a_shipped_folder_with_other_weights_is_refused(
    copy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rewrite(copy, {"MODEL_CARD.md": b"# Other\n"})
    assert not checked_bundle(copy).is_recorded
    monkeypatch.setattr(bundle_module, "SHIPPED", copy.parent)
    with pytest.raises(BundleError, match="not the model that discobert was released with"):
        checked_bundle(copy)


def test_a_file_that_changes_after_loading_does_not_matter(copy: Path) -> None:
    rewrite(copy, {"MODEL_CARD.md": b"# Other\n"})  # foreign, so that it is tried out
    summarizer = Summarizer.load(copy)
    before = summarizer.summarize(TEXT, words=9)
    for path in copy.iterdir():
        path.write_bytes(b"")
    assert summarizer.summarize(f"{TEXT} ", words=9).text == before.text


class _Failing:
    def analyse(self, source: object) -> object:
        raise IndexError("index 9 is out of bounds")


def test_a_bundle_that_fails_on_a_short_text_is_refused(copy: Path) -> None:
    rewrite(copy, {"MODEL_CARD.md": b"# Other\n"})
    broken = Pipeline(_Failing(), None)  # type: ignore[arg-type]
    with pytest.raises(BundleError, match="fails on a short text: IndexError: index 9"):
        try_out(open_bundle(copy), broken)
    try_out(open_bundle(SHIPPED_EN), broken)  # a shipped one was tried out by the tests


class RuntimeException(Exception):
    """Stands for an error of ONNX Runtime."""

    __module__ = "onnxruntime.capi.onnxruntime_pybind11_state"


@pytest.mark.parametrize(
    ("raised", "kind", "message"),
    [
        (MemoryError(), InputError, "a.txt: not enough memory for this text"),
        (RuntimeException("std::bad_alloc"), InputError, "not enough memory"),
        (
            RuntimeException("Failed to allocate memory for 9 bytes"),
            InputError,
            "not enough memory",
        ),
        (RuntimeException("indices out of bounds"), BundleError, "a graph of the model failed"),
        (KeyError("x"), KeyError, "x"),
    ],
)
def test_errors_of_networks_say_whose_fault_they_are(
    raised: Exception, kind: type[Exception], message: str
) -> None:
    with pytest.raises(kind, match=message), network_errors("a.txt"):
        raise raised
