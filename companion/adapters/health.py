"""Examine an installation and its machine: what works, and what to do about the rest."""

import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing, suppress
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

import cv2

from calibration.bounded_toml import MatError
from calibration.fiducials import to_grey
from calibration.mat import Mat, read_mats
from calibration.picture_check import check_picture
from companion.adapters.backup.folder import BackupFolder
from companion.adapters.cameras.rpicam import find_rpicam
from companion.adapters.cameras.specs import open_camera
from companion.adapters.catalogs import list_catalog_names, load_named_catalog
from companion.adapters.journal.sqlite import JournalFileError, SqliteJournal
from companion.adapters.network import list_ip_addresses
from companion.adapters.stores import SettingsError, load_settings
from companion.adapters.system import os_error_reason
from companion.config import DataFolder, ExternalPaths
from companion.game_api.catalog_parsing import CatalogError
from companion.game_api.manifest import LoadedGame, Manifest
from companion.qr.zbar import zbar_is_available
from companion.resources import MissingResourceError, templates_folder
from companion.service.backups import AHEAD, BackupFault
from companion.service.camera.camera import Camera, CameraAbsentError, CameraError, Frame, shown_name
from companion.service.ports import Finding, Journal, NotStored
from companion.service.runtime import SystemClock
from companion.service.table.registry import Tables
from companion.simulator.table import SimulatedTable
from companion.vision.label.label import STANDARD_LABEL

DATABASE_HINT = "see whether the server runs and lets this user in: psql ADDRESS"
RESTORE_HINT = "companion restore FILE puts a backup in its place"
MIN_FREE_BYTES = 100_000_000
"""Free bytes on the disk of the data folder."""
FIRST_PICTURE_TIMEOUT_S = 6.0
"""A little longer than the time after which a camera counts as stalled."""
_POLL_S = 0.05
RELEASED = datetime(2026, 11, 1, tzinfo=UTC)
"""A correct clock shows no earlier time: the program did not exist."""
WORN_TENTHS = 9
"""Tenths of a memory card's life, as it reports them (JEDEC eMMC, DEVICE_LIFE_TIME_EST)."""
BACKUP_STALE_AFTER = timedelta(days=14)
UNDER_VOLTAGE = {0x1: "now", 0x10000: "since the start"}
"""Bits of ``vcgencmd get_throttled`` (Raspberry Pi OS)."""
LIGHT_MENDS = {"too_dark": "turn on a lamp above the table", "too_bright": "dim the lamp or shorten the exposure"}
FOCUS_MENDS = {
    "soft": "turn the lens a little; labels near the edge may need another look",
    "blurred": "turn the lens, clean it, or hold the camera still",
}


def examine_installation(
    folder: DataFolder,
    games: Mapping[str, LoadedGame],
    broken: Mapping[str, str],
    camera: str | None = None,
    camera_findings: Iterable[Finding] = (),
    elsewhere: ExternalPaths = ExternalPaths(),  # noqa: B008 - it never changes
    most_tables: int | None = None,
) -> Iterator[Finding]:
    """Yield a finding for each part of an installation, the needed parts first.

    Args:
        folder: the data folder.
        games: the loaded games.
        broken: games that could not be loaded, with the reason.
        camera: ``--camera`` of one from which a picture is requested.
        camera_findings: findings about a camera that is in use; none is opened then.
        elsewhere: paths outside the data folder.
        most_tables: how many tables are folded, those played on last; ``None``: all.

    """
    python = f"Python {sys.version_info.major}.{sys.version_info.minor}"
    yield Finding("python", sys.version_info >= (3, 11), needed=True, message=python, mend="")
    yield _pages()
    yield from _games(games, broken)
    data = _data(folder)
    yield data
    if data.works or not data.needed:  # what is in a folder that cannot be written to may not be readable either
        yield from _examine_stores(folder, games, elsewhere.database, most_tables)
        for game in games.values():
            yield from _catalogs(folder, game)
    yield from tuple(camera_findings) or _camera(camera, games, folder.mats)
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


def _games(games: Mapping[str, LoadedGame], broken: Mapping[str, str]) -> Iterator[Finding]:
    """Yield which games can be played; without any the app cannot serve."""
    titles = ", ".join(game.manifest.title for game in games.values())
    mend = "" if games else "install the companion again"
    yield Finding("games", bool(games), needed=True, message=titles or "none is installed", mend=mend)
    for name, why in broken.items():
        yield Finding(
            f"game {name}", works=False, needed=False, message=why, mend="update or uninstall it; the others run"
        )
    for name, game in games.items():
        yield from _examine_extras(name, game.manifest)


