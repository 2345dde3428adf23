"""The log as one JSON object a line, for programs that gather logs."""

import json
import logging
from collections import deque
from datetime import UTC, datetime


class JsonLineFormatter(logging.Formatter):
    """Writes a record as ``{"time", "level", "logger", "message"}``, with ``"error"`` where there is a traceback.

    ``time`` is UTC (RFC 3339, milliseconds).
    """

    def format(self, record: logging.LogRecord) -> str:
        """Give the line, without its end."""
        at = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        said = {
            "time": at.replace("+00:00", "Z"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        if record.exc_info:
            said["error"] = self.formatException(record.exc_info)
        return json.dumps(said, ensure_ascii=False)


def log_as_json() -> None:
    """Let everything that is logged from now on go out as JSON lines."""
    for handler in logging.getLogger().handlers:
        handler.setFormatter(JsonLineFormatter())
    logging.captureWarnings(capture=True)


# --- latest_log
# The latest lines of the program's log, kept for a report.

MAX_LINES = 400


class RecentLog(logging.Handler):
    """Keeps the latest lines in memory; from any thread."""

    def __init__(self) -> None:
        """Begin with none."""
        super().__init__(logging.INFO)
        self.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s %(message)s"))
        self._lines: deque[str] = deque(maxlen=MAX_LINES)

    def emit(self, record: logging.LogRecord) -> None:
        """Keep a record, with its traceback."""
        self._lines.append(self.format(record))

    def lines(self) -> list[str]:
        """Give the lines, the oldest first."""
        return list(self._lines)

    def attach(self) -> None:
        """Keep what is logged from now on."""
        logging.getLogger().addHandler(self)

    def close(self) -> None:
        """Listen no more."""
        logging.getLogger().removeHandler(self)
        super().close()
