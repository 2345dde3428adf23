"""The lines that the program itself has logged during a test."""

import pytest


def own_lines(caplog: pytest.LogCaptureFixture) -> list[str]:
    """Return the program's own lines: a browser's loop in the same process may log something besides."""
    return [record.getMessage() for record in caplog.records if record.name.startswith("companion.")]
