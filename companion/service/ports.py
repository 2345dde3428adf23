"""Ports of the service: one protocol a port, and why a request was not carried out where no rule had a say in it.

The journal lies in memory, in a SQLite file of one process, or in a PostgreSQL database that several processes share;
nothing above the ports depends on which.
"""

import hashlib
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Any, Generic, Literal, Protocol, TypeAlias, TypeVar, runtime_checkable

from companion.engine.game import Refused
from companion.engine.journal import Entry

T = TypeVar("T")

PLAY_FILE = "play"
"""The source of an entry that comes from a play file."""


class Store(Protocol[T]):
    """One value that outlives the program."""

    def read(self) -> T:
        """Return the stored value, or its default where none was stored."""
        ...

    def write(self, value: T, /) -> None:
        """Store a value durably, in place of the one that was read or stored here last.

        ``OSError`` or ``NotStored`` where that fails, with the earlier value unchanged; ``Conflict`` where another
        process has stored a value meanwhile.
        """
        ...


@runtime_checkable
class ConcurrentStore(Store[T], Protocol[T]):
    """A ``Store`` to which other processes may write too."""

    def stored_elsewhere(self, *, at_once: bool) -> T | None:
        """Return the value if another process has stored it since it was read or stored here; ``None``: none has.

        ``at_once``: look now, and raise ``NotStored`` where that is not possible.  Otherwise a look may be half a
        second old, or older while the storage cannot be reached.
        """
        ...


@dataclass(frozen=True, slots=True)
class StoredAnswer:
    """The answer to a request: the bytes of the body, the status, and the type of content."""

    body: bytes
    status: int
    content_type: str


class AnswerStore(Protocol):
    """Recent answers to requests that are no commands, shared by several processes.

    A request is a name that is unique to its sender, its path and its key; ``digest`` tells bodies apart.
    """

    def claim(self, sender: str, request: str, digest: str) -> StoredAnswer | str:
        """Return what a request was answered; or the owner of a new claim: nobody has, and the caller does so now.

        While another process carries it out this waits for it.  ``KeyReused`` where the body was another one;
        ``NotStored`` where the answer does not come in time, or where nobody can know.
        """
        ...

    def keep(self, request: str, owner: str, answer: StoredAnswer | None) -> None:
        """Store the answer to a request that was claimed; ``None``: it failed, and may be sent again.

        Where another has claimed the request since, nothing changes.  It never fails: the request was carried out.
        """
        ...


class InMemoryStore(Generic[T]):
    """A ``Store`` that is lost when the program ends, as for a demonstration."""

    def __init__(self, value: T) -> None:
        """Start with a value."""
        self._value = value

    def read(self) -> T:
        """Return the latest value."""
        return self._value

    def write(self, value: T, /) -> None:
        """Remember a value."""
        self._value = value


@dataclass(frozen=True, slots=True)
class KeptRefusal:
    """A refusal by its key: ``request`` says who asked for what, so that the same key for something else is noticed."""

    request: str
    refused: Refused

    @classmethod
    def of(cls, request: str, refused: Refused) -> "KeptRefusal":
        """Return the refusal of a request, of which a digest is kept where it is long."""
        return cls(_shortened(request), refused)

    def is_of(self, request: str) -> bool:
        """Return whether this was refused; earlier versions kept long requests whole."""
        return self.request in (request, _shortened(request))


LONGEST_REQUEST = 200
"""Letters of a refused request that are kept as they are."""


def _shortened(request: str) -> str:
    is_short = len(request) <= LONGEST_REQUEST
    return request if is_short else f"sha256 {hashlib.sha256(request.encode()).hexdigest()}"


@dataclass(frozen=True, slots=True)
class LatestEntry:
    """A table's latest entry: its number, its time, and its checksum (``""`` where the journal has none)."""

    seq: int
    at: str
    checksum: str


@dataclass(frozen=True, slots=True)
class TableHead:
    """Head of a table: the values that lists show, stored with its latest entry.

    Attributes:
        table_id: The id of the table.
        game: The name of its game.
        number: Its place among all tables in the order in which they were opened, from 1.
        change: The number of the change that stored its latest entry; later changes, of any table, have higher ones.
        latest: Its latest entry; of number 0 where it has none.
        finished: Whether its game is over; ``None``: nobody has folded it yet.
        binned: Whether it lies in the bin.
        described: What ``describe_table`` returned, as JSON; ``None``: this version of the program has not stored it.

    """

    table_id: str
    game: str
    number: int
    change: int
    latest: LatestEntry
    finished: bool | None
    binned: bool
    described: Mapping[str, Any] | None


