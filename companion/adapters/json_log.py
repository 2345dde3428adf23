"""The log as one JSON object a line, for programs that gather logs."""

import json
import logging
from datetime import UTC, datetime


class JsonLines(logging.Formatter):
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


def speak_json() -> None:
    """Let everything that is logged from now on go out as JSON lines."""
    for handler in logging.getLogger().handlers:
        handler.setFormatter(JsonLines())
    logging.captureWarnings(capture=True)
