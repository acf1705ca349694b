"""A real Ray: the same bytes as on local processes, whoever is killed on the way."""

import importlib.util
import os
import random
import secrets
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.batch.corpus import rows, snapshot, write_rows
from tests.batch.in_process_engine import run_in_process
from tests.batch.processes import Process, finish, kill_on_the_way, ray_workers, start

from discobert.batch.engine.ray_engine import run_ray
from discobert.errors import MissingExtra

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="finds workers in /proc"),
    pytest.mark.timeout(900),
]
needs_ray = pytest.mark.skipif(
    importlib.util.find_spec("ray") is None, reason="needs the extra 'batch'"
)

_CLUSTER = """
import sys, ray
settings = dict(address="local", num_cpus=2, include_dashboard=False, log_to_driver=False)
print(ray.init(logging_level="ERROR", **settings).address_info["gcs_address"], flush=True)
sys.stdin.read()
ray.shutdown()
"""


class Cluster:
    """A Ray that deaths as long as the test."""

    def __init__(self) -> None:
        command = [sys.executable, "-c", _CLUSTER]
        pipe = subprocess.PIPE
        # Newer versions of Ray let nobody in without the token that they were started with.
        self.environment = {"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": secrets.token_hex(32)}
        self.process = subprocess.Popen(
            command,
            stdin=pipe,
            stdout=pipe,
            stderr=subprocess.DEVNULL,
            env={**os.environ, **self.environment},
        )
        assert self.process.stdout is not None
        self.address = self.process.stdout.readline().decode().strip()

    def stop(self) -> None:
        self.process.communicate()


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    started = Cluster()
    yield started
    started.stop()


@needs_ray
def test_ray_gives_the_same_bytes_though_it_is_killed(tmp_path: Path, cluster: Cluster) -> None:
    seed = random.randrange(1 << 32)
    print(f"seed {seed}")  # noqa: T201 - pytest shows it with a failure
    data = write_rows(tmp_path / "in.jsonl", ["broken", *rows(40, paragraphs=8)])
    options = ["--corpus", "cnndm-jsonl", "--model", "rules", "--shard-size", "2", "--resume"]
    ray = [*options, "--engine", "ray", "--ray-address", cluster.address, "--jobs", "2"]
    undisturbed, out = tmp_path / "undisturbed", tmp_path / "out"
    run_in_process(["prepare", str(data), str(undisturbed), *options])

    def begin() -> Process:
        return start(["prepare", str(data), str(out), *ray], cluster.environment)

    def workers(_: Process) -> list[int]:
        return ray_workers(cluster.process.pid)

    victims = [("worker", "worker", "parent")]
    kill_on_the_way(begin, out, random.Random(seed), workers=workers, runs=victims)
    assert "were done before" in finish(begin())
    assert snapshot(out) == snapshot(undisturbed)
    assert not (tmp_path / "out.parts").exists()


def test_without_ray_the_extra_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    job = None
    with pytest.raises(MissingExtra, match=r"discobert\[batch\]"):
        list(run_ray(job, [], jobs=1, address=None))  # type: ignore[arg-type]
