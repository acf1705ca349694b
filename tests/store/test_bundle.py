"""Model bundles."""

import shutil
import subprocess
from pathlib import Path

import pytest

from discobert.data.codecs.json_text import JsonObject
from discobert.data.summary import ModelId
from discobert.errors import BundleError, UsageError
from discobert.store import bundle as bundle_module
from discobert.store.bundle import Bundle, find_bundle, open_bundle, write_bundle

FILES = {
    "tokenizer.json": b"{}",
    "MODEL_CARD.md": b"# Tiny\n",
    "scorer.onnx": b"\0weights",
}


SETTINGS: JsonObject = {"length": {"words": 60}}


@pytest.fixture
def tiny(tmp_path: Path) -> Bundle:
    model = ModelId("tiny", "1.0")
    return write_bundle(tmp_path / "tiny", model=model, settings=SETTINGS, files=FILES)


def test_written_bundle_opens_with_all_it_was_given(tiny: Bundle) -> None:
    opened = open_bundle(tiny.path)
    opened.verify()
    assert opened.model == ModelId("tiny", "1.0")
    assert opened.settings == SETTINGS
    assert opened.read("scorer.onnx") == b"\0weights"


@pytest.mark.skipif(shutil.which("sha256sum") is None, reason="sha256sum is not installed")
def test_checksums_can_be_checked_without_discobert(tiny: Bundle) -> None:
    subprocess.run(["sha256sum", "--check", "--strict", "SHA256SUMS"], cwd=tiny.path, check=True)


def test_damaged_weights_are_refused_when_read(tiny: Bundle) -> None:
    (tiny.path / "scorer.onnx").write_bytes(b"\0weightz")
    opened = open_bundle(tiny.path)
    with pytest.raises(BundleError, match=r"scorer\.onnx: damaged"):
        opened.read("scorer.onnx")
    with pytest.raises(BundleError, match="damaged"):
        opened.verify()


@pytest.mark.parametrize("name", ["config.json", "tokenizer.json", "MODEL_CARD.md", "scorer.onnx"])
def test_missing_file_is_named(tiny: Bundle, name: str) -> None:
    (tiny.path / name).unlink()
    with pytest.raises(BundleError, match=f"{name} is missing"):
        open_bundle(tiny.path)


def test_list_without_a_needed_file_is_refused(tiny: Bundle) -> None:
    sums = tiny.path / "SHA256SUMS"
    lines = sums.read_text().splitlines(keepends=True)
    sums.write_text("".join(line for line in lines if "tokenizer" not in line))
    with pytest.raises(BundleError, match=r"tokenizer\.json is missing"):
        open_bundle(tiny.path)


def test_missing_list_and_missing_folder_are_told_apart(tiny: Bundle) -> None:
    (tiny.path / "SHA256SUMS").unlink()
    with pytest.raises(BundleError, match="SHA256SUMS: cannot be read: No such file"):
        open_bundle(tiny.path)
    with pytest.raises(BundleError, match="no such model folder"):
        open_bundle(tiny.path / "nowhere")


@pytest.mark.parametrize("line", ["nonsense", f"{'0' * 64}  ../up.json", f"{'0' * 64}  a.pickle"])
def test_list_names_plain_files_of_known_kinds_only(tiny: Bundle, line: str) -> None:
    with (tiny.path / "SHA256SUMS").open("a") as sums:
        sums.write(f"{line}\n")
    with pytest.raises(BundleError, match="line 5 is not"):
        open_bundle(tiny.path)


def test_file_outside_the_list_is_refused(tiny: Bundle) -> None:
    (tiny.path / "extra.onnx").write_bytes(b"x")
    with pytest.raises(BundleError, match=r"lists no file extra\.onnx"):
        tiny.read("extra.onnx")


@pytest.mark.parametrize(
    ("config", "message"),
    [
        ('{"format": 2}', "bundle of format 2, this discobert reads format 1"),
        ('{"format": 1, "name": "x"}', "lacks the member 'version'"),
        ("[]", "must be an object"),
        ("{", "not valid JSON"),
    ],
)
def test_wrong_settings_are_refused(
    tiny: Bundle, monkeypatch: pytest.MonkeyPatch, config: str, message: str
) -> None:
    monkeypatch.setattr(Bundle, "read", lambda *_: config.encode())
    with pytest.raises(BundleError, match=message):
        open_bundle(tiny.path)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"weights.pickle": b""}, "cannot be part"),
        ({"a/b.onnx": b""}, "cannot be part"),
    ],
)
def test_only_plain_files_of_known_kinds_are_written(
    tmp_path: Path, change: dict[str, bytes], message: str
) -> None:
    with pytest.raises(UsageError, match=message):
        write_bundle(tmp_path / "x", model=ModelId("x", "1"), settings={}, files=FILES | change)
    assert not list(tmp_path.iterdir())


def test_bundle_needs_a_model_card(tmp_path: Path) -> None:
    files = {"tokenizer.json": b"{}"}
    with pytest.raises(UsageError, match=r"needs MODEL_CARD\.md"):
        write_bundle(tmp_path / "x", model=ModelId("x", "1"), settings={}, files=files)


def test_existing_folder_is_not_overwritten(tiny: Bundle) -> None:
    with pytest.raises(UsageError, match="exists already"):
        write_bundle(tiny.path, model=tiny.model, settings={}, files=FILES)


def test_failed_write_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full_disk(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full_disk)
    with pytest.raises(OSError, match="No space left"):
        write_bundle(tmp_path / "x", model=ModelId("x", "1"), settings={}, files=FILES)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("path", sorted(bundle_module.SHIPPED.glob("*/config.json")))
def test_shipped_bundle_is_whole(path: Path) -> None:
    open_bundle(path.parent).verify()


def test_bundle_is_found_by_name_or_path(
    tiny: Bundle, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bundle_module, "SHIPPED", tmp_path)
    assert find_bundle("tiny") == tiny.path
    assert find_bundle(tmp_path) == tmp_path
    with pytest.raises(BundleError, match="no such model or folder; shipped models: tiny"):
        find_bundle("huge")


def test_error_says_when_no_model_ships(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bundle_module, "SHIPPED", tmp_path)
    with pytest.raises(BundleError, match="no model ships yet"):
        find_bundle("en")
