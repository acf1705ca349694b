"""The New York Times from its archive to a model and its scores, on files of its format."""

import io
import json
import tarfile
from pathlib import Path

import pytest

pytest.importorskip("torch")
pytest.importorskip("pyarrow")

from discobert.cli.app import run
from discobert.store.bundle import Bundle

SENTENCES = (
    "The cat sat on the mat, because it was late.",
    "He said that the dog ran.",
    "She left and the dog sat.",
    "The dog that ran was late.",
)
SETTINGS = """
context_layers = 1
context_heads = 2
context_feed_forward = 32
epochs = 1
units_per_step = 40
warmup_steps = 2
validate_every = 2
validate_documents = 2
tune_documents = 2
"""
TRAIN, DEV, TEST = range(1, 9), range(9, 12), range(12, 15)


def nitf(number: int) -> bytes:
    """Write an article as LDC2008T19 has them."""
    told = [SENTENCES[(number + place) % len(SENTENCES)] for place in range(len(SENTENCES))]
    paragraphs = "".join(f"<p>{sentence}</p>" for sentence in told)
    return (
        '<?xml version="1.0" encoding="UTF-8"?><nitf><head><docdata>'
        f'<doc-id id-string="{number}"/></docdata></head><body><body.head>'
        f"<abstract><p>{told[0]} (M)</p></abstract></body.head><body.content>"
        f'<block class="full_text"><p>LEAD: {told[0]}</p>{paragraphs}</block>'
        "</body.content></body></nitf>"
    ).encode()


def packed(files: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:gz") as tar:
        for name, data in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(data)
            tar.addfile(member, io.BytesIO(data))
    return out.getvalue()


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    """Write the archive of archives, and the lists of the three parts."""
    month = {f"01/01/{number:07}.xml": nitf(number) for number in (*TRAIN, *DEV, *TEST)}
    path = tmp_path / "nyt_corpus_LDC2008T19.tgz"
    path.write_bytes(packed({"nyt_corpus/data/1987/01.tgz": packed(month)}))
    for name, part in (("train", TRAIN), ("dev", DEV), ("test", TEST)):
        (tmp_path / f"{name}.txt").write_text("".join(f"{number}\n" for number in part))
    return path


def test_an_archive_becomes_a_model_with_scores(
    archive: Path, analyser: Bundle, encoder: Path, tmp_path: Path
) -> None:
    model = ["--model", str(analyser.path)]
    for name in ("train", "dev", "test"):
        prepare = ["prepare", str(archive), str(tmp_path / name), "--corpus", "nyt", "--quiet"]
        listing = ["--list", str(tmp_path / f"{name}.txt"), "--jobs", "1"]
        assert run([*prepare, *listing, *model]) == 0
    (tmp_path / "nyt.toml").write_text(SETTINGS)
    train = ["train", "summarizer", "--config", str(tmp_path / "nyt.toml"), "--quiet"]
    train += ["--data", str(tmp_path / "train"), "--validation", str(tmp_path / "dev")]
    own = [*model, "--encoder", str(encoder)]
    assert run([*train, "--out", str(tmp_path / "run"), *own]) == 0
    export = ["export", str(tmp_path / "run"), str(tmp_path / "nyt"), "--fp32"]
    assert run([*export, "--name", "nyt", "--version", "1", *own]) == 0
    evaluate = ["evaluate", "--model", str(tmp_path / "nyt"), "--data", str(tmp_path / "test")]
    out = tmp_path / "scores.json"
    named = ["--systems", "lead3,oracle-sentence,oracle-edu,sentence,discobert-paper"]
    assert run([*evaluate, *named, "--format", "json", "-o", str(out)]) == 0
    scores = json.loads(out.read_text())
    assert scores["documents"] == len(TEST)
    assert scores["systems"]["oracle-sentence"]["rouge1"] == 100.0
    assert scores["systems"]["discobert-paper"]["by_source"]["nyt"]["documents"] == len(TEST)
    assert scores["systems"]["discobert-paper"]["violations"] == 0


def test_samples_of_a_prepared_corpus_are_the_same_each_time(
    archive: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "all"
    prepare = ["prepare", str(archive), str(out), "--corpus", "nyt", "--quiet", "--jobs", "1"]
    assert run([*prepare, "--model", "rules"]) == 0
    evaluate = ["evaluate", "--data", str(out), "--systems", "lead3", "--format", "json"]
    found = []
    for _ in range(2):
        assert run([*evaluate, "--skip", "2", "--limit", "9", "--sample", "4"]) == 0
        found.append(json.loads(capsys.readouterr().out)["systems"]["lead3"]["rouge1"])
    assert found[0] == found[1]
    assert run([*evaluate, "--boilerplate", "drop"]) == 2
    assert "leave --boilerplate out" in capsys.readouterr().err
