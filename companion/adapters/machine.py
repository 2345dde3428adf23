"""The machine itself: power, clock, network, the card it writes to, and how old the newest backup is."""

import shutil
import subprocess
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import cv2

from companion.adapters.addresses import own_numbers
from companion.adapters.backup_folder import BackupFolder
from companion.adapters.certificates.looked_at import certificate_findings
from companion.config import DataFolder, Elsewhere
from companion.service.backups import BackupFault
from companion.service.findings import Finding

WRITTEN = datetime(2026, 11, 1, tzinfo=UTC)
"""No clock that goes right is before this program."""
WORN = 9
"""Tenths of a card's life, as it says itself (JEDEC eMMC, DEVICE_LIFE_TIME_EST)."""
STALE = timedelta(days=14)
UNDER_VOLTAGE = {0x1: "now", 0x10000: "since the start"}
"""Bits of ``vcgencmd get_throttled`` (Raspberry Pi OS)."""


def machine_findings(
    folder: DataFolder,
    elsewhere: Elsewhere = Elsewhere(),  # noqa: B008 - it never changes
    *,
    root: Path = Path("/"),
    now: Callable[[], datetime] = lambda: datetime.now(UTC),
    throttled: Callable[[], str | None] | None = None,
) -> Iterator[Finding]:
    """Look at the machine; what it cannot say of itself is left out.

    ``root``: where the machine's own files lie.
    """
    yield Finding("opencv", works=True, needed=False, message=f"OpenCV {cv2.__version__}")
    yield from _power((throttled or _asked_throttled)())
    yield _clock(root, now())
    yield _network(own_numbers())
    yield from _card(root)
    yield from _backups(folder, elsewhere.backups, now())
    yield from certificate_findings(folder.https, now(), elsewhere.certificate)


def _asked_throttled() -> str | None:
    """Ask a Raspberry Pi about its power, *untested on hardware*; ``None``: it is none."""
    program = shutil.which("vcgencmd")
    if program is None:
        return None
    try:
        asked = subprocess.run([program, "get_throttled"], capture_output=True, text=True, timeout=5, check=False)  # noqa: S603
    except (OSError, subprocess.TimeoutExpired):
        return None
    return asked.stdout.strip() or None


def _power(throttled: str | None) -> Iterator[Finding]:
    name, _, bits = (throttled or "").partition("=")
    try:
        held = int(bits if name == "throttled" else "", 16)
    except ValueError:
        return
    low = [when for bit, when in UNDER_VOLTAGE.items() if held & bit]
    message = f"too little voltage {' and '.join(low)}" if low else "enough voltage since the start"
    mend = "use the power supply made for this board, and a short cable" if low else ""
    yield Finding("power", not low, needed=False, message=message, mend=mend)


def _clock(root: Path, now: datetime) -> Finding:
    said = now.astimezone().isoformat(sep=" ", timespec="minutes")
    synchronised = root / "run/systemd/timesync"
    if now < WRITTEN:
        mend = "connect it to the internet once, or set it with: date --set"
        return Finding("clock", works=False, needed=False, message=f"{said} cannot be right", mend=mend)
    if synchronised.is_dir() and not (synchronised / "synchronized").exists():
        return Finding("clock", works=True, needed=False, message=f"{said}, not compared with the internet yet")
    return Finding("clock", works=True, needed=False, message=said)


def _network(numbers: list[str]) -> Finding:
    if numbers:
        return Finding("network", works=True, needed=False, message=f"phones find it at {', '.join(numbers)}")
    mend = "join a network; phones and tablets cannot come in without one"
    return Finding("network", works=False, needed=False, message="there is none", mend=mend)


def _card(root: Path) -> Iterator[Finding]:
    """Say how worn a card is, where it says so, and whether a file system has met errors."""
    for path in sorted(root.glob("sys/block/*/device/life_time")):
        used = [int(one, 16) for one in _read(path).split() if one.startswith("0x")]
        if used:
            name, worn = f"wear of {path.parts[-3]}", max(used) >= WORN
            mend = "make a backup, and change the card" if worn else ""
            yield Finding(name, not worn, needed=False, message=f"{max(used) * 10} % of its life at most", mend=mend)
    for path in sorted(root.glob("sys/fs/ext4/*/errors_count")):
        errors = _read(path).strip()
        if errors.isdecimal() and int(errors):
            mend = "make a backup on a stick, and change the card"
            message = f"the file system has met {errors} errors"
            yield Finding(f"disk {path.parts[-2]}", works=False, needed=False, message=message, mend=mend)


def _read(path: Path) -> str:
    try:
        return path.read_text("ascii")
    except (OSError, UnicodeDecodeError):
        return ""


def _backups(folder: DataFolder, kept: Path | None, now: datetime) -> Iterator[Finding]:
    if not folder.journal.is_file() or (kept is None and not (folder.path / "backups").is_dir()):
        return
    shelf = BackupFolder(folder, kept)
    try:
        newest = next(iter(shelf.all()), None)
    except BackupFault as fault:
        yield Finding("backups", works=False, needed=False, message=str(fault), mend="look at its rights and its disk")
        return
    changed = shelf.changed()
    if newest is None:
        yield Finding("backups", works=False, needed=False, message="there is none yet", mend="companion backup FILE")
        return
    stale = changed is not None and changed - newest.made > STALE
    mend = "look at the log for why none was made; companion backup FILE makes one" if stale else ""
    age = max(0, (now - newest.made).days)
    message = "the newest is of today" if not age else f"the newest is {age} days old"
    yield Finding("backups", not stale, needed=False, message=message, mend=mend)
