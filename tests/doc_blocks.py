"""Code blocks of our pages, and a reader who types what they show."""

import contextlib
import io
import os
import re
import shlex
import signal
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

from discobert.cli.app import run

ROOT = Path(__file__).parents[1]
RUN = ("console", "python")
"""Languages of blocks that are run."""
SHOWN = ("text", "json", "nginx", "toml")
"""Languages of blocks that only show something."""
NOT_RUN = "Not run by the tests: "
"""How the title of a block begins that nobody runs, followed by the reason."""
OUTPUT = "Output"
"""Title of what the block before it must have printed; a line … stands for any lines."""
SLOW = (
    "discobert batch",
    "discobert benchmark",
    "discobert prepare",
    "discobert serve",
    "discobert train",
    "fine_tune.py",
    "oracle-edu",
    "stdio_client",
)
"""Where the default tests stop to follow a page."""
_FENCE = re.compile(
    r"^(?P<indent> *)```(?P<language>[^\s`]*)(?P<rest>[^\n`]*)\n(?P<text>.*?)^(?P=indent)```[ ]*$",
    re.DOTALL | re.MULTILINE,
)
_TITLE = re.compile(r'title="([^"]*)"')
_SHELL = re.compile(r"[|<>&;*$`()\\]|^(?!discobert )")
_PORT = "8000"
_PATIENCE = 600.0


@dataclass(frozen=True)
class Block:
    """A fenced block: its language, its title if any, its text."""

    language: str
    title: str
    text: str

    @property
    def is_run(self) -> bool:
        return self.language in RUN and not self.title.startswith(NOT_RUN)

    @property
    def is_slow(self) -> bool:
        return self.is_run and any(command in self.text for command in SLOW)


def blocks_of(page: Path) -> list[Block]:
    """Return the fenced blocks of a page, in their order."""
    return [
        Block(
            found["language"],
            title[1] if (title := _TITLE.search(found["rest"])) else "",
            re.sub(rf"^{found['indent']}", "", found["text"], flags=re.MULTILINE),
        )
        for found in _FENCE.finditer(page.read_text(encoding="utf-8"))
    ]


def commands(text: str) -> list[str]:
    """Return the lines of a block as a shell reads them: those that go on are joined."""
    joined = re.sub(r"\\\n\s*", " ", text)
    return [line for line in joined.splitlines() if line.strip() and not line.startswith("#")]


def matches(expected: str, printed: str) -> bool:
    """Return whether the lines stand in what was printed; a line … stands for any."""
    place = 0
    for part in re.split(r"^…\n", expected, flags=re.MULTILINE):
        place = printed.find(part.strip(), place)
        if place < 0:
            return False
    return True


def printed() -> "contextlib.redirect_stdout[io.TextIOWrapper]":
    """Catch what is printed; commands write bytes."""
    return contextlib.redirect_stdout(io.TextIOWrapper(io.BytesIO(), encoding="utf-8"))


def text_of(out: io.TextIOWrapper) -> str:
    """Return what was caught."""
    out.seek(0)
    return out.read()


@dataclass
class Reader:
    """Types the blocks of a page in a folder that has the examples."""

    folder: Path
    port: int
    names: dict[str, object] = field(default_factory=dict)
    groups: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        for name in ("configs", "examples"):
            (self.folder / name).symlink_to(ROOT / name)

    def follow(self, blocks: list[Block]) -> None:
        """Run the blocks that are run; what they should print is compared."""
        last = ""
        for block in blocks:
            if block.is_run:
                text = block.text.replace(_PORT, str(self.port))
                last = self._python(text) if block.language == "python" else self._shell(text)
            elif block.title == OUTPUT:
                assert matches(block.text, last), f"{block.text}\nis not what was printed:\n{last}"

    def _python(self, text: str) -> str:
        with printed() as out:
            exec(compile(text, "block", "exec"), self.names)  # noqa: S102 - our own pages
        return text_of(out)

    def _shell(self, text: str) -> str:
        lines = commands(text)
        if any(_SHELL.search(line.partition(" #")[0]) for line in lines):
            return self._bash("\n".join(lines))
        with printed() as out:
            for line in lines:
                assert run(shlex.split(line, comments=True)[1:]) == 0, line
        return text_of(out)

    def _bash(self, text: str) -> str:
        """Run a block in a shell of its own; what it starts in the background goes on."""
        path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
        printed, told = self.folder / ".printed", self.folder / ".told"
        with printed.open("w+") as out, told.open("w+") as err:
            shell = subprocess.Popen(
                ["bash", "-euo", "pipefail", "-c", text],
                cwd=self.folder,
                env={**os.environ, "PATH": path},
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=err,
                start_new_session=True,
            )
            self.groups.append(shell.pid)
            code = shell.wait(_PATIENCE)
            err.seek(0)
            assert code == 0, f"{text}\n{err.read()}"
            out.seek(0)
            return out.read()

    def leave(self) -> None:
        """End what the page has started."""
        for group in self.groups:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(group, signal.SIGTERM)
                for _ in range(100):
                    os.killpg(group, 0)
                    time.sleep(0.1)