@dataclass(frozen=True, slots=True)
class SearchWord:
    """A word that a table has: in its id or a player's name, by its game (``games``), or by its number."""

    text: str
    games: frozenset[str] = frozenset()
    numbers: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class HeadQuery:
    """Which heads are asked for, and in which order.  What is ``None`` does not matter.

    Attributes:
        limit: Maximum number.
        in_order_of_opening: The oldest table first; otherwise the table played on last comes first.
        after: The head behind which to go on: its time and change, or in the order of opening its number.
        ids: These tables alone.
        numbers: Tables of these numbers alone.
        games: Tables of these games alone.
        other_games: Tables of none of these games.
        words: Tables that have every one of these words.
        finished: Whether the game is over; tables of which that is not known are always among the answer.
        binned: Whether the table lies in the bin.
        described: Whether this version of the program has described the table.
        changed_after: Tables with a higher change.

    """

    limit: int
    in_order_of_opening: bool = False
    after: tuple[str, int] | int | None = None
    ids: Sequence[str] | None = None
    numbers: Sequence[int] | None = None
    games: Collection[str] | None = None
    other_games: Collection[str] | None = None
    words: Sequence[SearchWord] = ()
    finished: bool | None = None
    binned: bool | None = None
    described: bool | None = None
    changed_after: int | None = None


@dataclass(frozen=True, slots=True)
class HeadCounts:
    """How many tables there are, how many of them are finished, and how many entries they have together."""

    tables: int
    finished: int
    entries: int


@dataclass(frozen=True, slots=True)
class KeptClubEvent:
    """A plan of a club event as its organiser asked for it, never changed; ``key`` names the request.

    A later plan of an event is stored under the event's id, a dot, and its version.  ``version``: which plan of the
    event this is; ``number``: the event's place in the order in which events were stored.
    """

    id: str
    key: str
    at: str
    plan: Mapping[str, Any]
    version: int = 1
    number: int = field(default=0, compare=False)


Describe: TypeAlias = Callable[[], Mapping[str, Any]]
"""Returns what lists show of a table once the entry that is being stored is its latest."""


class TableJournal(Protocol):
    """Append-only storage of the entries of a table, and of what its requests were refused with.

    Every method raises ``NotStored`` where the storage cannot be reached; then nothing is known to have changed.
    ``describe`` returns what the head of the table says from this entry on; it is stored in the same transaction.
    """

    def open_table(self, table_id: str, game: str, first: Entry, describe: Describe | None = None) -> None:
        """Store a new table with its first entry, durably; raise as ``import_table`` does."""
        ...

    def append(self, table_id: str, entry: Entry, describe: Describe | None = None) -> None:
        """Store an entry durably before returning.

        The version expected is the one before the entry's own number.  ``Conflict`` where the table has another
        version, or where the entry's key was used already; ``Unstorable`` where a text of it cannot be stored.  Then
        nothing was stored.
        """
        ...

    def entries(self, table_id: str, after: int = 0) -> Sequence[Entry]:
        """Return all entries behind version ``after``, in order."""
        ...

    def keep_refusal(self, table_id: str, key: str, kept: KeptRefusal, at: str) -> None:
        """Remember what a request was refused with; of many the oldest go.  It never fails: it is a courtesy."""
        ...

    def refusal(self, table_id: str, key: str) -> KeptRefusal | None:
        """Return what a request was refused with."""
        ...


class ClubEventJournal(Protocol):
    """Append-only storage of club events, beside the tables that were opened for them."""

    def keep_club_event(self, event: KeptClubEvent) -> KeptClubEvent:
        """Store a plan of a club event durably, once for each key; return the one stored first under its key."""
        ...

    def club_event(self, event_id: str) -> KeptClubEvent | None:
        """Return a club event with its latest plan, by its id."""
        ...

    def club_events(self, most: int, before: int | None = None) -> Sequence[KeptClubEvent]:
        """Return the latest club events, each with its latest plan; ``before``: those of lower numbers."""
        ...

    def begun_with_any(self, keys: Sequence[str]) -> Mapping[str, str]:
        """Return the ids of the tables whose first entries have these keys, by key."""
        ...


class Journal(TableJournal, ClubEventJournal, Protocol):
    """Append-only storage of the entries of all tables, and of what tables were opened for."""

    def import_table(
        self, table_id: str, game: str, entries: Sequence[Entry], describe: Describe | None = None
    ) -> None:
        """Store a new table with all its entries, durably: whole or not at all.

        ``Conflict`` where the id is taken, or another process has begun a table with the first entry's key.
        """
        ...

    def latest_entry(self, table_id: str) -> LatestEntry | None:
        """Return what identifies a table's latest entry, without reading the others; ``None``: it has none."""
        ...

    def tables(self) -> Sequence[tuple[str, str]]:
        """Return id and game of every table, oldest first; those in the bin too."""
        ...

    def begun_with(self, key: str) -> str | None:
        """Return the id of the table whose first entry has this key."""
        ...

    def move(self, table_id: str, *, binned: bool, at: str) -> None:
        """Remember durably that a table was put into the bin, or taken out again.  Its entries stay as they are."""
        ...

    def heads(self, query: HeadQuery) -> Sequence[TableHead]:
        """Return the heads of tables that a query asks for, in its order."""
        ...

    def count_heads(self, query: HeadQuery) -> HeadCounts:
        """Count the tables that a query asks for, whatever its limit and its order."""
        ...

    def last_change(self) -> int:
        """Return the number of the latest change of any table; 0: there was none."""
        ...

    def keep_head(self, table_id: str, latest: LatestEntry | None, described: Mapping[str, Any] | None) -> None:
        """Store what lists show of a table whose latest entry is still this one (``None``: whichever it is).

        It never fails: without it the table is folded again.  ``described`` is ``None`` where it cannot be folded.
        """
        ...

    def describing(self, table_id: str) -> AbstractContextManager[None]:
        """Keep other processes from describing a table meanwhile; where one does so now, wait until it has.

        It is a courtesy, so it gives up after some seconds.  Whoever waited looks at the head again.
        """
        ...

    def close(self) -> None:
        """Close files and connections."""
        ...


