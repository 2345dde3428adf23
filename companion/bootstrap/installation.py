"""Open an installation: its files, tables, camera and the services of its pages; and report on one that runs."""

import io
import json
import logging
import sys
import zipfile
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from importlib.metadata import distributions
from pathlib import Path
from typing import TYPE_CHECKING

from calibration.mat import MatTracker
from companion import __version__
from companion.adapters.backup.folder import BackupFolder
from companion.adapters.boxes import BoxFolder, CardPictures
from companion.adapters.calibration_stores import ProfileFolder, printer_store
from companion.adapters.cameras.files import monotonic_ms
from companion.adapters.health import examine_installation, examine_picture
from companion.adapters.journal.sqlite import JournalFileError, LatestNumbers, SqliteJournal
from companion.adapters.keepsakes import SqliteKeepsakes
from companion.adapters.label_readers import read_any_codes, read_frame, read_picture
from companion.adapters.logs import RecentLog
from companion.adapters.network import list_addresses
from companion.adapters.pictures import decode_posted_grey_picture, decode_posted_picture, encode_jpeg
from companion.adapters.stores import Settings, load_settings, require_pin
from companion.adapters.system import add_text, local_now
from companion.adapters.unusable_files import set_aside_unusable
from companion.bootstrap import load_games, open_tables
from companion.bootstrap.access import Access, open_access, open_shared_access
from companion.bootstrap.cameras import list_decks, list_samples, load_mats, open_scanner
from companion.bootstrap.catalog_sharing import CatalogFiles, find_fault_when_restored
from companion.bootstrap.games import InstalledGames, find_games
from companion.bootstrap.printing import (
    check_posted_sheet,
    list_stocks,
    print_event_codes,
    print_join_cards,
    print_sheet,
)
from companion.config import DataFolder, ExternalPaths
from companion.game_api.codec import command_schemas, names_of_commands
from companion.game_api.manifest import LoadedGame, Manifest
from companion.service.access.consents import ConsentRequests
from companion.service.access.guests import GuestList, Guests
from companion.service.access.logins import Logins
from companion.service.access.preferences import Preferences, PreferenceValues
from companion.service.backups import Backups
from companion.service.camera.calibration import CalibrationService
from companion.service.camera.camera import Camera, shown_name
from companion.service.camera.devices import Devices, PictureTools
from companion.service.camera.preview import CameraCheck, CameraView, CardPlace
from companion.service.camera.proposal_service import ProposalService
from companion.service.camera.scanner import Scanner
from companion.service.demonstration import CardTable
from companion.service.ports import PLAY_FILE, Finding, InMemoryStore, Journal
from companion.service.printer import Printer
from companion.service.runtime import BackgroundTask, ChangesHere, first_number
from companion.service.services import Certificates, CommandSchemas, Services
from companion.service.table.amend import HOUSE_COMMANDS
from companion.service.table.club_events import ClubEvents
from companion.service.table.lists import TableSearch
from companion.service.table.registry import Tables
from companion.service.table.table import Table
from companion.service.table.upkeep import CatchUp
from companion.service.teaching.boxes import Boxes
from companion.service.teaching.card_art import CardArtPictures
from companion.vision.tracking.unread import find_unread_labels

if TYPE_CHECKING:
    from companion.adapters.certificates.store import ServedCertificate
    from companion.adapters.journal.bell import Bell
    from companion.adapters.journal.postgres import PostgresJournal

# Diagnostics of a running installation: findings, and a report to send to somebody who helps.


MOST_REPORTED = 200
"""Tables that are folded and reported while people play, those played on last; ``companion doctor`` folds all."""


