"""Values and answers that several processes share in a database: guests, preferences, wrong PINs, late answers.

A value lies there in parts, and a change writes the parts that it changes, so that the join of the five thousandth
guest is as quick as that of the first.  Processes look for what others have changed every ``LOOK_S`` while somebody
asks, and at once where they are told (``SharedStore.hear``), on the channel on which they hear of entries too.
"""

import json
import logging
import secrets
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, fields, is_dataclass
from typing import Any, Generic, TypeVar, cast

import psycopg

from companion.adapters.journal.database import Database
from companion.service.access.guests import Guest, GuestList
from companion.service.access.logins import Guesses, Tries
from companion.service.access.preferences import PreferenceValues
from companion.service.access.screens import LobbySeat, LobbySeats, Waiting, WaitingScreen
from companion.service.ports import Conflict, KeyReused, NotStored, StoredAnswer

T = TypeVar("T")
Record = TypeVar("Record")

log = logging.getLogger(__name__)

LOOK_S = 0.5
"""Seconds for which a value counts before the database is asked again; longer only while it is away."""
CLEAR_EVERY, CLEAR_BEHIND = 256, 1_000
"""Versions after which removed parts are deleted; and latest versions whose parts are left for others to read."""
UNKNOWN = -1
"""In place of a version, where all is to be read."""
KEEP_ANSWERS_S, CLAIM_S, WAIT_S, POLL_S = 3_600, 15, 5.0, 0.05
"""How long an answer is kept; after how long whoever claimed a request counts as dead; how long others wait for it."""
MOST_ANSWERS = 200
"""Of one sender; beyond these the oldest go."""

_READ = """
    SELECT COALESCE(v.version, 0), COALESCE(v.cleared, 0), p.part, p.value::text
    FROM (SELECT %(kind)s::text) AS asked (kind) LEFT JOIN shared_values v ON v.kind = asked.kind
        LEFT JOIN shared_parts p ON p.kind = v.kind
        AND p.version > CASE WHEN %(known)s BETWEEN v.cleared AND v.version THEN %(known)s ELSE 0 END
    WHERE COALESCE(v.version, 0) <> %(known)s
    ORDER BY p.version, p.place
"""
"""Everything, where the version is lower than the known one: the database has gone back; 0 where there is no value."""
_WRITE = """
    WITH next AS (
        INSERT INTO shared_values (kind, version) VALUES (%(kind)s, 1)
        ON CONFLICT (kind) DO UPDATE SET version = shared_values.version + 1
            WHERE shared_values.version = %(known)s
        RETURNING version
    ), written AS (
        INSERT INTO shared_parts (kind, part, version, place, value)
        SELECT %(kind)s, p.part, next.version, p.place, p.value::json
        FROM next, unnest(%(parts)s::text[], %(values)s::text[]) WITH ORDINALITY AS p (part, value, place)
        ON CONFLICT (kind, part) DO UPDATE
            SET version = excluded.version, place = excluded.place, value = excluded.value
    )
    SELECT version FROM next
"""
_CLEAR = """
    WITH cleared AS (
        DELETE FROM shared_parts WHERE kind = %(kind)s AND value IS NULL AND version <= %(upto)s
    )
    UPDATE shared_values SET cleared = greatest(cleared, %(upto)s) WHERE kind = %(kind)s
"""
_CLAIM = """
    INSERT INTO answers (request, sender, owner, digest) VALUES (%(request)s, %(sender)s, %(owner)s, %(digest)s)
    ON CONFLICT (request) DO UPDATE
        SET owner = excluded.owner, digest = excluded.digest, at = excluded.at, status = NULL
        WHERE answers.owner = excluded.owner OR answers.at < clock_timestamp() - make_interval(
            secs => CASE WHEN answers.status IS NULL THEN %(claim)s::float8 ELSE %(keep)s::float8 END)
    RETURNING true
"""
_ANSWER = "SELECT digest, status, type, body FROM answers WHERE request = %s"
_KEEP_ANSWER = """
    WITH answered AS (
        UPDATE answers SET status = %(status)s, type = %(type)s, body = %(body)s
        WHERE request = %(request)s AND owner = %(owner)s
        RETURNING sender
    )
    DELETE FROM answers WHERE at < clock_timestamp() - make_interval(secs => %(keep)s) OR n <= (
        SELECT n FROM answers WHERE sender = (SELECT sender FROM answered) ORDER BY n DESC LIMIT 1 OFFSET %(most)s
    ) AND sender = (SELECT sender FROM answered)
"""


