"""Which model a run used."""

from pathlib import Path

from tests.tiny import tiny_tokenizer

from discobert import __version__
from discobert.batch.tasks.models import model_identity
from discobert.data.summary import ModelId
from discobert.store.bundle import CARD, TOKENIZER, write_bundle


def bundle(path: Path, card: str) -> str:
    files = {TOKENIZER: tiny_tokenizer().to_str().encode(), CARD: card.encode()}
    write_bundle(path, model=ModelId("tiny", "1"), settings={}, files=files)
    return str(path)


def test_rules_are_known_by_the_version_of_the_package() -> None:
    assert model_identity("rules") == {"name": "rules", "version": __version__, "digest": None}


def test_bundles_of_one_name_are_told_apart_by_their_content(tmp_path: Path) -> None:
    first = model_identity(bundle(tmp_path / "a", "One."))
    second = model_identity(bundle(tmp_path / "b", "Two."))
    assert (first["name"], first["version"]) == ("tiny", "1")
    assert first["digest"] != second["digest"]