class InstallationDiagnostics:
    """Examines an installation while games go on.

    ``log`` returns the latest lines of the log; ``secrets``: words that are removed from reports.
    """

    def __init__(
        self,
        folder: DataFolder,
        registry: Tables,
        broken: Mapping[str, str],
        scanner: Scanner,
        log: Callable[[], list[str]],
        secrets: Iterable[str],
        elsewhere: ExternalPaths = ExternalPaths(),  # noqa: B008 - it never changes
    ) -> None:
        """Store the parts of the installation."""
        self._folder = folder
        self._tables = registry
        self._broken = broken
        self._scanner = scanner
        self._log = log
        self._secrets = tuple(secrets)
        self._elsewhere = elsewhere

    def findings(self) -> list[Finding]:
        """Return a finding for each part of the installation; the camera is the one in use."""
        return list(
            examine_installation(
                self._folder,
                self._tables.games,
                self._broken,
                camera_findings=_camera(self._scanner),
                elsewhere=self._elsewhere,
                most_tables=MOST_REPORTED,
            )
        )

    def report(self) -> bytes:
        """Return a zip archive of findings, versions, log and tables, without PIN, key and players."""
        findings = [finding.as_json() for finding in self.findings()]
        tables = self._tables.page(TableSearch(), MOST_REPORTED).tables
        parts = {
            "doctor.json": self._without_secrets(json.dumps(findings, indent=1)),
            "versions.txt": "".join(f"{line}\n" for line in _versions()),
            "log.txt": "".join(f"{self._without_secrets(line)}\n" for line in self._log()),
            "tables.json": json.dumps([self._table(table) for table in tables], indent=1),
        }
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, text in parts.items():
                add_text(archive, name, text)
        return packed.getvalue()

    def _table(self, about: Mapping[str, object]) -> dict[str, object]:
        return {key: about[key] for key in ("id", "game", "version", "finished") if key in about}

    def _without_secrets(self, text: str) -> str:
        camera = self._scanner.camera.name
        text = text.replace(camera, shown_name(camera))
        for secret in self._secrets:
            text = text.replace(secret, "(secret)")
        return text


def _camera(scanner: Scanner) -> list[Finding]:
    name, problem = shown_name(scanner.camera.name), scanner.problem
    if problem is not None:
        mend, message = "it is tried again and again", problem.replace(scanner.camera.name, name)
        return [Finding("camera", works=False, needed=False, message=message, mend=mend)]
    frame = scanner.latest
    size = "" if frame is None else f": {frame.image.shape[1]} x {frame.image.shape[0]}"
    works = Finding("camera", works=True, needed=False, message=f"{name}{size}")
    return [works] if frame is None else [works, *examine_picture(frame)]


def _versions() -> list[str]:
    packages = sorted(f"{package.metadata['Name']} {package.version}" for package in distributions())
    return [f"companion {__version__}", f"python {sys.version}", f"platform {sys.platform}", *dict.fromkeys(packages)]


# Open an installation: its files, its tables, its camera, and the services of its pages.

HOUSE = "house"


def describe_commands(games: Mapping[str, LoadedGame]) -> CommandSchemas:
    """Return the JSON schemas of the commands of all games, and of those that every game has."""
    owners = {name: game.messages.commands for name, game in games.items()} | {HOUSE: HOUSE_COMMANDS}
    return CommandSchemas(
        commands=tuple(name for owner, kinds in owners.items() for name in names_of_commands(owner, kinds)),
        parts={name: part for owner, kinds in owners.items() for name, part in command_schemas(owner, kinds).items()},
    )


log = logging.getLogger(__name__)