def _examine_extras(name: str, manifest: Manifest) -> Iterator[Finding]:
    """Yield which mats and pages of a playable game cannot be used."""
    mend = "update it; it is played without"
    try:
        _mats({name: manifest})
    except MatError as fault:
        yield Finding(f"mats of {name}", works=False, needed=False, message=str(fault), mend=mend)
    try:
        _ = None if manifest.ui is None else manifest.ui()
    except Exception as error:  # noqa: BLE001 - pages from elsewhere may fail in any way
        why = f"{type(error).__name__}: {error}"
        yield Finding(f"pages of {name}", works=False, needed=False, message=" ".join(why.split()), mend=mend)


def _mats(games: Mapping[str, Manifest]) -> dict[str, Mat]:
    """Return the mats of games by name; raise ``MatError``."""
    return {mat.name: mat for game in games.values() if game.mats is not None for mat in read_mats(game.mats).values()}


def _data(folder: DataFolder) -> Finding:
    """Examine the data folder; one that is not there yet is not made, but it must be possible to make it."""
    try:
        place = next(path for path in (folder.path, *folder.path.absolute().parents) if path.exists())
        with tempfile.TemporaryFile(dir=place) as probe:
            probe.write(b"companion")
    except OSError as error:
        return Finding(
            "data folder",
            works=False,
            needed=True,
            message=f"{folder.path}: {os_error_reason(error)}",
            mend="name a folder that you may write to with --data",
        )
    message = f"{folder.path}" if place == folder.path else f"{folder.path} is not there yet, the first start makes it"
    free = shutil.disk_usage(place).free
    enough = free >= MIN_FREE_BYTES
    return Finding(
        "data folder",
        enough,
        needed=False,
        message=f"{message}, {free // 1_000_000} MB free",
        mend="" if enough else "make room on this disk",
    )


def _examine_stores(
    folder: DataFolder, games: Mapping[str, LoadedGame], database: str | None, most: int | None
) -> Iterator[Finding]:
    """Yield the state of the journal and the settings, as far as they exist."""
    torn: dict[str, str] = {}
    hint = RESTORE_HINT if database is None else DATABASE_HINT
    if database is not None:
        yield _attempt("database", lambda: _load_database(database, games, torn, most), hint)
    elif folder.journal.is_file():
        yield _attempt("journal", lambda: _load_journal(folder.journal, games, torn, most), hint)
    for table, fault in torn.items():
        yield Finding(f"table {table}", works=False, needed=False, message=fault, mend=hint)
    if folder.settings.is_file():
        yield _attempt("settings", lambda: _load_settings(folder.settings), "delete the file to get a new PIN")


def _load_journal(path: Path, games: Mapping[str, LoadedGame], torn: dict[str, str], most: int | None) -> str:
    """Fold tables as ``serve`` does and return their number; unreadable ones are added to ``torn``."""
    with closing(SqliteJournal(path)) as journal:
        return f"{_count_readable(journal, games, torn, most)}, SQLite {sqlite3.sqlite_version}"


def _load_database(address: str, games: Mapping[str, LoadedGame], torn: dict[str, str], most: int | None) -> str:
    """Fold tables of a database, whatever lists show of them; raise ``JournalFileError`` where it cannot be used."""
    from companion.adapters.journal.postgres import PostgresJournal  # noqa: PLC0415 - its libraries are optional

    with closing(PostgresJournal(address, program=None)) as journal:
        return f"{_count_readable(journal, games, torn, most)}, {journal.describe_server()}"


def _count_readable(journal: Journal, games: Mapping[str, LoadedGame], torn: dict[str, str], most: int | None) -> str:
    """Fold tables; return how many there are in words, and add unreadable ones to ``torn``."""
    registry = Tables(games, journal, SystemClock(), str, list)
    readable, kept = registry.examine(most), registry.count().tables
    torn.update(registry.torn)
    return f"{readable} tables" if most is None or kept <= most else f"{kept} tables, the latest {most} read"


def _load_settings(path: Path) -> str:
    load_settings(path)
    return "PIN and key are there"


