"""The oldest OpenCV that is promised to work does: what looks at pictures runs under it too."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.nightly

ROOT = Path(__file__).resolve().parents[2]
LOCK = ROOT / "deploy" / "requirements-opencv-4.10.lock"
PATIENCE = ("--retries", "1", "--timeout", "20")
LOOKING = (
    "tests/calibration",
    "tests/vision/test_track.py",
    "tests/vision/test_watch.py",
    "tests/vision/test_read.py",
    "tests/adapters/test_pictures.py",
    "tests/adapters/test_jpeg.py",
    "tests/service/test_scanner_mat.py",
    "tests/recordings",
)


@pytest.fixture(scope="module")
def oldest() -> Path:
    """A folder with that OpenCV alone; it is kept beside the libraries, so that it comes over the network once."""
    inside = sys.prefix != sys.base_prefix
    folder = Path(sys.prefix) / "opencv-4.10" if inside else ROOT / "build" / "opencv-4.10"
    kept = folder / "lock"
    if kept.is_file() and kept.read_text(encoding="utf-8") == LOCK.read_text(encoding="utf-8"):
        return folder
    shutil.rmtree(folder, ignore_errors=True)
    wanted = ("--no-deps", "--require-hashes", "--target", str(folder), "-r", str(LOCK))
    if uv := shutil.which("uv"):
        install = [uv, "pip", "install", "--quiet", "--python", sys.executable, *wanted]
    else:
        install = [
            sys.executable,
            "-m",
            "pip",
            "install",
            "-qq",
            "--disable-pip-version-check",
            "--no-input",
            *PATIENCE,
            *wanted,
        ]
    done = subprocess.run(install, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    if done.returncode:
        reason = (done.stderr or done.stdout).strip().splitlines() or ["no reason given"]
        pytest.skip(f"OpenCV 4.10 is not to be had from the package index: {reason[-1]}")
    shutil.copy(LOCK, kept)
    return folder


def test_lens_table_mat_and_labels_are_seen_with_the_oldest_opencv(oldest: Path) -> None:
    dropped = ("COV", "COVERAGE", "PYTEST")  # its lines are counted with the newest one
    environment = {key: value for key, value in os.environ.items() if not key.startswith(dropped)}
    environment["PYTHONPATH"] = os.pathsep.join([str(oldest), str(ROOT)])
    python = [sys.executable, "-c", "import cv2; print(cv2.__version__)"]
    version = subprocess.run(python, env=environment, capture_output=True, text=True, check=True).stdout
    assert version.startswith("4.10.")

    tests = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *LOOKING]
    done = subprocess.run(tests, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)

    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-1000:]
