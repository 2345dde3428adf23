"""A Raspberry Pi with a gigabyte is enough: a whole evening with camera and dice, as a process of its own."""

import json
import subprocess
import sys
import time
from pathlib import Path

import pytest

LIMIT_MB = 700
SAMPLED_EVERY_S = 0.2


def peak_mb(status: Path) -> float:
    """Return what a process has held at most so far, in megabytes; 0 once it has ended."""
    try:
        lines = dict(line.split(":", 1) for line in status.read_text(encoding="utf-8").splitlines())
    except (FileNotFoundError, ProcessLookupError):
        return 0.0
    return int(lines.get("VmHWM", "0 kB").split()[0]) / 1024


@pytest.mark.nightly
@pytest.mark.skipif(sys.platform != "linux", reason="Linux tells what a process held at most")
@pytest.mark.parametrize("game", ["master_builder", "men_at_work", "monopoly_builder"])
def test_an_evening_under_the_camera_takes_less_than_700_megabytes(game: str, tmp_path: Path) -> None:
    # given a real process in which bots lay cards and roll dice under the simulated camera until the game is over
    command = (sys.executable, "-m", "companion", "demo", "--game", game, "--headless", "--json", "--seed", "3")
    peak, printed = 0.0, tmp_path / "printed"
    with (
        printed.open("w", encoding="utf-8") as output,
        subprocess.Popen(command, stdout=output, stderr=subprocess.DEVNULL) as program,
    ):
        while program.poll() is None:
            peak = max(peak, peak_mb(Path(f"/proc/{program.pid}/status")))
            time.sleep(SAMPLED_EVERY_S)

    # then it has ended well, and never held more
    assert program.returncode == 0
    assert json.loads(printed.read_text(encoding="utf-8"))["position"]["finished"]
    assert 50 < peak < LIMIT_MB
