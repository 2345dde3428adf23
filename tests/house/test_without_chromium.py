"""On a machine without Chromium or its driver the browser tests are skipped by name, and the others run."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests import chromium

ROOT = Path(__file__).resolve().parents[2]
BOTH = ("tests/web_pages/test_browser_once.py", "tests/house/test_coverage_floors.py")


@pytest.mark.nightly
def test_without_chromium_browser_tests_are_skipped_by_name_and_the_others_run(tmp_path: Path) -> None:
    # given a machine on whose path there is no Chromium
    nowhere = {**os.environ, "PATH": str(tmp_path)}
    command = (sys.executable, "-m", "pytest", "-q", "-rs", "-p", "no:cacheprovider", *BOTH)
    said = subprocess.run(command, cwd=ROOT, env=nowhere, capture_output=True, text=True, check=False)

    # then nothing fails, and what was left out is told with the mend
    assert said.returncode == 0, said.stdout
    assert re.search(r"^5 passed, \d+ skipped in", said.stdout, re.MULTILINE), said.stdout
    assert "sudo apt install chromium" in said.stdout


def test_a_driver_that_does_not_start_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chromium, "CHROMIUM", "/usr/bin/chromium")
    monkeypatch.setattr(chromium, "compute_driver_executable", lambda: ("/nowhere/node", "cli.js"))
    chromium.missing.cache_clear()
    try:
        assert "libatomic1" in str(chromium.missing())
    finally:
        chromium.missing.cache_clear()
