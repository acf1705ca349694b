"""The root command: the table of commands, and how any error becomes an exit code.

Only the command that was asked for is imported: the readers of corpora and the training settings
would take longer to load than a short text takes to summarise.
"""

import errno
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

from discobert import __version__
from discobert.cli.declare import parameters_of
from discobert.cli.exit_codes import DONE, FAULT, INPUT, INTERRUPTED, USAGE, Exit, exit_code
from discobert.cli.help_text import command_help, root_help
from discobert.cli.parse import HELP, HelpAsked, ParseError, did_you_mean, parse
from discobert.cli.run_record import record_arguments
from discobert.cli.streams import show, tell
from discobert.errors import BundleError, DiscobertError

EVERYDAY = "Everyday commands"
RESEARCH = "Corpora, evaluation and training"
PANELS = {"everyday": EVERYDAY, "evaluation": RESEARCH, "training": RESEARCH}
"""The groups of ``discobert --help``, by folder of ``cli/commands``."""


@dataclass(frozen=True, slots=True)
class Command:
    """A command by name, with what ``discobert --help`` shows of it."""

    name: str
    help: str
    """The first line of its docstring."""
    example: str
    """What the end of its help shows."""
    folder: str
    """Where in ``cli/commands`` its file is."""

    def load(self) -> Callable[..., None]:
        """Import the command's function: ``FOLDER/NAME.py`` holds ``NAME_command``."""
        name = self.name.replace("-", "_")
        module = import_module(f"discobert.cli.commands.{self.folder}.{name}")
        function: Callable[..., None] = getattr(module, f"{name}_command")
        return function


COMMANDS: tuple[Command, ...] = (
    Command(
        "summarize",
        "Summarise texts by their own clauses, at most as long as asked for.",
        "discobert summarize article.txt --words 60",
        "everyday",
    ),
    Command(
        "analyze",
        "Analyse the discourse of texts: sentences, clauses, RST tree and coreference.",
        "discobert analyze article.txt -o article.html",
        "everyday",
    ),
    Command(
        "batch",
        "Summarise many texts, in their order: a summary or an error record a line.",
        "discobert batch articles.jsonl summaries.jsonl --words 60 --jobs 4 --resume",
        "everyday",
    ),
    Command(
        "serve",
        "Serve summaries over HTTP, with a page to try them.",
        "discobert serve --port 8000",
        "everyday",
    ),
    Command(
        "mcp",
        "Offer the tools summarize and analyze to agents (Model Context Protocol, stdio).",
        "discobert mcp",
        "everyday",
    ),
    Command(
        "info",
        "Show versions and the model, after checking every file of its bundle.",
        "discobert info",
        "everyday",
    ),
    Command(
        "evaluate",
        "Score summaries with ROUGE-1, ROUGE-2 and ROUGE-Lsum against references, or by people.",
        "discobert evaluate --data validation.jsonl.xz --limit 1000 --systems lead3",
        "evaluation",
    ),
    Command(
        "evaluate-analysis",
        "Score sentences, EDUs, trees, dependencies, subjects and coreference against gold.",
        "discobert evaluate-analysis --data gum.jsonl.xz --split dev",
        "evaluation",
    ),
    Command(
        "evaluate-extracts",
        "Score readable and paper style and the first sentences against editors' extracts.",
        "discobert evaluate-extracts --extracts extracts.jsonl.xz --articles train-7.jsonl.xz",
        "evaluation",
    ),
    Command(
        "evaluate-cuts",
        "Score which clauses a model finds harmless to cut against labels.",
        "discobert evaluate-cuts --data cuts.jsonl.xz --articles train-7.jsonl.xz --gum gum.jsonl",
        "evaluation",
    ),
    Command(
        "evaluate-salience",
        "Score how surely sentences and EDUs of the oracle are scored above the others.",
        "discobert evaluate-salience --data validation.jsonl.xz --skip 4000 --limit 2000",
        "evaluation",
    ),
    Command(
        "prepare",
        "Analyse articles and label them by their summaries, for training.",
        "discobert prepare train.jsonl.xz train --corpus cnndm-jsonl --jobs 4 --resume",
        "training",
    ),
    Command(
        "stats",
        "Show sizes, graphs and oracles of a prepared corpus, with plots.",
        "discobert stats train --format html -o train.html",
        "training",
    ),
    Command(
        "train",
        "Train from a settings file; the same settings and data give the same weights.",
        "discobert train analyser --config configs/analyser-gold.toml --data DIR --out RUN",
        "training",
    ),
    Command(
        "relabel",
        "Let an analyser annotate a corpus, so that a smaller one learns from it.",
        "discobert relabel taught.jsonl --model TEACHER --data DIR --limit 1000 --jobs 2",
        "training",
    ),
    Command(
        "tune",
        "Try lengths in steps and words, and the ranker if there is one; keep the best in RUN.",
        "discobert tune RUN --data prepared/tune-2k",
        "training",
    ),
    Command(
        "tune-readable",
        "Fit the weights of the readable style to ratings of summaries by readers, for a bundle.",
        "discobert tune-readable NEW --model BUNDLE --ratings ratings.jsonl --articles news.jsonl",
        "training",
    ),
    Command(
        "tune-coverage",
        "Fit which words the summary of a text will have, for the style paper of a bundle.",
        "discobert tune-coverage NEW --model BUNDLE --data prepared/tune-2k",
        "training",
    ),
    Command(
        "ablate",
        "Train and score the five variants under one budget; the paper's table stands beside ours.",
        "discobert ablate --data train --validation tune --out RUN",
        "training",
    ),
    Command(
        "report",
        "Write the paper's tables beside ours, from files that other commands wrote.",
        "discobert report --results results -o docs/reproduction.md",
        "evaluation",
    ),
    Command(
        "export",
        "Write graphs, weights, tokenizer, model card and checksums.",
        "discobert export RUN BUNDLE --card card.md",
        "training",
    ),
    Command(
        "benchmark",
        "Measure CPU and wall time, cold start, memory and disk on one thread.",
        "discobert benchmark --chart benchmark.svg",
        "evaluation",
    ),
)
_DISK = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS, errno.EIO})
"""Errors of the system that are about a disk: full, over its quota, protected, broken."""
_ABOUT = "Summaries made of verbatim clauses, with the evidence for each."


