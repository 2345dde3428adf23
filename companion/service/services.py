"""Services that the pages and the HTTP interface stand on, and the preparation of tables."""

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from calibration.mat import Mat
from companion.service.access.consents import ConsentRequests
from companion.service.access.guests import GuestList, Guests
from companion.service.access.logins import Logins
from companion.service.access.preferences import Preferences, PreferenceValues
from companion.service.access.screens import Lobby, ScreenPairings
from companion.service.backups import Backups
from companion.service.camera.calibration import CalibrationService
from companion.service.camera.devices import Devices
from companion.service.camera.preview import CameraCheck, CameraView, CardPlace
from companion.service.camera.proposal_service import ProposalService
from companion.service.camera.scanner import Scanner
from companion.service.catalogs import SharedCatalogs
from companion.service.demonstration import CardTable
from companion.service.ports import AnswerStore, Finding, InMemoryStore, NotStored, UnknownTable
from companion.service.printer import CheckSheet, Printer, TableCodes
from companion.service.table.club_events import ClubEvents
from companion.service.table.registry import Tables
from companion.service.teaching.boxes import Boxes
from companion.service.teaching.card_art import CardArtPictures


@dataclass(slots=True)
class _Laid:
    ticks: dict[str, bool] = field(default_factory=dict[str, bool])
    count: int = 0
    cards: frozenset[str] = frozenset()


MOST_PREPARED = 1_000
"""Maximum number of tables whose preparation is remembered; the one that nobody asks for longest is dropped."""


class Preparations:
    """Ticks and cards seen, by table.  Thread-safe."""

    def __init__(self) -> None:
        """Begin with nothing laid ready."""
        self._lock = threading.Lock()
        self._tables: OrderedDict[str, _Laid] = OrderedDict()

    def tick(self, table_id: str, step: str, *, done: bool) -> None:
        """Record by hand whether a step is done; this outranks the cards seen."""
        with self._lock:
            laid = self._of(table_id)
            laid.ticks[step] = done
            laid.count += 1

    def ticks(self, table_id: str) -> int:
        """Return the number of ticks at a table so far, so that streams notice a change."""
        with self._lock:
            laid = self._tables.get(table_id)
            return 0 if laid is None else laid.count

    def saw(self, table_id: str, cards: Iterable[str]) -> frozenset[str]:
        """Add the cards in view now and return all that were seen so far."""
        with self._lock:
            laid = self._of(table_id)
            laid.cards |= frozenset(cards)
            return laid.cards

    def tick_of(self, table_id: str, step: str) -> bool | None:
        """Return whether a step was ticked by hand; ``None`` where it was not touched."""
        with self._lock:
            laid = self._tables.get(table_id)
            return None if laid is None else laid.ticks.get(step)

    def _of(self, table_id: str) -> _Laid:
        """Return a table's preparation, a new one if there is none; others are dropped above the maximum."""
        laid = self._tables.setdefault(table_id, _Laid())
        self._tables.move_to_end(table_id)
        if len(self._tables) > MOST_PREPARED:
            self._tables.popitem(last=False)
        return laid


@dataclass(frozen=True)
class CommandSchemas:
    """The JSON schemas of all commands: the names of those that are commands, and every schema by its name."""

    commands: tuple[str, ...]
    parts: Mapping[str, Any]


class Diagnostics(Protocol):
    """Looks after an installation while games go on."""

    def findings(self) -> Sequence[Finding]:
        """Return what works here, and what to do about what does not."""
        ...

    def report(self) -> bytes:
        """Return a zip archive for whoever helps, without PIN, key and players."""
        ...


class Certificates(Protocol):
    """Certificates for secure pages (HTTPS)."""

    @property
    def fingerprint(self) -> str:
        """Of the device's own authority: SHA-256, in pairs of hexadecimal digits; empty where it has none."""
        ...

    @property
    def custom_file(self) -> Path | None:
        """Where the certificate lies that somebody brought; ``None``: it is the device's own."""
        ...

    @property
    def authority(self) -> bytes | None:
        """Return what devices have to trust (X.509, DER); ``None`` where they trust it anyhow."""
        ...


