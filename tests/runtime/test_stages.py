"""What a listener hears of a long computation."""

from discobert.runtime.stages import stage, steps, watched


def test_stages_and_shares_are_told_inside_the_block() -> None:
    heard: list[tuple[str, float]] = []
    with watched(lambda name, share: heard.append((name, share))):
        stage("parsing")
        assert list(steps("reading", "ab", 2)) == ["a", "b"]
    stage("later")
    assert list(steps("later", "c", 1)) == ["c"]
    assert heard == [("parsing", 0.0), ("reading", 0.0), ("reading", 0.5)]
