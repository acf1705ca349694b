"""The root command: the table of commands, and how any error becomes an exit code.

Only the command that was asked for is imported: the readers of corpora and the training settings
would take longer to load than a short text takes to summarise.
"""

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Annotated, Any

import typer

from discobert import __version__
from discobert.cli.exit_codes import DONE, FAULT, INTERRUPTED, USAGE, exit_code
from discobert.errors import DiscobertError

EVERYDAY = "Everyday commands"
RESEARCH = "Corpora, evaluation and training"


@dataclass(frozen=True, slots=True)
class Command:
    """A command by name, with what ``discobert --help`` shows of it."""

    name: str
    help: str
    """The first line of its docstring."""
    example: str
    """What the end of its help shows."""
    panel: str = RESEARCH

    def load(self) -> Callable[..., None]:
        """Import the command's function: ``cli/commands/NAME.py`` holds ``NAME_command``."""
        name = self.name.replace("-", "_")
        function: Callable[..., None] = getattr(
            import_module(f"discobert.cli.commands.{name}"), f"{name}_command"
        )
        return function


COMMANDS: tuple[Command, ...] = (
    Command(
        "summarize",
        "Summarise texts by their own clauses, never longer than asked for.",
        "discobert summarize article.txt --words 60",
        EVERYDAY,
    ),
    Command(
        "analyze",
        "Analyse the discourse of texts: sentences, clauses, RST tree and coreference.",
        "discobert analyze article.txt -o article.html",
        EVERYDAY,
    ),
    Command(
        "batch",
        "Summarise many texts, in their order: a summary or an error record a line.",
        "discobert batch articles.jsonl summaries.jsonl --words 60 --jobs 4 --resume",
        EVERYDAY,
    ),
    Command(
        "info",
        "Show versions and the model, after checking every file of its bundle.",
        "discobert info",
        EVERYDAY,
    ),
    Command(
        "evaluate",
        "Score summaries with ROUGE-1, ROUGE-2 and ROUGE-Lsum against references, or by people.",
        "discobert evaluate --data validation.jsonl.xz --limit 1000 --systems lead3",
    ),
    Command(
        "evaluate-analysis",
        "Score sentences, EDUs, trees, dependencies, subjects and coreference against gold.",
        "discobert evaluate-analysis --data gum.jsonl.xz --split dev",
    ),
    Command(
        "evaluate-extracts",
        "Score readable and paper style and the first sentences against editors' extracts.",
        "discobert evaluate-extracts --extracts extracts.jsonl.xz --articles train-7.jsonl.xz",
    ),
    Command(
        "evaluate-cuts",
        "Score how well a model knows which clauses can be cut without harm.",
        "discobert evaluate-cuts --data cuts.jsonl.xz --articles train-7.jsonl.xz --gum gum.jsonl",
    ),
    Command(
        "prepare",
        "Analyse articles and label them by their summaries, for training.",
        "discobert prepare train.jsonl.xz train --corpus cnndm-jsonl --jobs 4 --resume",
    ),
    Command(
        "stats",
        "Show sizes, graphs and oracles of a prepared corpus, with plots.",
        "discobert stats train --format html -o train.html",
    ),
    Command(
        "train",
        "Train from a settings file; the same settings and data give the same weights.",
        "discobert train analyser --config configs/analyser-gold.toml --data DIR --out RUN",
    ),
    Command(
        "relabel",
        "Let an analyser annotate a corpus, so that a smaller one learns from it.",
        "discobert relabel taught.jsonl --model TEACHER --data DIR --limit 1000 --jobs 2",
    ),
    Command(
        "tune",
        "Try lengths in steps and words, and the ranker if there is one; keep the best in RUN.",
        "discobert tune RUN --data prepared/tune-2k",
    ),
    Command(
        "tune-readable",
        "Choose the weights of the readable style on editors' extracts and on ROUGE, for a bundle.",
        "discobert tune-readable NEW --model BUNDLE --extracts extracts.jsonl.xz --data tune.jsonl",
    ),
    Command(
        "ablate",
        "Train and score the five variants under one budget; the paper's table stands beside ours.",
        "discobert ablate --data train --validation tune --out RUN",
    ),
    Command(
        "export",
        "Write graphs, weights, tokenizer, model card and checksums.",
        "discobert export RUN BUNDLE --card card.md",
    ),
    Command(
        "benchmark",
        "Measure CPU and wall time, cold start, memory and disk on one thread.",
        "discobert benchmark --chart benchmark.svg",
    ),
)
_ABOUT = "Summaries made of verbatim clauses, with the evidence for each."


def make_app(wanted: str | None = None) -> typer.Typer:
    """Build the root command; of all commands only the wanted one is imported."""
    app = typer.Typer(
        name="discobert",
        help=_ABOUT,
        epilog="Example: discobert summarize article.txt --words 60",
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback()(_root)
    for command in COMMANDS:
        function = command.load() if command.name == wanted else _not_loaded
        app.command(
            command.name,
            help=None if command.name == wanted else command.help,
            epilog=f"Example: {command.example}",
            rich_help_panel=command.panel,
        )(function)
    return app


def _not_loaded() -> None:
    """Stand for a command that was not asked for."""


def _print_version(*, asked: bool) -> None:
    if asked:
        print(f"discobert {__version__}")
        raise typer.Exit


def _root(
    *,
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Version.")
    ] = False,
) -> None:
    """Summaries made of verbatim clauses, with the evidence for each."""


def run(arguments: Sequence[str]) -> int:
    """Run one command and return its exit code; errors are told in a line or two on stderr."""
    wanted = next((given for given in arguments if not given.startswith("-")), None)
    try:
        command = typer.main.get_command(make_app(wanted))
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
