"""What works on this machine, and what to do about what does not."""

import shutil
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

import cv2

from calibration.fiducials import grey_of
from calibration.mat import Mat, MatError, mats_in
from calibration.picture_check import check_picture
from companion.adapters.backup.folder import BackupFolder
from companion.adapters.cameras.rpicam import find_rpicam
from companion.adapters.cameras.specs import open_camera
from companion.adapters.catalogs import list_catalog_names, load_named_catalog
from companion.adapters.certificates.inspection import examine_certificates
from companion.adapters.clock import SystemClock
from companion.adapters.journal.sqlite import JournalFileError, SqliteJournal
from companion.adapters.network import list_ip_addresses
from companion.adapters.stores import SettingsError, load_settings
from companion.config import DataFolder, ExternalPaths
from companion.game_api.catalog_parsing import CatalogError
from companion.game_api.manifest import Edition, Manifest
from companion.qr.zbar import zbar_is_available
from companion.resources import MissingResourceError, templates_folder
from companion.service.backups import BackupFault
from companion.service.camera.camera import Camera, CameraError, Frame
from companion.service.ports import Finding
from companion.service.table.registry import Tables
from companion.simulator.table import SimulatedTable
from companion.vision.label.label import STANDARD_LABEL

# --- machine
# The machine itself: power, clock, network, the card it writes to, and how old the newest backup is.

WRITTEN = datetime(2026, 11, 1, tzinfo=UTC)
"""No clock that goes right is before this program."""
WORN = 9
"""Tenths of a card's life, as it says itself (JEDEC eMMC, DEVICE_LIFE_TIME_EST)."""
STALE = timedelta(days=14)
UNDER_VOLTAGE = {0x1: "now", 0x10000: "since the start"}
"""Bits of ``vcgencmd get_throttled`` (Raspberry Pi OS)."""