def _catalogs(folder: DataFolder, game: LoadedGame) -> Iterator[Finding]:
    bundled = game.cards.bundled
    for name in list_catalog_names(game.cards, folder.catalogs, game.name):
        yield _attempt(
            f"catalog {name}" if name not in bundled else f"catalog {name} of {game.manifest.title}",
            partial(_catalog_title, name, folder, game),
            "mend the lines named, or take the file away",
            needed=name in bundled,
        )


def _catalog_title(name: str, folder: DataFolder, game: LoadedGame) -> str:
    return game.cards.title(load_named_catalog(name, game.cards, folder.catalogs, game.name))


def _attempt(name: str, load: Callable[[], str], mend: str, *, needed: bool = True) -> Finding:
    try:
        return Finding(name, works=True, needed=needed, message=load())
    except (JournalFileError, NotStored, SettingsError, CatalogError, OSError) as error:
        return Finding(name, works=False, needed=needed, message=" ".join(str(error).split()), mend=mend)


def _camera(spec: str | None, games: Mapping[str, LoadedGame], own_mats: Path) -> list[Finding]:
    """Return whether there is a USB or ribbon camera; with a ``spec``, judge a picture of that camera."""

    def simulated(seed: int) -> SimulatedTable:
        mats = _mats({name: game.manifest for name, game in games.items()})
        with suppress(MatError):  # a finding of its own, and serve sets the file aside
            mats |= read_mats(own_mats)
        return SimulatedTable(seed, {}, mats=mats)

    opened = False
    try:
        camera = open_camera(spec or "usb", simulated)
        opened = True
        try:
            return [_camera_works(camera.name)] if spec is None else _judge_first_picture(camera)
        finally:
            camera.close()
    except (CameraError, MatError) as error:
        program = find_rpicam() if spec is None else None
        if program is not None:
            return [_camera_works(f"{program} is here: serve --camera pi")]
        if spec is not None and not isinstance(error, CameraAbsentError) and not opened:
            return [Finding("camera", works=False, needed=True, message=str(error), mend="serve refuses it")]
        mend = "without one the simulated camera plays" if spec is None else "serve goes on trying"
        return [Finding("camera", works=False, needed=False, message=str(error), mend=mend)]


def _camera_works(message: str) -> Finding:
    return Finding("camera", works=True, needed=False, message=message)


def _judge_first_picture(camera: Camera) -> list[Finding]:
    """Judge a camera's first picture; raise ``CameraError`` where none comes for ``FIRST_PICTURE_TIMEOUT_S``."""
    deadline = time.monotonic() + FIRST_PICTURE_TIMEOUT_S
    while time.monotonic() < deadline:
        frame = camera.grab()
        if frame is not None:
            height, width = frame.image.shape[:2]
            return [_camera_works(f"{shown_name(camera.name)}: {width} x {height}"), *examine_picture(frame)]
        time.sleep(_POLL_S)
    raise CameraError(f"camera {shown_name(camera.name)}: no picture for {FIRST_PICTURE_TIMEOUT_S:g} s")


# The machine: power, clock, network, disks, backups and certificates.


def examine_machine(
    folder: DataFolder,
    elsewhere: ExternalPaths = ExternalPaths(),  # noqa: B008 - it never changes
    *,
    root: Path = Path("/"),
    now: Callable[[], datetime] = lambda: datetime.now(UTC),
    throttled: Callable[[], str | None] | None = None,
) -> Iterator[Finding]:
    """Yield the state of power, clock, network, disks, backups and certificates, as far as the machine reports it.

    Args:
        folder: the data folder.
        elsewhere: paths outside the data folder.
        root: the root of the machine's file system.
        now: the time.
        throttled: asks a Raspberry Pi about its power, in the words of ``vcgencmd``; ``None``: not one.

    """
    yield Finding("opencv", works=True, needed=False, message=f"OpenCV {cv2.__version__}")
    yield from _power((throttled or _ask_throttled)())
    yield _clock(root, now())
    yield _network(list_ip_addresses())
    yield from _card(root)
    yield from _backups(folder, elsewhere.backups, now())
    if (elsewhere.certificate or folder.https).exists():
        from companion.adapters.certificates.store import examine_certificates  # noqa: PLC0415 - 8 MB, with HTTPS only

        yield from examine_certificates(folder.https, now(), elsewhere.certificate)


