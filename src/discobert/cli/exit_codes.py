"""What every exit code means, in one place."""

from discobert.errors import BundleError, DiscobertError, InputError, MissingExtra, UsageError

DONE = 0
FAULT = 1
USAGE = 2
INPUT = 3
BUNDLE = 4
INTERRUPTED = 130  # as a shell reports a command that Ctrl-C has ended
BROKEN_PIPE = 141  # as a shell reports a command whose reader has left


class Exit(Exception):
    """Leave with a code."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


# The first kind that fits decides.
_CODES: tuple[tuple[type[Exception], int], ...] = (
    (UsageError, USAGE),
    (MissingExtra, USAGE),
    (InputError, INPUT),
    (BundleError, BUNDLE),
    (DiscobertError, FAULT),
)


def exit_code(error: DiscobertError) -> int:
    """Return the code for an error raised on purpose."""
    return next(code for kind, code in _CODES if isinstance(error, kind))