def examine_machine(
    folder: DataFolder,
    elsewhere: ExternalPaths = ExternalPaths(),  # noqa: B008 - it never changes
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
    yield _network(list_ip_addresses())
    yield from _card(root)
    yield from _backups(folder, elsewhere.backups, now())
    yield from examine_certificates(folder.https, now(), elsewhere.certificate)


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
    changed = shelf.last_changed()
    if newest is None:
        yield Finding("backups", works=False, needed=False, message="there is none yet", mend="companion backup FILE")
        return
    stale = changed is not None and changed - newest.made > STALE
    mend = "look at the log for why none was made; companion backup FILE makes one" if stale else ""
    age = max(0, (now - newest.made).days)
    message = "the newest is of today" if not age else f"the newest is {age} days old"
    yield Finding("backups", not stale, needed=False, message=message, mend=mend)


# --- picture_findings
# What doctor says of a camera's picture: light and focus.

LIGHT = {"too_dark": "turn on a lamp above the table", "too_bright": "dim the lamp or shorten the exposure"}
FOCUS = {
    "soft": "turn the lens a little; labels near the edge may need another look",
    "blurred": "turn the lens, clean it, or hold the camera still",
}


def examine_picture(frame: Frame) -> Iterator[Finding]:
    """Judge a frame as *Check the camera* does, without looking for labels."""
    _, _, symbol_mm = STANDARD_LABEL.symbol_mm
    judged = check_picture(grey_of(frame.image), (), symbol_mm)
    glare = f"glare in {len(judged.glare)} places" if judged.glare else ""
    yield Finding(
        "light",
        judged.light == "good" and not glare,
        needed=False,
        message=judged.light.replace("_", " ") if judged.light != "good" else glare or "good",
        mend=LIGHT.get(
            judged.light, "move the lamp to the side so that it does not mirror in the cards" if glare else ""
        ),
    )
    yield Finding(
        "focus",
        judged.focus != "blurred",
        needed=False,
        message=judged.focus or "nothing in view to judge it by",
        mend=FOCUS.get(judged.focus or "", ""),
    )


RESTORE = "companion restore FILE puts a backup in its place"
MIN_FREE_BYTES = 100_000_000
"""Bytes: below, a full disk is near."""
PATIENCE_S = 6.0
"""Seconds that a camera has for its first picture: as long as it takes to count as stuck, and a little more."""
_BETWEEN_LOOKS_S = 0.05


def examine_installation(
    folder: DataFolder,
    games: Mapping[str, Edition],
    broken: Mapping[str, str],
    camera: str | None = None,
    looking: Iterable[Finding] = (),
    elsewhere: ExternalPaths = ExternalPaths(),  # noqa: B008 - it never changes
) -> Iterator[Finding]:
    """Look at everything, the needed things first.

    ``games`` are those that were opened, ``broken`` those that could not be loaded, and why; ``camera``: the spec of
    one that a picture is asked of; ``looking``: what is known of a camera that somebody looks through just now.
    """
    python = f"Python {sys.version_info.major}.{sys.version_info.minor}"
    yield Finding("python", sys.version_info >= (3, 11), needed=True, message=python, mend="")
    yield _pages()
    yield from _games(games, broken)
    data = _data(folder)
    yield data
    if data.works or not data.needed:  # what is in a folder that cannot be written to may not be readable either
        yield from _kept(folder, games)
        for game in games.values():
            yield from _catalogs(folder, game)
    yield from tuple(looking) or _camera(camera, games)
    second = zbar_is_available()
    yield Finding(
        "second reader",
        second,
        needed=False,
        message="libzbar is there" if second else "libzbar is missing; zxing-cpp reads alone",
        mend="" if second else "apt-get install libzbar0",
    )
    yield from examine_machine(folder, elsewhere)


def _pages() -> Finding:
    try:
        templates_folder()
    except MissingResourceError:
        message, mend = "templates are missing", "install the companion again"
        return Finding("pages", works=False, needed=True, message=message, mend=mend)
    return Finding("pages", works=True, needed=True, message="templates found")


def _games(games: Mapping[str, Edition], broken: Mapping[str, str]) -> Iterator[Finding]:
    """Say which games can be played; without any the app has nothing to serve."""
    titles = ", ".join(one.manifest.title for one in games.values())
    mend = "" if games else "install the companion again"
    yield Finding("games", bool(games), needed=True, message=titles or "none is installed", mend=mend)
    for name, why in broken.items():
        yield Finding(
            f"game {name}", works=False, needed=False, message=why, mend="update or uninstall it; the others run"
        )
    for name, game in games.items():
        yield from _brought(name, game.manifest)


def _brought(name: str, manifest: Manifest) -> Iterator[Finding]:
    """Say what of that which a game brings cannot be used, although it can be played."""
    mend = "update it; it is played without"
    try:
        _mats({name: manifest})
    except MatError as fault:
        yield Finding(f"mats of {name}", works=False, needed=False, message=str(fault), mend=mend)
    try:
        _ = None if manifest.face is None else manifest.face()
    except Exception as error:  # noqa: BLE001 - pages from elsewhere may fail in any way
        why = f"{type(error).__name__}: {error}"
        yield Finding(f"pages of {name}", works=False, needed=False, message=" ".join(why.split()), mend=mend)


def _mats(games: Mapping[str, Manifest]) -> dict[str, Mat]:
    """Give the mats that games bring; ``MatError``."""
    return {mat.name: mat for one in games.values() if one.mats is not None for mat in mats_in(one.mats).values()}


def _data(folder: DataFolder) -> Finding:
    try:
        folder.path.mkdir(mode=0o700, parents=True, exist_ok=True)
        probe = folder.path / ".writable"
        probe.write_bytes(b"companion")
        probe.unlink()
    except OSError as error:
        return Finding(
            "data folder",
            works=False,
            needed=True,
            message=f"{folder.path}: {error.strerror}",
            mend="name a folder that you may write to with --data",
        )
    free = shutil.disk_usage(folder.path).free
    enough = free >= MIN_FREE_BYTES
    return Finding(
        "data folder",
        enough,
        needed=False,
        message=f"{folder.path}, {free // 1_000_000} MB free",
        mend="" if enough else "make room on this disk",
    )


def _kept(folder: DataFolder, games: Mapping[str, Edition]) -> Iterator[Finding]:
    """Look at the journal and the settings, where there are any."""
    if folder.journal.is_file():
        torn: dict[str, str] = {}
        yield _tried("journal", lambda: _journal(folder.journal, games, torn), RESTORE)
        for table, fault in torn.items():
            yield Finding(f"table {table}", works=False, needed=False, message=fault, mend=RESTORE)
    if folder.settings.is_file():
        yield _tried("settings", lambda: _settings(folder.settings), "delete the file to have a new PIN made up")


def _journal(path: Path, games: Mapping[str, Edition], torn: dict[str, str]) -> str:
    """Resume every table as ``serve`` would; those that cannot be are put into ``torn``."""
    journal = SqliteJournal(path)
    try:
        found = Tables(games, journal, SystemClock(), str, list)
        torn.update(found.torn)
        return f"{len(found.running())} tables, SQLite {sqlite3.sqlite_version}"
    finally:
        journal.close()


def _settings(path: Path) -> str:
    load_settings(path)
    return "PIN and key are there"


def _catalogs(folder: DataFolder, game: Edition) -> Iterator[Finding]:
    bundled = game.cards.bundled
    for name in list_catalog_names(game.cards, folder.catalogs, game.name):
        yield _tried(
            f"catalog {name}" if name not in bundled else f"catalog {name} of {game.manifest.title}",
            partial(_catalog, name, folder, game),
            "mend the lines named, or take the file away",
            needed=name in bundled,
        )


def _catalog(name: str, folder: DataFolder, game: Edition) -> str:
    return game.cards.title(load_named_catalog(name, game.cards, folder.catalogs, game.name))


def _tried(name: str, look: Callable[[], str], mend: str, *, needed: bool = True) -> Finding:
    try:
        return Finding(name, works=True, needed=needed, message=look())
    except (JournalFileError, SettingsError, CatalogError, OSError) as error:
        return Finding(name, works=False, needed=needed, message=" ".join(str(error).split()), mend=mend)


def _camera(spec: str | None, games: Mapping[str, Edition]) -> list[Finding]:
    """Look for a USB camera or the Pi's own; with a ``spec`` wait for a picture of that camera."""

    def simulated(seed: int) -> SimulatedTable:
        return SimulatedTable(seed, {}, mats=_mats({name: one.manifest for name, one in games.items()}))

    try:
        camera = open_camera(spec or "usb", simulated)
        try:
            found = [_found(camera.name)] if spec is None else _looked_through(camera)
        finally:
            camera.close()
    except (CameraError, MatError) as error:
        program = find_rpicam() if spec is None else None
        if program is not None:
            return [_found(f"{program} is here: serve --camera pi")]
        mend = "without one the simulated camera plays" if spec is None else "serve goes on trying"
        return [Finding("camera", works=False, needed=False, message=str(error), mend=mend)]
    return found


def _found(message: str) -> Finding:
    return Finding("camera", works=True, needed=False, message=message)


def _looked_through(camera: Camera) -> list[Finding]:
    """Judge a camera's first picture; ``CameraError`` where none comes for ``PATIENCE_S``."""
    give_up = time.monotonic() + PATIENCE_S
    while time.monotonic() < give_up:
        frame = camera.grab()
        if frame is not None:
            height, width = frame.image.shape[:2]
            return [_found(f"{camera.name}: {width} x {height}"), *examine_picture(frame)]
        time.sleep(_BETWEEN_LOOKS_S)
    raise CameraError(f"camera {camera.name}: no picture for {PATIENCE_S:g} s")