# Values that several processes share.


@dataclass(frozen=True, slots=True)
class ValueParts(Generic[T]):
    """How a value of one kind is divided into parts by name, and joined again; parts are JSON values or dataclasses.

    ``own``: the names of parts, up to their first slash; others are of newer versions of the program, and left alone.
    ``read`` makes a part of its name and its JSON.  ``ending``: how the names of parts begin that end something where
    they are added.
    """

    kind: str
    own: frozenset[str]
    divide: Callable[[T], Mapping[str, Any]]
    join: Callable[[Mapping[str, Any]], T]
    read: Callable[[str, Any], Any] = lambda _name, value: value
    ending: tuple[str, ...] = ()


class SharedStore(Generic[T]):
    """A ``ConcurrentStore`` of one value in the database.  Only ``hear`` may come from any thread."""

    def __init__(self, database: Database, parts: ValueParts[T], tell: Callable[[bool], None] = lambda _: None) -> None:
        """Store where the value lies; ``tell`` is called after each change, with whether that may have ended something.

        Whatever changes or removes parts may have, and whatever adds parts that do so by themselves.
        """
        self._database, self._form, self._tell = database, parts, tell
        self._version = 0
        self._parts: dict[str, Any] = {}
        self._look_at = 0.0
        self._doubt_lock = threading.Lock()
        self._is_doubted = False

    def hear(self, *, is_complete: bool = True) -> None:
        """Look at the next call whether another process has changed the value.

        Where news may be missing, it is read as a whole then: the database may be an older one, out of a backup, in
        which the same version is another value.
        """
        if not is_complete:
            self._doubt()
        self._look_at = 0.0

    def read(self) -> T:
        """Return the value.  ``NotStored`` where the database cannot be reached."""
        self._read_changes()
        return self._form.join(self._parts)

    def write(self, value: T, /) -> None:
        """Store the parts that differ; raise ``Conflict`` where the value is not the latest, or may not be."""
        if self._is_doubted:
            raise Conflict
        parts = dict(self._form.divide(value))
        changed = {name: part for name, part in parts.items() if _differs(self._parts.get(name), part)}
        names = [*changed, *(name for name in self._parts if name not in parts)]
        values = [*map(_write_part, changed.values()), *[None] * (len(names) - len(changed))]
        about = {"kind": self._form.kind, "known": self._version, "parts": names, "values": values}
        stored = self._database.run(lambda connection: connection.execute(_WRITE.encode(), about).fetchone())
        if stored is None:
            raise Conflict
        may_end = any(name in self._parts or name.startswith(self._form.ending) for name in names)
        self._version, self._parts = stored[0], parts
        if self._version % CLEAR_EVERY == 0:
            self._clear()
        self._tell(may_end)

    def stored_elsewhere(self, *, at_once: bool) -> T | None:
        """Return the value if another process has changed it."""
        if not at_once and time.monotonic() < self._look_at:
            return None
        try:
            return self._form.join(self._parts) if self._read_changes(briefly=not at_once) else None
        except NotStored:
            if at_once:
                raise
            return None

    def _read_changes(self, *, briefly: bool = False) -> bool:
        """Read what is new; return whether anything is."""
        self._look_at = time.monotonic() + LOOK_S
        with self._doubt_lock:
            is_doubted, self._is_doubted = self._is_doubted, False
        seen_version = UNKNOWN if is_doubted else self._version
        try:
            rows = self._database.query(_READ, {"kind": self._form.kind, "known": seen_version}, briefly=briefly)
        except NotStored:
            if is_doubted:
                self._doubt()
            raise
        if not rows:
            return False
        (version, cleared, *_), parts = rows[0], dict(self._parts)
        if not cleared <= seen_version <= version:
            parts = {}
        for _, _, name, value in rows:
            if name is None or name.partition("/")[0] not in self._form.own:
                continue
            parts.pop(name, None)  # what was changed last stands last
            if value is not None:
                parts[name] = self._form.read(name, json.loads(value))
        self._version, self._parts = version, parts
        return True

    def _doubt(self) -> None:
        with self._doubt_lock:
            self._is_doubted = True

    def _clear(self) -> None:
        about = {"kind": self._form.kind, "upto": self._version - CLEAR_BEHIND}
        try:
            self._database.run(lambda connection: connection.execute(_CLEAR.encode(), about))
        except (NotStored, psycopg.Error) as error:
            log.warning("%s: what was removed stays in the database (%s)", self._form.kind, error)


