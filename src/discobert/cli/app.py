"""The root command: the table of commands, and how any error becomes an exit code."""

import sys
from collections.abc import Callable, Sequence
from typing import Annotated, Any

import typer

from discobert import __version__
from discobert.cli.commands.ablate import ablate_command
from discobert.cli.commands.analyze import analyze_command
from discobert.cli.commands.batch import batch_command
from discobert.cli.commands.benchmark import benchmark_command
from discobert.cli.commands.evaluate import evaluate_command
from discobert.cli.commands.evaluate_analysis import evaluate_analysis_command
from discobert.cli.commands.export import export_command
from discobert.cli.commands.info import info_command
from discobert.cli.commands.prepare import prepare_command
from discobert.cli.commands.relabel import relabel_command
from discobert.cli.commands.stats import stats_command
from discobert.cli.commands.summarize import summarize_command
from discobert.cli.commands.train import train_command
from discobert.cli.commands.tune import tune_command
from discobert.cli.exit_codes import DONE, FAULT, INTERRUPTED, USAGE, exit_code
from discobert.errors import DiscobertError

# Name, function, and the example that ends its help.
COMMANDS: tuple[tuple[str, Callable[..., None], str], ...] = (
    ("summarize", summarize_command, "discobert summarize article.txt --words 60"),
    ("analyze", analyze_command, "discobert analyze article.txt -o article.html"),
    (
        "evaluate",
        evaluate_command,
        "discobert evaluate --data validation.jsonl.xz --limit 1000 --systems lead3",
    ),
    (
        "evaluate-analysis",
        evaluate_analysis_command,
        "discobert evaluate-analysis --data gum.jsonl.xz --split dev",
    ),
    (
        "batch",
        batch_command,
        "discobert batch articles.jsonl summaries.jsonl --words 60 --jobs 4 --resume",
    ),
    (
        "prepare",
        prepare_command,
        "discobert prepare train.jsonl.xz train --corpus cnndm-jsonl --jobs 4 --resume",
    ),
    ("stats", stats_command, "discobert stats train --format html -o train.html"),
    (
        "train",
        train_command,
        "discobert train analyser --config configs/analyser-gold.toml --data DIR --out RUN",
    ),
    (
        "relabel",
        relabel_command,
        "discobert relabel taught.jsonl --model TEACHER --data DIR --limit 1000 --jobs 2",
    ),
    ("tune", tune_command, "discobert tune RUN --data prepared/tune-2k"),
    ("ablate", ablate_command, "discobert ablate --data train --validation tune --out RUN"),
    ("export", export_command, "discobert export RUN BUNDLE --card card.md"),
    ("benchmark", benchmark_command, "discobert benchmark --chart benchmark.svg"),
    ("info", info_command, "discobert info"),
)

app = typer.Typer(
    name="discobert",
    help="Summaries made of verbatim clauses, with the evidence for each.",
    epilog="Example: discobert summarize article.txt --words 60",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
for _name, _function, _example in COMMANDS:
    app.command(_name, epilog=f"Example: {_example}")(_function)


def _print_version(*, asked: bool) -> None:
    if asked:
        print(f"discobert {__version__}")
        raise typer.Exit


@app.callback()
def _root(
    *,
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Version.")
    ] = False,
) -> None:
    """Summaries made of verbatim clauses, with the evidence for each."""


def run(arguments: Sequence[str]) -> int:
    """Run one command and return its exit code; errors are told in a line or two on stderr."""
    command = typer.main.get_command(app)
    try:
        result = command.main(
            list(arguments) or ["--help"], prog_name="discobert", standalone_mode=False
        )
    except typer.Abort:  # Ctrl-C, in older versions of typer
        return INTERRUPTED
    except Exception as error:  # the outermost edge: whatever happens becomes an exit code
        if "--debug" in arguments:
            raise
        return _report(error)
    if not arguments:
        return USAGE
    return result if isinstance(result, int) else DONE


def _report(error: Exception) -> int:
    if isinstance(error, DiscobertError):
        message, code = str(error), exit_code(error)
    elif isinstance(error, _PARSE_ERROR):
        message, code = _explain(error), USAGE
    else:
        message = f"a fault of ours: {type(error).__name__}: {error}; --debug shows where"
        code = FAULT
    print(f"error: {' '.join(message.split())}", file=sys.stderr)
    return code


# Newer versions of typer hold a click of their own; its public subclass leads to the base of both.
_PARSE_ERROR: type[Any] = typer.BadParameter.__mro__[2]


def _explain(error: Any) -> str:  # noqa: ANN401 - see above: the class has no public name
    context = getattr(error, "ctx", None)
    command = context.command_path if context is not None else "discobert"
    return f"{error.format_message().rstrip('.')}; see {command} --help"
