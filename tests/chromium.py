"""Return whether browser tests can run here: Chromium, and the program that steers it."""

import shutil
import subprocess
from functools import cache

from playwright._impl._driver import compute_driver_executable

CHROMIUM = shutil.which("chromium-headless-shell") or shutil.which("chromium") or ""
"""The browser without a window, which takes half as long, or the whole one; ``""``: there is none."""
FIXTURE = "playwright"
"""What every test that steers a browser stands on."""


@cache
def missing() -> str | None:
    """Return in one line what keeps browser tests from running; ``None``: nothing does."""
    if not CHROMIUM:
        return "Chromium is missing: sudo apt install chromium-headless-shell"
    try:
        subprocess.run([*compute_driver_executable(), "--version"], capture_output=True, check=True, timeout=60)
    except (OSError, subprocess.SubprocessError):
        return "the program that steers Chromium does not start: sudo apt install libatomic1"
    return None
