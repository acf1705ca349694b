"""The scripts that make the shipped bundle, on ten articles and a few steps.

Not in the default tests: ``python -m pytest -m slow tests/train/test_make_bundle.py``.
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("torch")
pytest.importorskip("pyarrow")

from tests.train.bundle_data import write_configs, write_corpora
from tests.train.written_texts import NEWS

from discobert import Summarizer
from discobert.cli.app import run
from discobert.data.summary import ModelId
from discobert.store.bundle import open_bundle
from discobert.train.summarizer.corpus import open_training_corpus

ROOT = Path(__file__).parents[2]
SYSTEMS = ("lead3", "sentence", "discobert", "discobert-paper")
TUNED = {"TUNE_SKIP": "2", "TUNE_LIMIT": "6", "TUNE_DOCUMENTS": "5"}

pytestmark = [pytest.mark.slow, pytest.mark.timeout(1200)]


def make_bundle(folder: Path, *model: str, **changed: str) -> subprocess.CompletedProcess[str]:
    """Run the script over a folder of data and settings."""
    command = ["bash", str(ROOT / "scripts" / "make-bundle"), "data", "work", "bundle", *model]
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, **TUNED, "CONFIGS": "configs", "PATH": path, **changed}
    return subprocess.run(
        command, check=False, capture_output=True, text=True, cwd=folder, env=environment
    )


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a bundle from the shipped analyser and summariser."""
    folder = tmp_path_factory.mktemp("made")
    write_inputs(folder)
    done = make_bundle(folder)
    assert done.returncode == 0, done.stderr
    return folder


def write_inputs(folder: Path) -> None:
    write_corpora(folder / "data")
    write_configs(folder / "configs")


def check_bundle(bundle: Path) -> None:
    """Verify a bundle and summarise an article with it."""
    open_bundle(bundle).verify()
    sentences = [sentence for sentences in NEWS[:3] for sentence in sentences]
    summary = Summarizer.load(bundle).summarize(" ".join(sentences), words=20)
    assert summary.model == ModelId("discobert-en", "0.12.0")
    assert summary.sentences
    assert all(sentence in sentences for sentence in summary.sentences)


def check_scores(folder: Path) -> None:
    """Evaluate a bundle on the validation articles."""
    data = folder / "data" / "cnndm" / "validation.jsonl.xz"
    evaluate = ["evaluate", "--model", str(folder / "bundle"), "--data", str(data)]
    out = folder / "scores.json"
    named = ["--systems", ",".join(SYSTEMS), "--format", "json", "-o", str(out)]
    assert run([*evaluate, *named, "--quiet"]) == 0
    found = json.loads(out.read_text(encoding="utf-8"))
    assert found["documents"] == len(NEWS)
    assert set(found["systems"]) == set(SYSTEMS)
    for scores in found["systems"].values():
        assert scores["rouge1"] > 0
        assert scores["violations"] == 0


def test_the_bundle_summarises_and_has_scores(made: Path) -> None:
    check_bundle(made / "bundle")
    check_scores(made)


def test_tuning_reads_the_lines_that_were_named(made: Path) -> None:
    assert open_training_corpus(made / "work" / "tune").n_documents == 6


def times_of_change(folder: Path) -> dict[str, int]:
    return {str(path): path.stat().st_mtime_ns for path in folder.rglob("*") if path.is_file()}


def test_a_second_run_trains_nothing_and_gives_the_same_bytes(made: Path) -> None:
    bundle = made / "bundle"
    before, times = open_bundle(bundle).checksums, times_of_change(made / "work")
    assert make_bundle(made).returncode == 0  # the bundle is there
    shutil.rmtree(bundle)
    assert make_bundle(made).returncode == 0
    assert open_bundle(bundle).checksums == before
    assert times_of_change(made / "work") == times


def test_a_cut_head_that_fails_is_noticed(made: Path, tmp_path: Path) -> None:
    (tmp_path / "work").mkdir()
    for name in ("with-sentences", "with-edus", "with-genres"):
        (tmp_path / "work" / name).symlink_to(made / "work" / name)
    (tmp_path / "bundle").symlink_to(made / "bundle")
    (tmp_path / "configs").mkdir()
    failed = make_bundle(tmp_path)
    assert failed.returncode != 0
    assert "cuts.toml" in failed.stderr


def test_what_runs_beside_a_stage_ends_with_it(tmp_path: Path) -> None:
    write_inputs(tmp_path)
    (tmp_path / "data" / "cnndm" / "validation.jsonl.xz").unlink()
    failed = make_bundle(tmp_path)  # returns when nothing writes to its output any more
    assert failed.returncode != 0
    assert "validation" in failed.stderr
    assert not (tmp_path / "work" / "with-cuts").exists()


def test_one_command_goes_from_raw_data_to_a_bundle(encoder: Path, tmp_path: Path) -> None:
    write_inputs(tmp_path)
    done = make_bundle(tmp_path, "scratch", ENCODER=str(encoder))
    assert done.returncode == 0, done.stderr
    open_bundle(tmp_path / "work" / "first-bundle").verify()
    check_bundle(tmp_path / "bundle")
    check_scores(tmp_path)
    times = times_of_change(tmp_path)
    assert make_bundle(tmp_path, "scratch", ENCODER=str(encoder)).returncode == 0
    assert times_of_change(tmp_path) == times
