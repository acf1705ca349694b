"""Every error that discobert raises on purpose.

DiscobertError
 ├── InvalidValue         a value that contradicts itself: our fault, or hand-made data
 │    ├── InvalidSpan     offsets outside their container, out of order, or leaving text uncovered
 │    ├── InvalidTree     an RST tree that skips, repeats or disorders EDUs
 │    └── InvalidGraph    an edge that leaves its graph
 ├── UsageError           options that contradict each other or are out of range
 │    ├── ConfigError     a configuration file with a wrong key or value
 │    ├── WrongType       an argument of a type that is not taken; a TypeError as well
 │    └── UnknownOption   a keyword that is not taken; a TypeError as well
 ├── InputError           input that cannot be read, is empty, or is not what it claims to be
 │    ├── FormatError     a file whose content breaks its format (tree files, JSON, JSONL, columns)
 │    ├── MissingFile     a file that is not there; a FileNotFoundError as well
 │    ├── TooLarge        a text above a limit; the message names limit, size and option
 │    └── OutOfMemory     a text for which there is not enough memory
 ├── BundleError          a model bundle that is missing, damaged or of another version
 └── MissingExtra         an optional dependency that is not installed
"""

import reprlib


class DiscobertError(Exception):
    """Base of all errors raised on purpose."""


class InvalidValue(DiscobertError, ValueError):
    """A value contradicts itself."""


class InvalidSpan(InvalidValue):
    """Offsets lie outside their container, are out of order, or leave text uncovered."""


class InvalidTree(InvalidValue):
    """An RST tree skips, repeats or disorders EDUs."""


class InvalidGraph(InvalidValue):
    """An edge leaves its graph."""


class UsageError(DiscobertError, ValueError):
    """Options contradict each other or are out of range; a ValueError as well."""


class ConfigError(UsageError):
    """A configuration has an unknown key or a value out of range."""


class WrongType(UsageError, TypeError):
    """An argument has a type that is not taken; the message says which are."""

    def __init__(self, name: str, taken: str, value: object, hint: str = "") -> None:
        kind = "None" if value is None else type(value).__name__
        got = f"{reprlib.repr(value)} ({kind})" if isinstance(value, str | int | float) else kind
        super().__init__(f"{name} must be {taken}, got {got}{f'; {hint}' if hint else ''}")


class UnknownOption(UsageError, TypeError):
    """A keyword is none of the options."""


class InputError(DiscobertError, ValueError):
    """Input cannot be read, is empty, or is not what it claims to be; a ValueError as well."""


class FormatError(InputError):
    """The content of a file breaks its format."""


class MissingFile(InputError, FileNotFoundError):
    """A file is not there."""


class TooLarge(InputError):
    """A text is above a limit."""


class OutOfMemory(InputError):
    """There is not enough memory for a text."""


class BundleError(DiscobertError):
    """A model bundle is missing, damaged or of another version."""


class MissingExtra(DiscobertError, ImportError):
    """An optional dependency is not installed; the message holds the install line."""

    def __init__(self, package: str, extra: str) -> None:
        super().__init__(
            f"{package} is not installed: this needs the '{extra}' extra; "
            f"run: pip install 'discobert[{extra}]' (in a clone: pip install '.[{extra}]')"
        )