@dataclass(frozen=True, slots=True)
class News:
    """News of other processes.

    Attributes:
        versions: The latest version of each table that was told of.
        stirred: The tables at which something else has changed: a proposal, who comes next.
        topics: ``bin``: tables were moved; ``people``: somebody may be out; ``shared``: guests or choices are others.
        is_complete: Whether nothing can have been missed; not so when the connection was lost.

    """

    versions: Mapping[str, int] = field(default_factory=dict[str, int])
    stirred: frozenset[str] = frozenset()
    topics: frozenset[str] = frozenset()
    is_complete: bool = True


class Clock(Protocol):
    """The time of day, for people."""

    def now(self) -> str:
        """UTC in ISO 8601 with seconds."""
        ...


class Signal(Protocol):
    """A counter of one table's changes, for which screens wait."""

    @property
    def count(self) -> int:
        """How many changes there were."""
        ...

    def wake(self) -> None:
        """Count a change of the journal, which tells other processes itself, and wake everybody here."""
        ...

    def bump(self) -> None:
        """Count any other change and wake everybody, those who wait in other processes too."""
        ...

    def wait_beyond(self, count: int, timeout: float) -> int:
        """Wait until the counter passes ``count``, at most ``timeout`` seconds, and return the counter."""
        ...


class Changes(Protocol):
    """Signals of tables, for those who wait for changes."""

    def of(self, table_id: str) -> Signal:
        """Return the signal of a table, always the same one."""
        ...


# Why a request was not carried out, where the rules had no say in it.

Why: TypeAlias = Literal["full", "locked", "read_only", "failing", "torn", "away"]
"""What is the matter with a disk, or with what lies on it; ``away``: a database that cannot be reached."""


class Stale(Exception):  # noqa: N818 - an answer, not an error of the program
    """The sender had not seen the current version."""

    def __init__(self, version: int) -> None:
        """Store the current version."""
        super().__init__(f"the table is at version {version}")
        self.version = version


class Forbidden(Exception):  # noqa: N818 - an answer, not an error of the program
    """The command is not the sender's to give."""


class KeyReused(Exception):  # noqa: N818 - an answer, not an error of the program
    """An idempotency key came again with another command."""


class UnknownTable(Exception):  # noqa: N818 - an answer, not an error of the program
    """No table of that id."""

    def __init__(self, table_id: str) -> None:
        """Store the id that was asked for."""
        super().__init__(table_id)
        self.table_id = table_id


class UnknownProposal(Exception):  # noqa: N818 - an answer, not an error of the program
    """No such proposal waits for an answer."""


class ForeignPicture(Exception):  # noqa: N818 - an answer, not an error of the program
    """The bytes are in no accepted format; the message names the accepted ones."""


class UnreadablePicture(Exception):  # noqa: N818 - an answer, not an error of the program
    """The picture is broken, or too large to decode; the message is one line."""


class UnknownAccount(Exception):  # noqa: N818 - an answer, not an error of the program
    """No account and no figure of that name is at this table."""


class TornJournal(Exception):  # noqa: N818 - told to the operator in one line
    """A stored journal cannot be folded: the message says which entry and why."""


class UnknownVersion(Exception):  # noqa: N818 - an answer, not an error of the program
    """The journal has no entry of this number."""


class Conflict(Exception):  # noqa: N818 - an answer, not an error of the program
    """Somebody else has stored the next entry, or used the key: look again, then decide anew."""


class Unstorable(Exception):  # noqa: N818 - an answer, not an error of the program
    """An id, a key or a name of an entry has a NUL character, which PostgreSQL cannot hold: no journal stores it."""


class NotStored(Exception):  # noqa: N818 - an answer, not an error of the program
    """The storage did not take it, so it has not happened; or, of a database that is away, cannot be read either."""

    def __init__(self, why: Why) -> None:
        """Store what is the matter with the storage."""
        super().__init__("the database is away" if why == "away" else f"the disk is {why.replace('_', '-')}")
        self.why: Why = why


# What was found when the machine and all that is kept on it were looked at.


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing looked at.  ``needed``: without it the app could not serve.  ``mend``: what to do."""

    name: str
    works: bool
    needed: bool
    message: str
    mend: str = ""

    def as_json(self) -> dict[str, object]:
        """Write it, by the names of its first version."""
        shown = {"name": self.name, "works": self.works, "needed": self.needed}
        return {**shown, "told": self.message, "mend": self.mend}
