"""Settings files."""

from dataclasses import dataclass
from pathlib import Path

import pytest

from discobert.errors import ConfigError, InputError
from discobert.store.config import read_config


@dataclass(frozen=True, kw_only=True)
class Settings:
    rate: float = 0.1
    epochs: int = 3
    sizes: tuple[int, ...] = (1,)


def read(tmp_path: Path, content: str) -> Settings:
    path = tmp_path / "settings.toml"
    path.write_text(content)
    return read_config(path, Settings)


def test_values_are_taken_over_and_lists_become_tuples(tmp_path: Path) -> None:
    assert read(tmp_path, "rate = 1\nsizes = [2, 3]") == Settings(rate=1.0, sizes=(2, 3))


def test_an_unknown_key_names_the_nearest(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="unknown key 'epoch'; did you mean 'epochs'"):
        read(tmp_path, "epoch = 2")


def test_an_unknown_key_far_from_all_lists_them(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="known keys: epochs, rate, sizes"):
        read(tmp_path, "zzz = 2")


@pytest.mark.parametrize("content", ["epochs = 'two'", "epochs = 2.5", "rate = true"])
def test_a_value_of_another_type_is_refused(tmp_path: Path, content: str) -> None:
    with pytest.raises(ConfigError, match="must be"):
        read(tmp_path, content)


def test_broken_toml_and_missing_files_are_told(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="not valid TOML"):
        read(tmp_path, "epochs = ")
    with pytest.raises(InputError, match="cannot read"):
        read_config(tmp_path / "missing.toml", Settings)


@pytest.mark.parametrize("number", [f"1{'0' * 400}", f"-1{'0' * 400}", "2000000000000000"])
@pytest.mark.parametrize("key", ["rate", "epochs"])
def test_huge_numbers_are_refused(tmp_path: Path, key: str, number: str) -> None:
    with pytest.raises(ConfigError, match=f"{key} must be at most"):
        read(tmp_path, f"{key} = {number}")


@pytest.mark.parametrize("value", ["9" * 5_000, "[" * 5_000])
def test_toml_that_python_cannot_hold_is_refused(tmp_path: Path, value: str) -> None:
    with pytest.raises(ConfigError, match="not valid TOML"):
        read(tmp_path, f"epochs = {value}")
