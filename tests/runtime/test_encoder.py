"""How vectors of a text are kept between the layers."""

from dataclasses import dataclass, field
from threading import Barrier, get_ident
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest
from tests.tiny import tiny_examples, tiny_layout

from discobert.runtime import encoder
from discobert.runtime.encoder import LowerLayers, UpperLayers
from discobert.runtime.onnx_model import OnnxModel
from discobert.runtime.threads import Threads

LAYOUT = tiny_layout(tiny_examples()[0].analysis)
THIRD = np.float32(1 / 3)


@dataclass
class Session:
    """Answers with thirds, or with what it was given."""

    given: list[np.ndarray] = field(default_factory=list)

    def run(self, _: None, inputs: dict[str, np.ndarray]) -> list[np.ndarray]:
        if "trunk" in inputs:
            self.given.append(inputs["trunk"])
            return [inputs["trunk"]]
        return [np.full((*inputs["ids"].shape, 2), THIRD, dtype=np.float32)]


def graph(session: "Session | Meeting") -> OnnxModel:
    return cast("OnnxModel", SimpleNamespace(session=session))


def test_an_article_is_kept_as_it_was_computed() -> None:
    found = LowerLayers(graph(Session())).vectors(LAYOUT)
    assert found.shape == (len(LAYOUT.ids), 2)
    assert found.dtype == np.float32
    assert (found == THIRD).all()


def test_a_book_is_kept_in_half_the_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(encoder, "MOST_SINGLES", len(LAYOUT.ids) - 1)
    found: np.ndarray[Any, Any] = LowerLayers(graph(Session())).vectors(LAYOUT)
    assert found.dtype == np.float16
    np.testing.assert_allclose(found, THIRD, rtol=2**-11)


@pytest.mark.parametrize("kind", [np.float32, np.float16])
def test_the_upper_layers_get_singles_whatever_was_kept(kind: type[np.floating[Any]]) -> None:
    session = Session()
    kept = np.arange(2 * len(LAYOUT.ids), dtype=kind).reshape(-1, 2)
    found = UpperLayers(graph(session), max_pieces=16).vectors(LAYOUT, kept)
    assert {given.dtype for given in session.given} == {np.dtype(np.float32)}
    np.testing.assert_array_equal(found, kept)


@dataclass
class Meeting:
    """Lets a run wait until another one has come, and notes the threads of all runs."""

    barrier: Barrier = field(default_factory=lambda: Barrier(2))
    threads: list[int] = field(default_factory=list)

    def run(self, _: None, inputs: dict[str, np.ndarray]) -> list[np.ndarray]:
        if len(self.threads) < 2:
            self.threads.append(get_ident())
            self.barrier.wait(10.0)
        else:
            self.threads.append(get_ident())
        if "trunk" in inputs:
            return [inputs["trunk"] + 1]
        return [np.stack([inputs["ids"], inputs["ids"] + 0.5], -1).astype(np.float32)]


@dataclass
class Alone(Meeting):
    """Waits for nobody."""

    barrier: Barrier = field(default_factory=lambda: Barrier(1))


def test_sentences_are_encoded_on_several_threads() -> None:
    meeting, alone = Meeting(), Alone()
    found = LowerLayers(graph(meeting), Threads(2)).vectors(LAYOUT)
    assert len(meeting.threads) == len(LAYOUT.blocks) - 1
    assert len(set(meeting.threads)) == 2
    expected = LowerLayers(graph(alone)).vectors(LAYOUT)
    assert set(alone.threads) == {get_ident()}
    np.testing.assert_array_equal(found, expected)
    np.testing.assert_array_equal(found[:, 0], LAYOUT.ids)


def test_windows_are_encoded_on_several_threads() -> None:
    lower = np.arange(2 * len(LAYOUT.ids), dtype=np.float32).reshape(-1, 2)
    meeting = Meeting()
    upper = UpperLayers(graph(meeting), max_pieces=16, threads=Threads(2))
    np.testing.assert_array_equal(upper.vectors(LAYOUT, lower), lower + 1)
    assert len(set(meeting.threads)) == 2
    together = UpperLayers(graph(Meeting()), max_pieces=16, threads=Threads(2))
    alone = UpperLayers(graph(Alone()), max_pieces=16)
    for one, other in zip(
        together.sections(LAYOUT, lower), alone.sections(LAYOUT, lower), strict=True
    ):
        assert (one.first, one.end) == (other.first, other.end)
        np.testing.assert_array_equal(one.vectors, other.vectors)
