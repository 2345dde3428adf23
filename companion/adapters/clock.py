"""The time of day."""

from datetime import UTC, datetime


class SystemClock:
    """The machine's clock.  A Pi without a clock chip may wake up in the past: nothing orders by it."""

    def now(self) -> str:
        """UTC in ISO 8601 with seconds."""
        return datetime.now(UTC).isoformat(timespec="seconds")


def local_now() -> datetime:
    """Give the time on the wall, with its place on earth."""
    return datetime.now().astimezone()
