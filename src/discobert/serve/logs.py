"""Logs as lines of JSON on standard error. Texts, names of files and queries are never logged."""

import json
import logging
import sys
import time
import traceback

LOGGER = logging.getLogger("discobert.serve")
_FIELDS = "fields"


class JsonFormatter(logging.Formatter):
    """Writes a record as one line of JSON."""

    def format(self, record: logging.LogRecord) -> str:
        """Write time, level, logger, message and the fields given with ``log``."""
        stamp = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created))
        line = {
            "time": f"{stamp}.{int(record.msecs):03d}Z",
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
            **getattr(record, _FIELDS, {}),
        }
        if record.exc_info and record.exc_info[0] is not None:
            line["error"] = record.exc_info[0].__name__
            # Places only: the message of an error may quote the text.
            frames = traceback.extract_tb(record.exc_info[2])[-8:]
            line["at"] = [f"{frame.filename}:{frame.lineno}" for frame in frames]
        return json.dumps(line, ensure_ascii=False, default=str)


def log(event: str, *, level: int = logging.INFO, **fields: object) -> None:
    """Log an event with its fields."""
    LOGGER.log(level, event, extra={_FIELDS: fields})


def set_up_logs(*, quiet: bool = False) -> None:
    """Send the records of the service and of the libraries that it runs on to standard error."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonFormatter())
    for name, least in (
        ("discobert.serve", logging.WARNING if quiet else logging.INFO),
        ("uvicorn", logging.WARNING),
        ("mcp", logging.WARNING),
        ("asyncio", logging.ERROR),
    ):
        logger = logging.getLogger(name)
        logger.handlers = [handler]
        logger.setLevel(least)
        logger.propagate = False
