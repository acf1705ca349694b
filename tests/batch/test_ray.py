"""A real Ray: the same bytes as on local processes, whoever is killed on the way."""

import importlib.util
import os
import random
import secrets
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.batch.corpus import rows, snapshot, write_rows
from tests.batch.processes import finish, kill, ray_workers, start, wait_for_reports

from discobert.batch.ray_engine import run_ray
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
settings = dict(address="local", num_cpus=4, include_dashboard=False, log_to_driver=False)
print(ray.init(logging_level="ERROR", **settings).address_info["gcs_address"], flush=True)
sys.stdin.read()
ray.shutdown()
"""


class Cluster:
    """A Ray that lives as long as the test."""

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
    rng = random.Random(seed)
    print(f"seed {seed}")  # noqa: T201 - pytest shows it with a failure
    data = write_rows(tmp_path / "in.jsonl", ["broken", *rows(60, paragraphs=8)])
    options = ["--corpus", "cnndm-jsonl", "--model", "rules", "--shard-size", "2", "--resume"]
    ray = [*options, "--engine", "ray", "--ray-address", cluster.address, "--jobs", "2"]
    peace, out, parts = tmp_path / "peace", tmp_path / "out", tmp_path / "out.parts"
    finish(start(["prepare", str(data), str(peace), *options, "--jobs", "1"]))
    command = ["prepare", str(data), str(out), *ray]
    # On a busy machine a run may be over before we get to kill it: then it starts again.
    for _ in range(5):
        if was_killed(command, cluster, parts, rng):
            break
        shutil.rmtree(out)
    assert not out.exists()
    said = finish(start(command, cluster.environment))
    assert "were done before" in said
    assert snapshot(out) == snapshot(peace)
    assert not parts.exists()


def was_killed(command: list[str], cluster: Cluster, parts: Path, rng: random.Random) -> bool:
    """Kill a worker and twice the parent on the way; false if a run came to its end before."""
    for victims in (["worker", "parent"], ["parent"]):
        process = start(command, cluster.environment)
        for victim in victims:
            if not wait_for_reports(process, parts, more=rng.randrange(1, 5)):
                assert process.wait() == 0, process.communicate()
                return False
            worker = rng.choice(ray_workers(cluster.process.pid) or [process.pid])
            kill(process, worker if victim == "worker" else process.pid, rng)
        if process.wait() == 0:
            return False
    return True


def test_without_ray_the_extra_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    job = None
    with pytest.raises(MissingExtra, match=r"discobert\[batch\]"):
        list(run_ray(job, [], jobs=1, address=None))  # type: ignore[arg-type]