@dataclass(frozen=True)
class Services:
    """Services of a running installation.

    ``read_picture`` takes a name and the bytes of a picture and answers what ``companion read`` prints of it.
    ``devices`` takes the pictures of phones and tablets, and what hand scanners type.
    ``screens`` is how many pages may follow a table live at once.  ``simulated_table`` is the table under the
    simulated camera, on which cards can be laid from a page; ``None`` where the camera is a real one.
    ``check`` says whether the camera's picture is good enough, ``view`` what is in it; ``None`` where no camera is.
    ``calibrating`` finds out its lens and the mat; ``None`` where nothing can be kept.
    ``mats`` are those that may lie on the table.
    ``print_sheet`` gives a sheet for the camera as PDF, by its name and in a language; ``None`` where there is none.
    ``print_join_cards`` gives a sheet of cards that let phones in, as PDF, for an address, a
    short one to type, and in a language.
    ``reachable`` gives the addresses of a port of this machine for other devices, the best one first; ``known_as``
    are names, in small letters, under which it is asked for besides its own addresses, localhost and .local;
    ``network_name`` gives the name that it announces on the network now, ``companion.local``, if it does.
    ``preferences`` is what people chose once; ``played_by_bots`` is the id of the table where a demonstration goes on.
    ``guests`` are the phones and screens that came in by a code; ``pairings`` the screens that show one and wait.
    ``lobby`` is who is about to play, as it is typed on the tablet.
    ``answers`` are those that were given lately, where several processes share them; ``None``: each has its own alone.
    ``preparations`` is how far the tables are laid ready; ``broken_games`` are those that could not be loaded, and why.
    ``club_events`` open many tables at once; ``None`` where nothing is kept.  ``print_event_codes`` gives a sheet of
    codes for its tables as PDF, for the event's name, its tables and a language.
    ``boxes`` are the owners' boxes that are being taught, ``faces`` the pictures of their cards; ``None`` where nothing
    can be kept.  ``card_place`` is where cards are laid under the camera so that their picture is taken.
    ``printer``: what this household's is out by; ``None`` where nothing is kept.
    ``stocks`` are the sheets of stickers that are known here by name.
    ``check_sheet`` reads a photographed sheet of cards or stickers, ``None`` where nothing is kept.
    ``shared_catalogs`` are those that can be passed on as files; ``None`` where nothing is kept.
    ``backups`` are made by themselves and on demand; ``None`` where nothing is kept.
    ``diagnostics`` says what works; ``None`` where nothing is kept.
    ``captive``: phones on a hotspot that look for the internet are shown the way here.
    ``certificates`` are served on the secure port; ``None`` where there is none.
    ``is_ready``: whether this process may be asked; ``measures`` gives figures of what several processes share, by the
    names of metrics.
    ``command_schemas`` describes the commands of the house and of every game.
    """

    tables: Tables
    scanner: Scanner
    logins: Logins
    read_picture: Callable[[str, bytes], dict[str, Any]]
    version: str
    devices: Devices
    screens: int = 200
    simulated_table: CardTable | None = None
    check: CameraCheck | None = None
    view: CameraView | None = None
    calibrating: CalibrationService | None = None
    consents: ConsentRequests = field(default_factory=ConsentRequests)
    mats: tuple[Mat, ...] = ()
    print_sheet: Callable[[str, str], bytes | None] = lambda _name, _language: None
    print_join_cards: Callable[[str, str, str], bytes] | None = None
    reachable: Callable[[int], list[str]] = lambda _: []
    known_as: frozenset[str] = frozenset()
    network_name: Callable[[], str | None] = lambda: None
    preferences: Preferences = field(
        default_factory=lambda: Preferences(InMemoryStore(PreferenceValues(welcomed=True)))
    )
    guests: Guests = field(default_factory=lambda: Guests(InMemoryStore(GuestList())))
    lobby: Lobby = field(default_factory=Lobby)
    pairings: ScreenPairings = field(default_factory=lambda: ScreenPairings(time.monotonic))
    answers: AnswerStore | None = None
    played_by_bots: str | None = None
    broken_games: Mapping[str, str] = field(default_factory=dict[str, str])
    preparations: Preparations = field(default_factory=Preparations)
    club_events: ClubEvents | None = None
    print_event_codes: Callable[[str, Sequence[TableCodes], str], bytes] | None = None
    boxes: Boxes | None = None
    faces: CardArtPictures | None = None
    card_place: CardPlace | None = None
    printer: Printer | None = None
    check_sheet: CheckSheet | None = None
    stocks: tuple[str, ...] = ()
    shared_catalogs: SharedCatalogs | None = None
    backups: Backups | None = None
    diagnostics: Diagnostics | None = None
    certificates: Certificates | None = None
    captive: bool = False
    is_ready: Callable[[], bool] = lambda: True
    measures: Callable[[], Mapping[str, float]] = dict[str, float]
    command_schemas: Callable[[], CommandSchemas] = lambda: CommandSchemas((), {})

    @property
    def proposals(self) -> ProposalService:
        """Return what is asked at the tables, whatever saw the cards."""
        return self.scanner.proposals

    def next_table(self, table_id: str) -> str | None:
        """Return the table to which the guests of a table go on; ``None``: they stay, as where the next one is away."""
        return self.guests.after(table_id, self._can_be_entered)

    def wake_tables_before(self, table_id: str) -> None:
        """Wake the screens of the tables that lead to a table, also over others that are away: it was moved."""
        away = [table_id]
        for then in away:  # grows meanwhile
            for before in self.guests.before(then):
                try:
                    self.tables.get(before).signal.bump()
                except UnknownTable:
                    away += () if before in away else (before,)

    def _can_be_entered(self, table_id: str) -> bool:
        """Return whether a table is outside the bin, and can be read here; what is held asks no database."""
        if self.tables.table_if_held(table_id) is not None:
            return not self.tables.lies_in_bin(table_id)
        try:
            return self.tables.describe(table_id) is not None
        except NotStored:
            return True  # nobody can say now