def _ask_throttled() -> str | None:
    """Return what a Raspberry Pi reports about its power (*untested on hardware*); ``None`` on other machines."""
    program = shutil.which("vcgencmd")
    if program is None:
        return None
    try:
        answer = subprocess.run([program, "get_throttled"], capture_output=True, text=True, timeout=5, check=False)  # noqa: S603
    except (OSError, subprocess.TimeoutExpired):
        return None
    return answer.stdout.strip() or None


def _power(throttled: str | None) -> Iterator[Finding]:
    name, _, bits = (throttled or "").partition("=")
    try:
        flags = int(bits if name == "throttled" else "", 16)
    except ValueError:
        return
    low = [when for bit, when in UNDER_VOLTAGE.items() if flags & bit]
    message = f"too little voltage {' and '.join(low)}" if low else "enough voltage since the start"
    mend = "use the power supply made for this board, and a short cable" if low else ""
    yield Finding("power", not low, needed=False, message=message, mend=mend)


def _clock(root: Path, now: datetime) -> Finding:
    shown = now.astimezone().isoformat(sep=" ", timespec="minutes")
    synchronised = root / "run/systemd/timesync"
    if now < RELEASED:
        mend = "connect it to the internet once, or set it with: date --set"
        return Finding("clock", works=False, needed=False, message=f"{shown} cannot be right", mend=mend)
    if synchronised.is_dir() and not (synchronised / "synchronized").exists():
        return Finding("clock", works=True, needed=False, message=f"{shown}, not compared with the internet yet")
    return Finding("clock", works=True, needed=False, message=shown)


def _network(numbers: list[str]) -> Finding:
    if numbers:
        return Finding("network", works=True, needed=False, message=f"phones find it at {', '.join(numbers)}")
    mend = "join a network; phones and tablets cannot come in without one"
    return Finding("network", works=False, needed=False, message="there is none", mend=mend)


def _card(root: Path) -> Iterator[Finding]:
    """Yield how worn a memory card is, where it reports that, and which file systems have met errors."""
    for path in sorted(root.glob("sys/block/*/device/life_time")):
        used = [int(word, 16) for word in _read(path).split() if word.startswith("0x")]
        if used:
            name, worn = f"wear of {path.parts[-3]}", max(used) >= WORN_TENTHS
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


def _backups(folder: DataFolder, location: Path | None, now: datetime) -> Iterator[Finding]:
    if not folder.journal.is_file() or (location is None and not (folder.path / "backups").is_dir()):
        return
    backups = BackupFolder(folder, location)
    try:
        kept = backups.all()
    except BackupFault as fault:
        yield Finding("backups", works=False, needed=False, message=str(fault), mend="look at its rights and its disk")
        return
    changed = backups.last_changed()
    newest = next((backup for backup in kept if backup.made <= now + AHEAD), None)
    if newest is None:
        message = "all are from later than the clock shows" if kept else "there is none yet"
        yield Finding("backups", works=False, needed=False, message=message, mend="companion backup FILE")
        return
    stale = changed is not None and changed - newest.made > BACKUP_STALE_AFTER
    mend = "look at the log for why none was made; companion backup FILE makes one" if stale else ""
    age = max(0, (now - newest.made).days)
    message = "the newest is of today" if not age else f"the newest is {age} days old"
    yield Finding("backups", not stale, needed=False, message=message, mend=mend)


# The picture of the camera.


def examine_picture(frame: Frame) -> Iterator[Finding]:
    """Yield light and focus of a frame, judged as by *Check the camera*, without reading labels."""
    _, _, symbol_mm = STANDARD_LABEL.symbol_mm
    judged = check_picture(to_grey(frame.image), (), symbol_mm)
    glare = f"glare in {len(judged.glare)} places" if judged.glare else ""
    yield Finding(
        "light",
        judged.light == "good" and not glare,
        needed=False,
        message=judged.light.replace("_", " ") if judged.light != "good" else glare or "good",
        mend=LIGHT_MENDS.get(
            judged.light, "move the lamp to the side so that it does not mirror in the cards" if glare else ""
        ),
    )
    yield Finding(
        "focus",
        judged.focus != "blurred",
        needed=False,
        message=judged.focus or "nothing in view to judge it by",
        mend=FOCUS_MENDS.get(judged.focus or "", ""),
    )
