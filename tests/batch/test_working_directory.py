"""The command as it is installed, in a folder that holds modules of somebody else."""

import os
import subprocess
import sys
from pathlib import Path

from tests.batch.corpus import read_json_lines, rows, write_rows

import discobert

LAUNCHER = "from discobert.__main__ import main\nif __name__ == '__main__':\n    main()\n"
MARKER = "from pathlib import Path\nPath(__file__).with_suffix('.ran').touch()\n"
MODULES = ("logging.py", "pickle.py", "socket.py", "numpy.py", "selectors.py")


def test_workers_do_not_run_modules_of_the_working_directory(tmp_path: Path) -> None:
    script, here = tmp_path / "bin" / "discobert", tmp_path / "downloads"
    for folder in (script.parent, here):
        folder.mkdir()
    script.write_text(LAUNCHER)
    for name in MODULES:
        (here / name).write_text(MARKER)
    write_rows(here / "in.jsonl", rows(4, paragraphs=1))
    command = [sys.executable, str(script), "batch", "in.jsonl", "out.jsonl"]
    ran = subprocess.run(
        [*command, "--model", "rules", "--jobs", "2", "--shard-size", "2"],
        cwd=here,
        env={**os.environ, "PYTHONPATH": str(Path(discobert.__file__).parents[1])},
        capture_output=True,
        check=False,
    )
    assert list(here.glob("*.ran")) == []
    assert ran.returncode == 0, ran.stderr.decode()
    assert len(read_json_lines(here / "out.jsonl")) == 4
