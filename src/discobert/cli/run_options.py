"""Options of commands that work through whole corpora, and how they show their progress."""

import sys
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Annotated

from discobert.batch.engine.options import BatchEngine
from discobert.cli.declare import Option
from discobert.cli.outputs import note
from discobert.cli.streams import on_terminal

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

    from discobert.batch.engine.run import Outcome


CORPUS_HELP = (
    "cnndm-jsonl: lines of id, source, article, highlights; story: CNN/DailyMail .story files; "
    "nyt: LDC2008T19 archives; jsonl, csv, parquet: named columns; text: a folder of .txt with "
    ".summary.txt beside; analyses: lines of our JSON with a reference."
)

Columns = Annotated[
    list[str] | None,
    Option(
        "--column",
        metavar="PART=NAME",
        help="Name of the column that holds a part (id, text, reference, source); repeatable.",
        show_default=False,
    ),
]
Listing = Annotated[
    Path | None,
    Option(
        "--list",
        metavar="FILE",
        help="Which articles: URLs (story) or article numbers (nyt), one a line.",
        show_default=False,
    ),
]
Jobs = Annotated[
    int | None,
    Option(min=1, metavar="N", help="Workers, one thread each.", show_default="one per processor"),
]
EngineOption = Annotated[
    BatchEngine,
    Option("--engine", help="Processes of this machine, or a Ray cluster."),
]
RayAddress = Annotated[
    str | None,
    Option(
        metavar="ADDRESS",
        help="The Ray cluster to use (auto, or host:port); without, one is started here.",
        show_default=False,
    ),
]
Skip = Annotated[int, Option(min=0, metavar="N", help="Documents to leave out.")]
Limit = Annotated[
    int | None, Option(min=1, metavar="N", help="Documents to take.", show_default="all")
]
ShardSize = Annotated[
    int | None,
    Option(min=1, metavar="N", help="Documents a shard.", show_default="16 to 512, by the corpus"),
]
MaxChars = Annotated[
    int,
    Option(min=1, metavar="N", help="Longest text; a longer one becomes an error record."),
]
Resume = Annotated[
    bool, Option("--resume", help="Finish what an earlier run of this command began.")
]
Force = Annotated[
    bool, Option("--force", help="Replace an output of another input or other options.")
]
MAX_CHARS = 1_000_000


class ProgressBar:
    """A progress bar on standard error, with rate and time left, if that is a terminal."""

    def __init__(self, label: str, *, quiet: bool) -> None:
        self._label = label
        self._quiet = quiet
        self._shown = not quiet and on_terminal(sys.stderr)
        self._progress: Progress | None = None
        self._task: TaskID | None = None

    def __enter__(self) -> "ProgressBar":
        if self._shown:
            self._progress = _bar()
            self._task = self._progress.add_task("Reading", total=None)
            self._progress.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._progress is not None:
            self._progress.stop()
        if kind is KeyboardInterrupt:
            note(["finished shards are kept: --resume goes on from there"], quiet=self._quiet)

    def scanned(self, documents: int) -> None:
        """Count documents read while the run is planned."""
        self.advanced(documents)

    def begun(self, total: int, done: int) -> None:
        """Show how much there is to do."""
        if self._progress is not None and self._task is not None:
            self._progress.reset(self._task, description=self._label, total=total, completed=done)

    def advanced(self, documents: int) -> None:
        """Show documents as done."""
        if self._progress is not None and self._task is not None:
            self._progress.advance(self._task, documents)


def _bar() -> "Progress":
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        ProgressColumn,
        Task,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )
    from rich.text import Text

    class Rate(ProgressColumn):
        """Documents a second."""

        def render(self, task: Task) -> Text:
            """Show the rate of the last seconds."""
            return Text("" if task.speed is None else f"{task.speed:.1f}/s")

    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        Rate(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
    )


def report_outcome(outcome: "Outcome", *, where: str, quiet: bool) -> None:
    """Sum a run up in a line or two."""
    fresh = outcome.documents - outcome.done_before
    rate = fresh / outcome.seconds if outcome.seconds else 0.0
    lines = [
        f"{outcome.documents:,} documents, {outcome.failures:,} failed{where}; "
        f"{outcome.seconds:.1f} s, {rate:.1f} documents a second"
    ]
    if fresh == 0:
        lines = [f"nothing to do: all {outcome.documents:,} documents were done before"]
    elif outcome.done_before:
        lines.append(f"{outcome.done_before:,} of them were done before")
    if outcome.missing:
        lines.append(f"warning: {outcome.missing:,} listed articles are not in the corpus")
    if outcome.damaged:
        lines.append(f"warning: {outcome.damaged:,} finished shards were damaged and done again")
    note(lines, quiet=quiet)
