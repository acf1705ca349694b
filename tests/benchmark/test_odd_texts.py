"""Costs of odd texts, with a few lines of Python in the place of the command."""

import sys
from pathlib import Path

import pytest
from benchmarks import odd_texts
from benchmarks.odd_texts import KINDS, Bounds, Cost, cost_of, odd_text

ROOM = Bounds(seconds=60, gigabytes=4)


def ran(code: str, folder: Path, bounds: Bounds = ROOM) -> Cost:
    return cost_of([sys.executable, "-c", code], bounds, folder=str(folder))


@pytest.mark.parametrize("kind", KINDS)
def test_texts_have_letters_and_their_size(kind: str) -> None:
    text = odd_text(kind, 1_000)
    assert "It " in text
    assert 1_000 <= len(text) < 1_100


def test_cpu_time_and_peak_are_those_of_the_process(tmp_path: Path) -> None:
    cost = ran("data = b'a' * 300_000_000", tmp_path)
    assert cost.end == ""
    assert cost.seconds > 0
    assert cost.megabytes > 280


def test_an_error_is_quoted_with_its_exit_code(tmp_path: Path) -> None:
    cost = ran("import sys; print('error: too long', file=sys.stderr); sys.exit(3)", tmp_path)
    assert str(cost).endswith("MB: exit code 3, “error: too long”")


def test_what_reaches_a_bound_is_stopped(tmp_path: Path) -> None:
    assert ran("while True: pass", tmp_path, Bounds(1, 4)).end == "stopped at 1 s"
    greedy = ran("b'a' * 3_000_000_000", tmp_path, Bounds(60, 2))
    assert greedy.end == "stopped at 2 GB, exit code 1"


def test_the_table_has_a_row_for_each_kind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    script = tmp_path / "size.py"
    script.write_text("import sys; sys.exit(f'read {len(open(sys.argv[2]).read())}')")
    given = [f"{name}={sys.executable} {script}" for name in ("before", "after")]
    monkeypatch.setattr(
        sys, "argv", ["odd_texts", *given, "--size", "500", "--kinds", "dots", "digits"]
    )
    odd_texts.main()
    head, _, dots, digits = capsys.readouterr().out.splitlines()
    assert head == "| 500 characters | before | after |"
    assert dots.startswith("| dots | ")
    assert digits.count("exit code 1, “read 503”") == 2
