"""The latest lines of the program's log, kept for a report."""

import logging
from collections import deque

MOST = 400


class LatestLog(logging.Handler):
    """Keeps the latest lines in memory; from any thread."""

    def __init__(self) -> None:
        """Begin with none."""
        super().__init__(logging.INFO)
        self.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s %(message)s"))
        self._lines: deque[str] = deque(maxlen=MOST)

    def emit(self, record: logging.LogRecord) -> None:
        """Keep a record, with its traceback."""
        self._lines.append(self.format(record))

    def lines(self) -> list[str]:
        """Give the lines, the oldest first."""
        return list(self._lines)

    def listen(self) -> None:
        """Keep what is logged from now on."""
        logging.getLogger().addHandler(self)

    def close(self) -> None:
        """Listen no more."""
        logging.getLogger().removeHandler(self)
        super().close()
