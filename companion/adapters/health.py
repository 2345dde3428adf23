"""What works on this machine, and what to do about what does not."""

import shutil
import sqlite3
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path

from calibration.errors import MatError
from calibration.mat import Mat, mats_in
from companion.adapters.cameras.rpicam import rpicam_program
from companion.adapters.cameras.simulated_table import SimulatedTable
from companion.adapters.cameras.specs import open_camera
from companion.adapters.catalog_files import catalog_names, named_catalog
from companion.adapters.clock import SystemClock
from companion.adapters.machine import machine_findings
from companion.adapters.picture_findings import picture_findings
from companion.adapters.settings_file import SettingsError, kept_settings
from companion.adapters.sqlite_journal import JournalFileError, SqliteJournal
from companion.config import DataFolder, Elsewhere
from companion.gamekit.edition import Edition
from companion.gamekit.faults import CatalogError
from companion.gamekit.manifest import Manifest
from companion.resources import MissingResourceError, templates_folder
from companion.service.findings import Finding
from companion.service.sight.camera import Camera, CameraError
from companion.service.table.tables import Tables
from companion.vision.open.second_reader import second_reader_present

RESTORE = "companion restore FILE puts a backup in its place"
LEAST_FREE = 100_000_000
"""Bytes: below, a full disk is near."""
PATIENCE_S = 6.0
"""Seconds that a camera has for its first picture: as long as it takes to count as stuck, and a little more."""
_BETWEEN_LOOKS_S = 0.05


def findings(
    folder: DataFolder,
    games: Mapping[str, Edition],
    broken: Mapping[str, str],
    camera: str | None = None,
    looking: Iterable[Finding] = (),
    elsewhere: Elsewhere = Elsewhere(),  # noqa: B008 - it never changes
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
    second = second_reader_present()
    yield Finding(
        "second reader",
        second,
        needed=False,
        message="libzbar is there" if second else "libzbar is missing; zxing-cpp reads alone",
        mend="" if second else "apt-get install libzbar0",
    )
    yield from machine_findings(folder, elsewhere)


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
    enough = free >= LEAST_FREE
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
    kept_settings(path)
    return "PIN and key are there"


def _catalogs(folder: DataFolder, game: Edition) -> Iterator[Finding]:
    bundled = game.cards.bundled
    for name in catalog_names(game.cards, folder.catalogs, game.name):
        yield _tried(
            f"catalog {name}" if name not in bundled else f"catalog {name} of {game.manifest.title}",
            partial(_catalog, name, folder, game),
            "mend the lines named, or take the file away",
            needed=name in bundled,
        )


def _catalog(name: str, folder: DataFolder, game: Edition) -> str:
    return game.cards.title(named_catalog(name, game.cards, folder.catalogs, game.name))


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
        program = rpicam_program() if spec is None else None
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
            return [_found(f"{camera.name}: {width} x {height}"), *picture_findings(frame)]
        time.sleep(_BETWEEN_LOOKS_S)
    raise CameraError(f"camera {camera.name}: no picture for {PATIENCE_S:g} s")