def find_command(name: str) -> Command:
    """Return a command by name."""
    for command in COMMANDS:
        if command.name == name:
            return command
    hint = did_you_mean(name, (command.name for command in COMMANDS))
    if Path(name).is_file():
        hint = f" (did you mean discobert summarize {name}?)"
    raise ParseError(f"unknown command {name!r}{hint}")


def run(arguments: Sequence[str]) -> int:
    """Run one command and return its exit code; errors are a line or two on stderr."""
    try:
        return _run(arguments)
    except KeyboardInterrupt:
        return INTERRUPTED
    except Exception as error:  # the outermost edge: whatever happens becomes an exit code
        if "--debug" in arguments:
            raise
        return _report(error, arguments)


def _run(arguments: Sequence[str]) -> int:
    name, *given = arguments or HELP[:1]
    if name in HELP and (not given or given[0].startswith("-")):
        show(_help())
        return DONE if arguments else USAGE
    record_arguments(arguments)
    if name == "--version":
        show(f"discobert {__version__}{_model_version()}\n")
        return DONE
    if name in ("help", *HELP):
        return _run([*given[:1], "--help"])
    if name.startswith("-"):
        raise ParseError(f"unknown option {name}{did_you_mean(name, ('--version', '--help'))}")
    command = find_command(name)
    function = command.load()
    parameters = parameters_of(function)
    try:
        values = parse(parameters, given)
    except HelpAsked:
        show(command_help(name, function, parameters, command.example))
        return DONE
    try:
        function(**values)
    except Exit as leave:
        return leave.code
    return DONE


def _model_version() -> str:
    """Name the shipped model, if there is one that can be read."""
    from discobert.store.bundle import SHIPPED, open_bundle

    try:
        model = open_bundle(SHIPPED / "en").model
    except BundleError:  # the command that uses the model reports what is wrong
        return ""
    return f" (model {model.name} {model.version})"


def _help() -> str:
    groups: dict[str, list[tuple[str, str]]] = {EVERYDAY: [], RESEARCH: []}
    for command in COMMANDS:
        groups[PANELS[command.folder]].append((command.name, command.help))
    return root_help(_ABOUT, groups, COMMANDS[0].example)


def _report(error: Exception, arguments: Sequence[str]) -> int:
    if isinstance(error, DiscobertError):
        message, code = str(error), exit_code(error)
    elif isinstance(error, MemoryError):
        message, code = "not enough memory for this input; split it, or free some memory", INPUT
    elif isinstance(error, OSError) and error.errno in _DISK:
        where = f"{error.filename}: " if error.filename else ""
        message, code = f"{where}cannot be written or read: {error.strerror}", USAGE
    else:
        message = f"a fault of ours: {type(error).__name__}: {error}; --debug shows where"
        code = FAULT
    if isinstance(error, ParseError):
        known = arguments[0] if any(arguments[0] == each.name for each in COMMANDS) else ""
        message += f"; see {' '.join(['discobert', known]).strip()} --help"
    tell(f"error: {' '.join(message.split())}")
    return code
