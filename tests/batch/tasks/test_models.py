"""Which model a run used."""

from pathlib import Path

import pytest
from tests.tiny import tiny_tokenizer

from discobert import __version__
from discobert.batch.tasks.models import model_identity, portable_model
from discobert.data.summary import ModelId
from discobert.store.bundle import CARD, TOKENIZER, write_bundle


def bundle(path: Path, *, beam: int = 4, card: str = "One.") -> str:
    files = {TOKENIZER: tiny_tokenizer().to_str().encode(), CARD: card.encode()}
    write_bundle(path, model=ModelId("tiny", "1"), settings={"beam": beam}, files=files)
    return str(path)


def test_rules_are_known_by_the_version_of_the_package() -> None:
    assert model_identity("rules") == {"name": "rules", "version": __version__, "digest": None}


def test_bundles_of_one_name_are_told_apart_by_their_content(tmp_path: Path) -> None:
    first = model_identity(bundle(tmp_path / "a", beam=4))
    second = model_identity(bundle(tmp_path / "b", beam=5))
    assert (first["name"], first["version"]) == ("tiny", "1")
    assert first["digest"] != second["digest"]


def test_the_model_card_may_name_results_of_the_model(tmp_path: Path) -> None:
    first = model_identity(bundle(tmp_path / "a", card="No figures yet."))
    assert first == model_identity(bundle(tmp_path / "b", card="ROUGE-1 42."))


def test_workers_find_a_model_whatever_their_working_directory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = bundle(tmp_path / "mine")
    monkeypatch.chdir(tmp_path)
    assert portable_model("mine") == portable_model("./mine") == folder
    assert [portable_model(name) for name in (None, "en", "rules")] == [None, "en", "rules"]