def _differs(before: Any, part: Any) -> bool:
    return before is not part and before != part


def _write_part(part: Any) -> str:
    return json.dumps(asdict(part) if is_dataclass(part) and not isinstance(part, type) else part)


def _record(kind: type[Record], data: Mapping[str, Any]) -> Record:
    """Return a dataclass of its members as JSON; those of newer versions of the program are ignored."""
    names = {member.name for member in fields(cast("Any", kind))}
    return kind(**{name: value for name, value in data.items() if name in names})


# ValueParts of which there are many have a prefix to their names: a guest's is named by the device.

GUEST, OUT, NEXT, LINK, NOTES, HAMMER = "guest/", "out/", "next/", "link/", "notes/", "hammer/"
ADDRESS, SCREEN = "address/", "screen/"


def _by_prefix(parts: Mapping[str, Any]) -> defaultdict[str, dict[str, Any]]:
    """Return the parts that have a prefix, by it and by the rest of their names."""
    grouped: defaultdict[str, dict[str, Any]] = defaultdict(dict)
    for name, part in parts.items():
        prefix, slash, rest = name.partition("/")
        if slash:
            grouped[prefix + slash][rest] = part
    return grouped


def _prefixed(prefix: str, parts: Mapping[str, Any]) -> dict[str, Any]:
    return {prefix + name: part for name, part in parts.items()}


def _divide_guests(guests: GuestList) -> dict[str, Any]:
    return {
        "epoch": guests.invitation_epoch,
        "current": guests.current,
        "generation": guests.generation,
        "kept": guests.kept,
        **{GUEST + guest.device: guest for guest in guests.guests},
        **{OUT + device: True for device in guests.out},
        **_prefixed(NEXT, guests.next),
        **_prefixed(LINK, guests.links),
    }


def _join_guests(parts: Mapping[str, Any]) -> GuestList:
    default, grouped = GuestList(), _by_prefix(parts)
    return GuestList(
        invitation_epoch=parts.get("epoch", default.invitation_epoch),
        current=parts.get("current"),
        guests=tuple(grouped[GUEST].values()),
        out=tuple(grouped[OUT]),
        next=grouped[NEXT],
        generation=parts.get("generation", default.generation),
        kept=parts.get("kept"),
        links=grouped[LINK],
    )


def _divide_preferences(chosen: PreferenceValues) -> dict[str, Any]:
    return {
        "welcomed": chosen.welcomed,
        "deck": chosen.deck,
        "layout": chosen.layout,
        **dict.fromkeys((NOTES + table for table in sorted(chosen.notes)), True),
        **_prefixed(HAMMER, chosen.hammers),
    }


def _join_preferences(parts: Mapping[str, Any]) -> PreferenceValues:
    default, grouped = PreferenceValues(), _by_prefix(parts)
    return PreferenceValues(
        welcomed=parts.get("welcomed", default.welcomed),
        deck=parts.get("deck", default.deck),
        layout=parts.get("layout", default.layout),
        notes=frozenset(grouped[NOTES]),
        hammers=grouped[HAMMER],
    )


