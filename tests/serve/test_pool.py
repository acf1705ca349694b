"""Worker processes behind an event loop."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from tests.serve.pool_tasks import Task, start, start_and_die

from discobert.errors import DiscobertError
from discobert.serve import pool as pool_module
from discobert.serve.pool import Pool
from discobert.serve.refusals import Refusal

LONG = 120.0


class Ended:
    """Counts workers that ended."""

    def __init__(self) -> None:
        self.count = 0

    def worker_ended(self, pool: str) -> None:
        self.count += 1


@asynccontextmanager
async def opened(queue: int = 4, listener: Ended | None = None) -> AsyncIterator[Pool[Task, str]]:
    pool: Pool[Task, str] = Pool("test", start, workers=1, queue=queue, listener=listener)
    pool.open()
    try:
        await asyncio.wait_for(pool.decided.wait(), LONG)
        yield pool
    finally:
        await pool.close()


def run(test: Callable[[], Coroutine[Any, Any, None]]) -> None:
    asyncio.run(asyncio.wait_for(test(), 2 * LONG))


async def until(condition: Callable[[], object]) -> None:
    """Wait until something holds; the test's own limit ends a wait in vain."""
    while not condition():
        await asyncio.sleep(0.01)


async def answer(pool: Pool[Task, str], *task: str) -> str:
    action, value = task
    return (await pool.run((action, value), seconds=LONG))[0]


def test_tasks_are_answered_by_another_process() -> None:
    async def test() -> None:
        async with opened() as pool:
            assert pool.is_ready
            assert int(await answer(pool, "pid", "")) != os.getpid()
            assert await answer(pool, "echo", "a") == "a"

    run(test)


def test_full_queue_refuses_at_once(tmp_path: Path) -> None:
    async def test() -> None:
        async with opened(queue=1) as pool:
            gate = str(tmp_path / "gate")
            first = asyncio.create_task(answer(pool, "wait", gate))
            await until(Path(f"{gate}.begun").exists)
            second = asyncio.create_task(answer(pool, "echo", "b"))
            await until(lambda: pool.n_waiting == 1)
            with pytest.raises(Refusal, match="too many") as refused:
                await answer(pool, "echo", "c")
            assert refused.value.status == 429
            assert int(refused.value.headers["Retry-After"]) >= 1
            Path(gate).touch()
            assert [await first, await second] == [gate, "b"]

    run(test)


def test_cancelled_task_leaves_the_queue(tmp_path: Path) -> None:
    async def test() -> None:
        ended = Ended()
        async with opened(listener=ended) as pool:
            gate = str(tmp_path / "gate")
            first = asyncio.create_task(answer(pool, "wait", gate))
            await until(Path(f"{gate}.begun").exists)
            second = asyncio.create_task(answer(pool, "die", ""))
            await until(lambda: pool.n_waiting == 1)
            second.cancel()
            await until(lambda: pool.n_waiting == 0)
            Path(gate).touch()
            assert await first == gate
            assert ended.count == 0

    run(test)


def test_worker_of_a_cancelled_task_is_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pool_module, "_SECONDS_TO_FINISH", 0.05)

    async def test() -> None:
        async with opened() as pool:
            before = await answer(pool, "pid", "")
            gate = str(tmp_path / "never")
            task = asyncio.create_task(answer(pool, "wait", gate))
            await until(Path(f"{gate}.begun").exists)
            task.cancel()
            assert await answer(pool, "pid", "") != before

    run(test)


def test_deadline_ends_the_work(tmp_path: Path) -> None:
    async def test() -> None:
        ended = Ended()
        async with opened(listener=ended) as pool:
            with pytest.raises(Refusal, match=r"within 0\.05 s") as refused:
                await pool.run(("wait", str(tmp_path / "never")), seconds=0.05)
            assert refused.value.status == 504
            assert await answer(pool, "echo", "next") == "next"
            assert ended.count == 1

    run(test)


def test_task_of_a_dead_worker_is_tried_again_once(tmp_path: Path) -> None:
    async def test() -> None:
        ended = Ended()
        async with opened(listener=ended) as pool:
            mark = str(tmp_path / "mark")
            assert await answer(pool, "die once", mark) == mark
            with pytest.raises(Refusal, match="died, twice") as refused:
                await answer(pool, "die", "")
            assert refused.value.status == 500
            assert await answer(pool, "echo", "next") == "next"
            assert ended.count == 3

    run(test)


def test_worker_that_dies_idle_is_replaced_before_the_next_task() -> None:
    async def test() -> None:
        ended = Ended()
        async with opened(listener=ended) as pool:
            before = int(await answer(pool, "pid", ""))
            os.kill(before, signal.SIGKILL)
            await until(lambda: ended.count == 1 and pool.is_ready)
            assert int(await answer(pool, "pid", "")) != before

    run(test)


def test_workers_that_cannot_start_are_given_up() -> None:
    async def test() -> None:
        pool: Pool[Task, str] = Pool("test", start_and_die, workers=1, queue=1)
        pool.open()
        await asyncio.wait_for(pool.decided.wait(), LONG)
        await pool.close()
        assert isinstance(pool.failure, DiscobertError)
        assert str(pool.failure) == "3 workers died as they started (exit code 7)"
        assert not pool.started

    run(test)


def test_closed_pool_refuses_what_waits(tmp_path: Path) -> None:
    async def test() -> None:
        async with opened() as pool:
            gate = str(tmp_path / "never")
            running = asyncio.create_task(answer(pool, "wait", gate))
            await until(Path(f"{gate}.begun").exists)
            waiting = asyncio.create_task(answer(pool, "echo", "a"))
            await until(lambda: pool.n_waiting == 1)
            await pool.close()
            for task in (running, waiting):
                with pytest.raises(Refusal, match="shutting down"):
                    await task
            with pytest.raises(Refusal, match="shutting down"):
                await answer(pool, "echo", "late")

    run(test)
