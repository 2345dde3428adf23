"""The program's log: as JSON lines, and its latest lines kept in memory for a report."""

import logging
import multiprocessing
import os
from collections import deque
from datetime import UTC, datetime

from companion.game_api.codec import json_line

MAX_LINES = 400
"""Lines that ``RecentLog`` remembers."""


class JsonLineFormatter(logging.Formatter):
    """Formats a record as ``{"time", "level", "logger", "message"}``, with ``"error"`` where there is a traceback.

    ``"process"`` names the process where there are several.

    ``time`` is UTC (RFC 3339, milliseconds).
    """

    def format(self, record: logging.LogRecord) -> str:
        """Return the record as one line of JSON, without a line break."""
        at = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        fields = {
            "time": at.replace("+00:00", "Z"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        if record.processName not in {None, "MainProcess"}:
            fields["process"] = str(record.processName)
        if record.exc_info:
            fields["error"] = self.formatException(record.exc_info)
        return json_line(fields)


def log_as_json() -> None:
    """Format everything that is logged from now on as JSON lines."""
    for handler in logging.getLogger().handlers:
        handler.setFormatter(JsonLineFormatter())
    logging.captureWarnings(capture=True)


def is_kept_by_system() -> bool:
    """Return whether the system's journal keeps what is written to stderr, where more people read it than a terminal.

    systemd names what it connected in ``JOURNAL_STREAM``.
    """
    about = os.fstat(2)
    return os.environ.get("JOURNAL_STREAM") == f"{about.st_dev}:{about.st_ino}"


def name_process(name: str) -> None:
    """Name this process in its log lines, as one of several whose lines stand together."""
    multiprocessing.current_process().name = name
    for handler in logging.getLogger().handlers:
        handler.setFormatter(logging.Formatter("%(processName)s %(levelname)s %(message)s"))


class RecentLog(logging.Handler):
    """Keeps the latest log lines in memory.  Thread-safe."""

    def __init__(self) -> None:
        """Start empty."""
        super().__init__(logging.INFO)
        self.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s %(message)s"))
        self._lines: deque[str] = deque(maxlen=MAX_LINES)

    def emit(self, record: logging.LogRecord) -> None:
        """Remember a record, with its traceback."""
        self._lines.append(self.format(record))

    def lines(self) -> list[str]:
        """Return the lines, oldest first."""
        return list(self._lines)

    def attach(self) -> None:
        """Remember what is logged from now on."""
        logging.getLogger().addHandler(self)

    def close(self) -> None:
        """Remember nothing more."""
        logging.getLogger().removeHandler(self)
        super().close()