def _divide_guesses(guesses: Guesses) -> dict[str, Any]:
    return {"overall": guesses.overall, "welcome": guesses.welcome, **_prefixed(ADDRESS, guesses.by_address)}


def _read_guesses(name: str, value: Any) -> Any:
    return tuple(value) if name == "welcome" else _record(Tries, value)


def _join_guesses(parts: Mapping[str, Any]) -> Guesses:
    default = Guesses()
    overall, welcome = parts.get("overall", default.overall), parts.get("welcome", default.welcome)
    return Guesses(_by_prefix(parts)[ADDRESS], overall, welcome)


GUESTS = ValueParts(
    "guests",
    frozenset({"epoch", "current", "generation", "kept", "guest", "out", "next", "link"}),
    _divide_guests,
    _join_guests,
    lambda name, value: _record(Guest, value) if name.startswith(GUEST) else value,
    (OUT, LINK, "generation"),
)
PREFERENCES = ValueParts(
    "preferences",
    frozenset({"welcomed", "deck", "layout", "notes", "hammer"}),
    _divide_preferences,
    _join_preferences,
)
PIN_GUESSES, LETTER_GUESSES = (
    ValueParts(kind, frozenset({"overall", "welcome", "address"}), _divide_guesses, _join_guesses, _read_guesses)
    for kind in ("guesses of the PIN", "guesses of letters")
)
WAITING_SCREENS: ValueParts[Waiting] = ValueParts(
    "waiting screens",
    frozenset({"screen"}),
    lambda waiting: {SCREEN + screen.token: screen for screen in waiting},
    lambda parts: tuple(sorted(parts.values(), key=lambda screen: screen.until)),
    lambda _, value: _record(WaitingScreen, value),
)
LOBBY = ValueParts(
    "lobby",
    frozenset({"lobby"}),
    lambda lobby: {"lobby": lobby},
    lambda parts: parts.get("lobby", LobbySeats()),
    lambda _, value: LobbySeats(
        value["game"], tuple(_record(LobbySeat, seat) for seat in value["seats"]), value["arrived"]
    ),
)


# Answers given lately, by idempotency key.


class SharedAnswers:
    """Answers given lately, in a database.  Every call may come from any thread."""

    def __init__(self, database: Database) -> None:
        """Store where the answers lie."""
        self._database = database

    def claim(self, sender: str, request: str, digest: str) -> StoredAnswer | str:
        """Return the answer to a request, or insert the row that keeps others from carrying it out.

        Then its owner is returned, a random name.
        """
        owner = secrets.token_hex(8)
        about = {"sender": sender, "request": request, "digest": digest, "owner": owner}
        give_up_at = time.monotonic() + WAIT_S
        while True:
            if self._database.query(_CLAIM, {**about, "claim": CLAIM_S, "keep": KEEP_ANSWERS_S}):
                return owner
            rows = self._database.query(_ANSWER, (request,))
            for stored, status, kind, body in rows:
                if stored != digest:
                    raise KeyReused
                if status is not None:
                    return StoredAnswer(bytes(body), status, kind)
            if time.monotonic() > give_up_at:
                raise NotStored("locked")
            time.sleep(POLL_S)

    def keep(self, request: str, owner: str, answer: StoredAnswer | None) -> None:
        """Store an answer and delete old ones, or release the claim; do nothing where another owns it by now."""
        try:
            if answer is None:
                gone = b"DELETE FROM answers WHERE request = %s AND owner = %s AND status IS NULL"
                self._database.run(lambda connection: connection.execute(gone, (request, owner)))
                return
            about = {"request": request, "status": answer.status, "type": answer.content_type, "body": answer.body}
            limits = {"owner": owner, "keep": KEEP_ANSWERS_S, "most": MOST_ANSWERS}
            self._database.run(lambda connection: connection.execute(_KEEP_ANSWER.encode(), {**about, **limits}))
        except (NotStored, psycopg.Error) as error:
            log.warning("an answer could not be kept (%s)", error)