def create_services(  # noqa: PLR0913 - what an installation stands on
    registry: Tables,
    scanner: Scanner,
    logins: Logins,
    simulated_table: CardTable | None,
    folder: DataFolder | None = None,
    *,
    preferences: Preferences | None = None,
    guests: Guests | None = None,
    played_by_bots: str | None = None,
    broken_games: Mapping[str, str] | None = None,
    known_as: Iterable[str] = (),
    backups: BackupFolder | None = None,
    diagnostics: InstallationDiagnostics | None = None,
    certificates: Certificates | None = None,
    boxes: Boxes | None = None,
    faces: CardArtPictures | None = None,
    games: InstalledGames | None = None,
    club_events: ClubEvents | None = None,
) -> Services:
    """Return the services of the pages; the scanner follows new tables, and leaves those in the bin.

    ``folder``: the data folder; without it nothing is stored, and services that need one are ``None``.
    ``preferences``, ``guests``: by default lost when the program ends.  ``backups``: by default within
    the data folder.
    """
    games = games or find_games()
    chosen = preferences or Preferences(InMemoryStore(PreferenceValues(welcomed=True)))
    registry.when_opened(partial(_turn_camera, scanner, registry))
    registry.when_opened(partial(_set_level, scanner.proposals, chosen))
    check = CameraCheck(scanner, read_frame, encode_jpeg, list_samples(_manifests(registry)))
    mats = list(load_mats(None if folder is None else folder.mats, games).values())
    calibrating = (
        None
        if folder is None
        else CalibrationService(scanner, check, ProfileFolder(folder.profiles), lambda lens: MatTracker(mats, lens))
    )
    registry.when_left(scanner.detach)
    return Services(
        tables=registry,
        scanner=scanner,
        logins=logins,
        read_picture=lambda name, data: dict(read_picture(name, data)),
        version=__version__,
        devices=Devices(scanner.proposals, PictureTools(decode_posted_picture, read_frame, encode_jpeg), monotonic_ms),
        simulated_table=simulated_table,
        check=check,
        view=CameraView(scanner, check, read_any_codes, find_unread_labels),
        calibrating=calibrating,
        boxes=boxes,
        faces=faces,
        printer=None if folder is None else Printer(printer_store(folder.printer), decode_posted_grey_picture),
        check_sheet=None if folder is None else partial(check_posted_sheet, games, folder.catalogs),
        stocks=list_stocks(),
        card_place=CardPlace(partial(getattr, scanner, "latest")),
        shared_catalogs=None if folder is None else CatalogFiles(games, folder.catalogs),
        backups=None if folder is None else Backups(backups or BackupFolder(folder), registry.over_here, local_now),
        diagnostics=diagnostics,
        certificates=certificates,
        mats=tuple(mats),
        print_sheet=partial(print_sheet, mats=mats),
        print_join_cards=print_join_cards,
        print_event_codes=print_event_codes,
        club_events=club_events,
        reachable=list_addresses,
        known_as=frozenset(name.lower() for name in known_as),
        preferences=chosen,
        guests=guests or Guests(InMemoryStore(GuestList())),
        played_by_bots=played_by_bots,
        broken_games=dict(broken_games or {}),
        command_schemas=partial(describe_commands, registry.games),
    )


def _manifests(registry: Tables) -> dict[str, Manifest]:
    return {name: opened.manifest for name, opened in registry.games.items()}


def _turn_camera(scanner: Scanner, registry: Tables, table: Table) -> None:
    """Turn the camera to a new table; to one that was taken in only if it goes on, and no other one is played."""
    if table.version > 1 or table.entries[0].source == PLAY_FILE:
        watched = None if scanner.attached_to is None else registry.get(scanner.attached_to, also_binned=True)
        if _is_over(table) or (watched is not None and not _is_over(watched)):
            return
    scanner.attach(table)


def _is_over(table: Table) -> bool:
    return table.overview is None or table.overview.finished


def _set_level(proposals: ProposalService, preferences: Preferences, table: Table) -> None:
    """Let the camera ignore cards at a new table if people chose to tap."""
    if preferences.chosen.layout == "tap":
        proposals.set_level(table, "ledger")


@dataclass(frozen=True)
class RunningInstallation:
    """An open installation."""

    services: Services
    journal: Journal
    keepsakes: SqliteKeepsakes
    pin: str
    log: RecentLog
    backups: BackupFolder
    tasks: tuple[BackgroundTask, ...] = ()
    """Tasks that run while the installation is open: they hear the news of other processes."""

    @property
    def requested_backup(self) -> Path | None:
        """The file of the backup that was requested to be restored; ``None``: none was."""
        backups = self.services.backups
        return None if backups is None or backups.requested is None else self.backups.path_of(backups.requested)

    def close(self) -> None:
        """Close the camera with its recording, and the files."""
        for task in self.tasks:
            task.stop()
        self.services.scanner.camera.close()
        self.journal.close()
        self.keepsakes.close()
        self.log.close()


