"""``discobert info``."""

import json
from pathlib import Path

import pytest

from discobert import __version__
from discobert.cli.app import run
from discobert.data.summary import ModelId
from discobert.store.bundle import write_bundle


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    files = {"tokenizer.json": b"{}", "MODEL_CARD.md": b"# Tiny model\n"}
    return write_bundle(
        tmp_path / "tiny", model=ModelId("tiny", "1.0"), settings={"beam": 4}, files=files
    ).path


def test_versions_and_the_model_without_weights_are_shown(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run(["info", "--model", "rules"]) == 0
    out = capsys.readouterr().out
    assert f"discobert  {__version__}\n" in out
    assert "model      lead-baseline (no network)" in out
    assert "bundle     none" in out


def test_bundle_is_checked_and_its_card_shown(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["info", "--model", str(folder)]) == 0
    assert "# Tiny model" not in capsys.readouterr().out
    assert run(["info", "--model", str(folder), "--card"]) == 0
    out = capsys.readouterr().out
    assert "model      tiny 1.0\n" in out
    assert "every checksum holds" in out
    assert out.endswith("# Tiny model\n")


def test_json_holds_the_same_facts(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["info", "--model", str(folder), "--format", "json"]) == 0
    facts = json.loads(capsys.readouterr().out)
    assert facts["discobert"] == __version__
    assert facts["model"] == {"name": "tiny", "version": "1.0"}
    assert facts["bundle"]["settings"] == {"beam": 4}
    assert set(facts["bundle"]["checksums"]) == {"MODEL_CARD.md", "config.json", "tokenizer.json"}
    assert facts["packages"]["numpy"]


def test_json_without_a_bundle_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["info", "--model", "rules", "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["bundle"] is None


def test_damaged_bundle_exits_with_four(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "tokenizer.json").write_bytes(b"[]")
    assert run(["info", "--model", str(folder)]) == 4
    assert "tokenizer.json: damaged" in capsys.readouterr().err
