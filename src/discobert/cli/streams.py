"""Standard output and error as they really are: closed, full, broken, or a terminal.

What documents and file names hold is shown on a terminal with control characters written out:
escape sequences could change what it shows, or type commands into it.
"""

import os
import re
import shutil
import sys
import textwrap
from typing import TextIO

from discobert.cli.exit_codes import BROKEN_PIPE, Exit
from discobert.errors import UsageError

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
"""Control characters but line end and tab."""
_COLOURS = re.compile(r"(\x1b\[(?:0|1;32|2)m)")
"""What ``render.screen`` writes, and nothing else: harmless in a document, too."""

_NARROWEST = 20


def reserve_streams() -> None:
    """Open the null device in the place of closed streams.

    Else the next file that is opened would take their number, and what is printed would go there.
    """
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:  # standard input can be read, the others written
            os.open(os.devnull, os.O_RDONLY if number == 0 else os.O_WRONLY)


def visible(text: str) -> str:
    """Write control characters out; line ends, tabs and the colours of results stay."""
    parts = _COLOURS.split(text)
    parts[::2] = [
        _CONTROL.sub(lambda match: f"\\x{ord(match[0]):02x}", part) for part in parts[::2]
    ]
    return "".join(parts)


def on_terminal(stream: TextIO | None) -> bool:
    """Return whether a stream is open and a terminal."""
    return stream is not None and stream.isatty()


def show(text: str) -> None:
    """Write a text of our own to standard output."""
    write_out(text.encode("utf-8", "backslashreplace"))


def show_result(text: str) -> None:
    """Write a result to standard output as UTF-8; control characters are shown on a terminal."""
    if on_terminal(sys.stdout):
        text = visible(text)
    show(text)


def write_out(data: bytes) -> None:
    """Write all bytes to standard output; raise an error if it is closed or full."""
    if sys.stdout is None:
        raise UsageError("standard output is closed; name a file with -o")
    try:
        _write_all(data)
    except BrokenPipeError:
        _discard_output()
        raise Exit(BROKEN_PIPE) from None
    except OSError as error:
        _discard_output()
        raise UsageError(f"standard output: cannot be written: {error.strerror}") from error


def _write_all(data: bytes) -> None:
    rest = memoryview(data)
    while rest:  # an unbuffered stream (python -u) may take a part only
        rest = rest[sys.stdout.buffer.write(rest) :]
    sys.stdout.flush()


def _discard_output() -> None:
    """Discard the rest of the buffer, which would raise again at shutdown."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def tell(message: str) -> None:
    """Print a line to standard error, wrapped on a terminal.

    If standard error is closed or full, the line is lost.
    """
    if sys.stderr is None:
        return
    try:
        print(
            _wrapped(message) if on_terminal(sys.stderr) else message, file=sys.stderr, flush=True
        )
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stderr.fileno())


def _wrapped(message: str) -> str:
    """Break a message into lines of the terminal's width; those after the first are indented."""
    width = max(_NARROWEST, shutil.get_terminal_size().columns)
    return textwrap.fill(
        visible(message),
        width,
        subsequent_indent="  ",
        break_long_words=False,
        break_on_hyphens=False,
    )