def open_installation(  # noqa: PLR0913 - what an operator may wish
    folder: DataFolder,
    source: Camera,
    simulated_table: CardTable | None,
    *,
    pin: str | None = None,
    catalog: str | None = None,
    record: Path | None = None,
    known_as: Iterable[str] = (),
    new_journal: bool = False,
    backups: Path | None = None,
    certificates: Certificates | None = None,
    games: InstalledGames | None = None,
    database: str | None = None,
) -> RunningInstallation:
    """Open an installation: its settings, its journal and every table.

    Args:
        folder: the data folder, which the caller has locked.
        source: the camera.
        simulated_table: the table under the simulated camera.
        pin: a new PIN.
        catalog: a name or file that replaces the catalogs of its game.
        record: a folder in which a recording is begun.
        known_as: host names besides the machine's own.
        new_journal: begin a new journal where that of a used folder is missing.
        backups: a folder for backups outside the data folder.
        certificates: of HTTPS pages.
        games: games that are loaded already.
        database: the address of a PostgreSQL database in which the tables are, and not in the data folder; all else
            stays in the folder, and backups are those of the database.

    Raises:
        JournalFileError: when the journal cannot be used, or is missing in a used folder.
        SettingsError: when the settings cannot be used.
        CatalogError: when ``catalog`` cannot be used.
        OSError: when a file cannot be read or written.

    """
    games = games or find_games()
    latest_log = RecentLog()
    latest_log.attach()
    for name, why in games.broken.items():
        log.error("game %s: %s; it is left out, the others run", name, why)
    opened_games = load_games(games, folder.catalogs, catalog)
    if not new_journal and database is None:
        _require_journal(folder)
    set_aside_unusable(folder)
    require_pin(pin)
    if database is None and not folder.settings.exists():  # first, so that settings alone never look like a lost disk
        folder.path.mkdir(mode=0o700, parents=True, exist_ok=True)
        _open_journal_file(folder).close()
    settings = load_settings(folder.settings, pin)
    journal: Journal
    shared: _SharedJournal | None = None
    if database is None:
        journal = _open_journal_file(folder)
        registry, access = open_tables(opened_games, journal), open_access(settings, folder)
    else:
        shared = _open_database(database, folder, opened_games, settings)
        journal, registry, access = shared.journal, shared.tables, shared.access
    keepsakes = SqliteKeepsakes(folder.keepsakes)
    boxes = Boxes(BoxFolder(folder.boxes, folder.catalogs), _manifests(registry))
    faces = CardArtPictures(boxes, CardPictures(folder.pictures), encode_jpeg, decode_posted_picture)
    scanner = open_scanner(folder, source, keepsakes, record, list_decks(registry), faces, games)
    latest = registry.latest_unfinished()
    if latest is not None:
        scanner.attach(latest, resumed=True)
    fault_of = None if catalog is None else partial(find_fault_when_restored, games, catalog, folder.path)
    kept_in = BackupFolder(folder, backups, fault_of)
    opened = create_services(
        registry,
        scanner,
        access.logins,
        simulated_table,
        folder,
        preferences=access.preferences,
        guests=access.guests,
        broken_games=games.broken,
        known_as=known_as,
        backups=kept_in,
        certificates=certificates,
        boxes=boxes,
        faces=faces,
        games=games,
        club_events=ClubEvents(registry, journal, unseat=access.guests.leave_seats),
        diagnostics=InstallationDiagnostics(
            *(folder, registry, games.broken, scanner, latest_log.lines, (settings.pin, settings.secret)),
            ExternalPaths(backups, None if certificates is None else certificates.custom_file, database),
        ),
    )
    opened = replace(opened, lobby=access.lobby, pairings=access.pairings, answers=access.answers)
    opened = replace(opened, consents=ConsentRequests(first_number()))
    tasks: tuple[BackgroundTask, ...] = ()
    if shared is not None:
        opened = replace(opened, backups=None, is_ready=shared.bell.is_ready, measures=shared.measures)
        tasks = (shared.bell, shared.catch_up)
    for task in tasks:
        task.start()
    if shared is not None:
        shared.tell_begun()
    return RunningInstallation(opened, journal, keepsakes, settings.pin, latest_log, kept_in, tasks)


