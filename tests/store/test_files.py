"""Files written whole or not at all."""

import os
import stat
from pathlib import Path

import pytest

from discobert.errors import UsageError
from discobert.store.files import write_whole


def test_new_file_holds_the_bytes_and_the_usual_permissions(tmp_path: Path) -> None:
    usual = tmp_path / "usual"
    usual.touch()
    write_whole(tmp_path / "out", b"a\r\nb")
    assert (tmp_path / "out").read_bytes() == b"a\r\nb"
    assert (tmp_path / "out").stat().st_mode == usual.stat().st_mode


def test_existing_file_is_replaced_and_keeps_its_permissions(tmp_path: Path) -> None:
    path = tmp_path / "out"
    path.write_bytes(b"old")
    path.chmod(0o640)
    write_whole(path, b"new")
    assert path.read_bytes() == b"new"
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


def test_link_keeps_pointing_at_its_target(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "target")
    write_whole(tmp_path / "link", b"new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "target").read_bytes() == b"new"


def test_device_is_written_to_in_place() -> None:
    write_whole(Path(os.devnull), b"x")
    assert not Path(os.devnull).is_file()


@pytest.mark.parametrize(
    ("place", "message"), [(".", "a directory"), ("missing/out", "no folder .*missing")]
)
def test_impossible_place_is_wrong_usage(tmp_path: Path, place: str, message: str) -> None:
    with pytest.raises(UsageError, match=f"cannot be written: .*{message}"):
        write_whole(tmp_path / place, b"x")


def test_failure_leaves_the_old_file_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "out").write_bytes(b"old")

    def full_disk(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full_disk)
    with pytest.raises(UsageError, match="No space left"):
        write_whole(tmp_path / "out", b"new")
    assert [path.name for path in tmp_path.iterdir()] == ["out"]
    assert (tmp_path / "out").read_bytes() == b"old"
