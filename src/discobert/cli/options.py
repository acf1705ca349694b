"""Options that several commands share, and how they are explained."""

from pathlib import Path
from typing import Annotated

from discobert.cli.declare import Argument, Option
from discobert.store.inputs.kinds import InputKind

Files = Annotated[
    list[str] | None,
    Argument(
        metavar="FILE|-",
        help="Texts: plain, Markdown, HTML, PDF, Word, subtitles, e-mail, .story or JSONL; tree "
        "files (.rs3, .dis) as they are; - is standard input, as is no file at all.",
        show_default=False,
    ),
]
Output = Annotated[
    Path | None,
    Option(
        "--output",
        "-o",
        metavar="FILE",
        help="Write the result to FILE, whole or not at all, in place of standard output.",
        show_default=False,
    ),
]
Encoding = Annotated[
    str | None,
    Option(
        metavar="NAME",
        help="Encoding of the texts, if they are neither UTF-8 nor carry a byte order mark.",
        show_default=False,
    ),
]
Input = Annotated[
    InputKind | None,
    Option(
        "--input",
        help="What the texts are; of all but text and jsonl the text is taken out first.",
        show_default="by content and suffix",
    ),
]
Model = Annotated[
    str | None,
    Option(
        metavar="NAME|DIR",
        help="Name of a shipped model, or the folder of a model bundle.",
        show_default="the shipped English model",
    ),
]
_LIMITS = "Limits: what is larger is refused"
MaxChars = Annotated[
    int,
    Option(min=1, metavar="N", help="Characters of a text.", panel=_LIMITS),
]
MaxEdus = Annotated[
    int,
    Option(min=1, metavar="N", help="Clauses of a text.", panel=_LIMITS),
]
MaxSentencePieces = Annotated[
    int,
    Option(
        min=1,
        metavar="N",
        help="Word pieces of one sentence of an analysis that was brought along.",
        panel=_LIMITS,
    ),
]
Quiet = Annotated[
    bool, Option("--quiet", "-q", help="No progress and no warnings on standard error.")
]
Threads = Annotated[
    int | None,
    Option(min=1, metavar="N", help="Threads to compute with, at most.", show_default=False),
]
Debug = Annotated[bool, Option("--debug", help="Show the traceback of an error.")]
IncludeSource = Annotated[
    bool,
    Option(
        "--include-source",
        help="Put the text into the JSON as well: offsets of HTML, PDF and the like refer to what "
        "was taken out of them.",
    ),
]