def _open_journal_file(folder: DataFolder) -> SqliteJournal:
    """Open the journal of a data folder; log a line about each table whose end is lost.

    The numbers of a journal that is not there any more say nothing of the one that is begun.
    """
    if folder.latest.is_file() and not (folder.journal.is_file() and folder.journal.stat().st_size):
        folder.latest.replace(folder.latest.with_name(f"{folder.latest.name}.before"))
    latest_numbers = LatestNumbers(folder.latest)
    journal = SqliteJournal(folder.journal, latest_numbers, __version__)
    for table, (there, noted) in journal.find_lost(latest_numbers.recorded).items():
        log.error(
            "table %s: has %d entries, and had %d; the end of the journal is lost: see %s for a copy",
            *(table, there, noted, folder.path),
        )
    return journal


@dataclass(frozen=True, slots=True)
class _SharedJournal:
    """A journal that several processes share, its tables and guests, and how this process hears of the others."""

    journal: "PostgresJournal"
    tables: Tables
    access: Access
    bell: "Bell"
    catch_up: CatchUp

    def tell_begun(self) -> None:
        """Send word to the other processes that this one is there, with nothing in memory."""
        from companion.adapters.journal.bell import BEGAN  # noqa: PLC0415 - its libraries are optional

        self.bell.say(BEGAN)

    def measures(self) -> dict[str, float]:
        """Return the figures of what is shared, by the names of metrics."""
        tables = {"tables_held": len(self.tables.held_tables()), "bell_catch_ups_total": self.catch_up.count}
        return {**self.bell.measures(), **self.journal.measures(), **tables}


def _open_database(
    address: str, folder: DataFolder, games: Mapping[str, LoadedGame], settings: Settings
) -> _SharedJournal:
    """Open the journal in a database, its tables and its guests, which hear of what other processes store."""
    from companion.adapters.journal.bell import PEOPLE, SHARED, Bell  # noqa: PLC0415 - its libraries are optional
    from companion.adapters.journal.postgres import PostgresJournal  # noqa: PLC0415

    if folder.journal.exists():
        log.warning("the tables in %s are not shown: those of the database are", folder.journal)
    bell = Bell(address)
    journal = PostgresJournal(address, __version__, bell.ring)
    tables = open_tables(games, journal, ChangesHere(bell.stir))
    catch_up = CatchUp(tables)
    bell.watched_versions = catch_up.versions
    bell.when_heard(catch_up.hear)
    access, hear = open_shared_access(settings, journal.database, bell.say)
    bell.when_heard(lambda news: hear(news.is_complete) if news.topics & {PEOPLE, SHARED} else None)
    return _SharedJournal(journal, tables, access, bell, catch_up)


def _require_journal(folder: DataFolder) -> None:
    """Raise ``JournalFileError`` for a used data folder without a journal: its disk may be missing."""
    is_used = folder.settings.exists() and folder.secret_file is None
    if is_used and not (folder.journal.exists() and folder.journal.stat().st_size):
        message = (
            f"{folder.journal}: the journal is gone or empty, but this folder was used; is its disk there? "
            "Put it back, or restore a backup with: companion restore FILE; to begin without the old games: "
            "companion serve --new-journal"
        )
        raise JournalFileError(message)


def open_certificate(
    folder: DataFolder, known_as: Iterable[str] = (), given: tuple[Path, Path] | None = None
) -> "ServedCertificate":
    """Return the device's own certificate, created at first, or the given one (certificate and key).

    Raises:
        CertificateError: when it cannot be used.
        OSError: when a file cannot be read or written.

    """
    from companion.adapters.certificates import store  # noqa: PLC0415 - 8 MB of libraries, with HTTPS only

    if given is not None:
        return store.CustomCertificate(*given)
    return store.DeviceCertificate(
        folder.https, partial(store.list_certificate_names, [name.lower() for name in known_as])
    )
