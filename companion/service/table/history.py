"""The history of a table: its entries, which of them are in effect, and what each viewer may see and do.

The engine's timeline alone folds undo, redo and amend. Effective entries, explanations and earlier positions are read
from the positions that it holds.
"""

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from types import MappingProxyType
from typing import Any

from companion.engine.game import (
    BANKER,
    Amount,
    AnyOfThese,
    AnySet,
    Assignment,
    Bag,
    Dice,
    Field,
    Game,
    Offer,
    OneOf,
    Overview,
    Parts,
    Position,
    Refused,
    SomeOf,
)
from companion.engine.journal import Entry, Json, Log
from companion.engine.timeline import EffectiveEntry, Step, Timeline, fold, fold_amendment
from companion.game_api.manifest import LoadedGame
from companion.game_api.messages import Codec
from companion.service.ports import TornJournal

UNDONE, REDONE, AMENDED = "EntryUndone", "EntryRedone", "EntryAmended"
HISTORY_EVENTS = frozenset({UNDONE, REDONE, AMENDED})
"""Names of the events by which entries change what stands."""

UNREADABLE = (
    ArithmeticError,
    AttributeError,
    LookupError,
    RecursionError,
    Refused,
    StopIteration,
    TypeError,
    ValueError,
)
"""What folding events that do not belong together ends in; anything else is a mistake of the program."""


def is_amend(command: Json) -> bool:
    """Return whether a command asks for an amend, sound or not."""
    return command.get("do") == "amend"


@dataclass(frozen=True, slots=True)
class EffectiveEntryView:
    """An entry as it stands: numbered, timed and signed as it was given first, with what it leads to now.

    ``amended``: the entry that amended it last, so that its command or its events are others than it was stored with.
    ``game_events`` are its events as the game knows them, ``before`` and ``after`` the positions around it.
    """

    seq: int
    at: str
    actor: str
    source: str
    command: Json
    events: tuple[Json, ...]
    amended: int | None
    game_events: tuple[Any, ...]
    before: Position[Any] | None
    after: Position[Any]


@dataclass(frozen=True, slots=True)
class History:
    """One immutable version of a table: its entries, the last effective step after each, and the timeline now."""

    entries: Log[Entry] = field(default_factory=Log)
    steps: Log[Step[Any] | None] = field(default_factory=Log)
    timeline: Timeline[Any] = field(default_factory=Timeline)

    def after(self, game: LoadedGame, entry: Entry) -> "History":
        """Fold one entry by its events alone; ``TornJournal`` where they do not fit."""
        if entry.seq != self.timeline.version + 1:
            message = f"entry {self.timeline.version + 1} is missing, entry {entry.seq} follows instead"
            raise TornJournal(message)
        try:
            timeline = _folded(game, self.timeline, entry)
        except UNREADABLE as error:
            message = f"entry {entry.seq} cannot be read: {' '.join(str(error).split())}"
            raise TornJournal(message) from error
        return History(self.entries.with_next(entry), self.steps.with_next(timeline.tip), timeline)

    @property
    def version(self) -> int:
        """The number of the latest entry."""
        return self.timeline.version

    @property
    def position(self) -> Position[Any] | None:
        """The position now; ``None`` before the start."""
        tip = self.timeline.tip
        return tip.line.position if tip else None

    def effective_entries(self) -> tuple[EffectiveEntryView, ...]:
        """Return the entries that stand now, oldest first; undo, redo and amend are never among them."""
        return self.entries_after(self.timeline.tip)

    def entries_after(self, step: Step[Any] | None) -> tuple[EffectiveEntryView, ...]:
        """Return what stood after a step, oldest first."""
        return tuple(reversed([self.view_of(effective) for effective in newest_first(step)]))

    def view_of(self, effective: EffectiveEntry[Any]) -> EffectiveEntryView:
        """Return a standing entry in the form in which it is stored."""
        entry, command, events = self.entries[effective.seq - 1], None, ()
        if effective.amended is not None:
            decided = self.entries[effective.amended - 1].events[0]["decided"]
            outcome = next(decision for decision in decided if decision["entry"] == effective.seq)
            command, events = outcome["command"], tuple(outcome["events"])
        before = effective.below.position if effective.below else None
        return EffectiveEntryView(
            seq=entry.seq,
            at=entry.at,
            actor=entry.actor,
            source=entry.source,
            command=entry.command if command is None else command,
            events=entry.events if command is None else events,
            amended=effective.amended,
            game_events=effective.events,
            before=before,
            after=effective.position,
        )

    def moments(self) -> Iterator[tuple[Entry, Step[Any] | None]]:
        """Return each entry with the step that stood last once it was stored."""
        return zip(self.entries, self.steps, strict=True)

    def effective_numbers(self) -> frozenset[int]:
        """Return the numbers of the entries that no undo has taken back, amends among them."""
        numbers: set[int] = set()
        step = self.timeline.tip
        while step is not None:
            numbers.add(step.seq)
            step = step.before
        return frozenset(numbers)


def newest_first(step: Step[Any] | None) -> Iterator[EffectiveEntry[Any]]:
    """Return what stood after a step, newest first."""
    effective = step.line if step else None
    while effective is not None:
        yield effective
        effective = effective.below


def undo(timeline: Timeline[Any]) -> dict[str, Any]:
    """Return which entry an undo takes back."""
    return {"event": UNDONE, "entry": timeline.undo().entry}


def redo(timeline: Timeline[Any]) -> dict[str, Any]:
    """Return which entry a redo restores."""
    return {"event": REDONE, "entry": timeline.redo().entry}


HISTORY_COMMANDS: dict[str, Callable[[Timeline[Any]], dict[str, Any]]] = {"undo": undo, "redo": redo}


def _folded(game: LoadedGame, timeline: Timeline[Any], entry: Entry) -> Timeline[Any]:
    kind = entry.events[0]["event"] if entry.events else None
    if kind in (UNDONE, REDONE):
        expected = timeline.undo().entry if kind == UNDONE else timeline.redo().entry
        if entry.events[0]["entry"] != expected:
            message = f"{kind} names entry {entry.events[0]['entry']!r}, but it is the turn of {expected}"
            raise ValueError(message)
        return timeline.after_undo() if kind == UNDONE else timeline.after_redo()
    if kind == AMENDED:
        return _amended(game, timeline, entry.events[0])
    events = tuple(game.codec.event(event) for event in entry.events)
    position = fold(game.rules, timeline.position, events)
    if position is None:
        message = "it leads to no position"
        raise ValueError(message)
    return timeline.after(position, events)


def _amended(game: LoadedGame, timeline: Timeline[Any], event: Json) -> Timeline[Any]:
    outcome: dict[int, tuple[Any, ...] | None] = dict.fromkeys(event["left_out"])
    for decision in event["decided"]:
        outcome[decision["entry"]] = tuple(game.codec.event(kept) for kept in decision["events"])
    return fold_amendment(game.rules, timeline, event["entry"], outcome)


# Entries of earlier versions, read as this one would have written them.


def upcast_entry(codec: Codec, entry: Entry) -> Entry:
    """Bring every event of an entry, also those that an amend let stand, to the form of today."""
    return replace(entry, events=tuple(_event(codec, event) for event in entry.events))


def _event(codec: Codec, event: Json) -> Json:
    if event.get("event") == AMENDED and isinstance(event.get("decided"), list):
        return {**event, "decided": [_decided(codec, decision) for decision in event["decided"]]}
    return codec.upcast(event)


def _decided(codec: Codec, decision: Any) -> Any:
    """Upcast the events of one amended entry. Malformed data is passed through; folding reports it."""
    if not isinstance(decision, Mapping) or not isinstance(decision.get("events"), list):
        return decision
    return {**decision, "events": [codec.upcast(event) for event in decision["events"]]}


# A version of a table in a few figures, for lists of tables.


def describe_table(table_id: str, game: str, history: History, overview: Overview | None) -> dict[str, Any]:
    """Return the summary of one version of a table, as JSON."""
    names = {} if overview is None else overview.names
    return {
        "id": table_id,
        "game": game,
        "version": history.version,
        "started_at": history.entries[0].at,
        "changed_at": history.entries[-1].at,
        "round": None if overview is None else overview.round,
        "phase": None if overview is None else overview.phase,
        "finished": overview is not None and overview.finished,
        "players": [{"id": seat, "name": names[seat]} for seat in (overview.seats if overview else ())],
        "standings": [
            {"player": place.player, **dict(place.figures), "rank": place.rank}
            for place in (overview.standings if overview else ())
        ],
    }


# Redaction of journals: secrets of players are held back until something reveals them.


def secret_entries(
    game: LoadedGame, history: History, read: int = 0, earlier: Mapping[int, frozenset[str]] = MappingProxyType({})
) -> Mapping[int, frozenset[str]]:
    """Return the entries that hold something that not everybody has seen yet, with the names of those events.

    A secret stays one, also when it was taken back or replaced, until something reveals it; what has once been revealed
    is no secret any more.  ``earlier`` is what this returned when the history had ``read`` entries.
    """
    messages = game.messages
    if not messages.secret:
        return {}
    secret = dict(earlier)
    for entry, step in islice(history.moments(), read, None):
        happened = names_of(entry.events)
        if AMENDED in happened:
            names = _secrets_of_amend(game, step, entry.seq)
        else:
            redacted = ((seq, messages.still_secret(names, happened)) for seq, names in secret.items())
            secret = {seq: names for seq, names in redacted if names}
            names = messages.secrets_among(happened)
        if names:
            secret[entry.seq] = names
    return secret


def _secrets_of_amend(game: LoadedGame, step: Step[Any] | None, amend: int) -> frozenset[str]:
    """Return the names of the secret events that an amend has let stand and nothing above them reveals."""
    above: frozenset[str] = frozenset()
    secret: frozenset[str] = frozenset()
    for effective in newest_first(step):
        happened = frozenset(type(event).__name__ for event in effective.events)
        above |= happened
        if effective.amended == amend:
            secret |= game.messages.still_secret(game.messages.secret & happened, above)
    return secret


def names_of(events: Sequence[Json]) -> frozenset[str]:
    """Return the names of events."""
    return frozenset(event["event"] for event in events)


def shown_to(game: LoadedGame, viewer: str, whole: dict[str, Any], secret: frozenset[str]) -> dict[str, Any]:
    """Show something with ``command`` and ``events``, of which those of the names ``secret`` are still held back."""
    command, events = whole["command"], []
    for stored in whole["events"]:
        command, event = _covered(game, viewer, command, stored) if stored["event"] in secret else (command, stored)
        owner = _owner(game, event, secret)
        if owner is None or _may_see(game, viewer, owner, event):
            events.append(_amend_shown(game, viewer, event, secret) if event["event"] == AMENDED else event)
        else:
            events.append({"event": event["event"], "player": owner})
            command = {"do": command["do"], "player": owner}
    if events and events[0]["event"] == AMENDED:
        command = _amending_shown(command, events[0])
    return {**whole, "command": command, "events": events}


def _covered(game: LoadedGame, viewer: str, command: Json, event: Json) -> tuple[Json, Json]:
    """Return a command and its event without the figures that are held back from a viewer."""
    cover = game.messages.covered.get(event["event"])
    if cover is None or (viewer == BANKER and event["event"] in game.messages.banker_sees):
        return command, event
    return cover(command, event, viewer)


def _owner(game: LoadedGame, event: Json, secret: frozenset[str]) -> str | None:
    if event["event"] not in secret or event["event"] in game.messages.covered:
        return None
    return game.rules.secret_of(game.codec.event(event))


def _may_see(game: LoadedGame, viewer: str, owner: str, event: Json) -> bool:
    return viewer == owner or (viewer == BANKER and event["event"] in game.messages.banker_sees)


def _amend_shown(game: LoadedGame, viewer: str, event: Json, secret: frozenset[str]) -> dict[str, Any]:
    return {**event, "decided": [shown_to(game, viewer, decided, secret) for decided in event["decided"]]}


def _amending_shown(command: Json, shown: Json) -> dict[str, Any]:
    """Show the command of an amend with the replacement as its outcome is shown."""
    instead = {decided["entry"]: decided["command"] for decided in shown["decided"]}
    return {**command, "with": instead.get(command["seq"], command["with"])}


# The journal as a list for one viewer: every entry as it was given, and what has become of it since.


EntryStatus = tuple[bool, int | None, int | None, frozenset[str] | None, frozenset[str] | None]
"""What has become of an entry: whether it is undone, which amend left it out, which changed it, and the names of its
secret events, as it was given and as it stands.
"""


class Listing:
    """The journal of a table as lists for its viewers.

    Only entries whose status changed are rebuilt when a history goes on, so that a command costs no more late in an
    evening than early.  Thread-safe; whoever gets an entry does not change it.
    """

    def __init__(self, game: LoadedGame) -> None:
        """Begin empty."""
        self._game = game
        self._lock = threading.Lock()
        self._secrets: tuple[int, Mapping[int, frozenset[str]]] = 0, {}
        self._written: dict[str, dict[int, tuple[EntryStatus, dict[str, Any]]]] = {}
        self._latest: dict[str, tuple[Log[Entry], Mapping[int, frozenset[str]], list[dict[str, Any]]]] = {}

    def of(self, history: History, viewer: str) -> list[dict[str, Any]]:
        """Return all entries as a viewer may see them, oldest first.

        ``undone``: it does not stand now, taken back by an undo or left out by an amend.  ``amended``, where one has
        touched it: ``by`` which entry, and ``command`` and ``events`` as they stand now, or ``None`` and ``None``.
        """
        with self._lock:
            secret, written = self._secrets_until(history), self._written.setdefault(viewer, {})
            listed = self._unchanged(history, viewer, secret)
            new = history.entries[len(listed) :]
            taken, left_out_by = frozenset(entry.seq for entry in new), dict[int, int]()
            amended: dict[int, EffectiveEntry[Any]] = {}
            if not listed:
                taken, left_out_by = history.effective_numbers(), _left_out_by(history)
                tip = newest_first(history.timeline.tip)
                amended = {entry.seq: entry for entry in tip if entry.amended is not None}
            for entry in new:
                seq, effective = entry.seq, amended.get(entry.seq)
                undone = not {UNDONE, REDONE} & names_of(entry.events) and (seq not in taken or seq in left_out_by)
                amended_by = effective.amended if effective else None
                status = undone, left_out_by.get(seq), amended_by, secret.get(seq), secret.get(amended_by or 0)
                if seq not in written or written[seq][0] != status:
                    view = history.view_of(effective) if effective else None
                    written[seq] = status, self._described(entry, status, view, viewer)
            listed = [*listed, *(written[entry.seq][1] for entry in new)]
            self._latest[viewer] = history.entries, secret, listed
            return list(listed)

    def _unchanged(self, history: History, viewer: str, secret: Mapping[int, frozenset[str]]) -> list[dict[str, Any]]:
        """Return the latest list if only entries of the game itself have followed, and revealed nothing; else none."""
        entries, secret_then, listed = self._latest.get(viewer, (Log[Entry](), {}, []))
        read = len(listed)
        if not 0 < read <= history.version or history.entries[read - 1] is not entries[read - 1]:
            return []
        revealed = secret_then != {seq: names for seq, names in secret.items() if seq <= read}
        walks = any(HISTORY_EVENTS & names_of(entry.events) for entry in history.entries[read:])
        return [] if revealed or walks else listed

    def _secrets_until(self, history: History) -> Mapping[int, frozenset[str]]:
        read, earlier = self._secrets
        if history.version < read:  # somebody looks at a table that has just gone on
            return secret_entries(self._game, history)
        self._secrets = history.version, secret_entries(self._game, history, read, earlier)
        return self._secrets[1]

    def _described(
        self, entry: Entry, status: EntryStatus, effective: EffectiveEntryView | None, viewer: str
    ) -> dict[str, Any]:
        undone, left_out_by, amended_by, secret, still_secret = status
        shown = entry.as_json()
        if secret is not None:
            shown = shown_to(self._game, viewer, shown, secret)
        described = {**shown, "undone": undone}
        if left_out_by is not None:
            described["amended"] = {"by": left_out_by, "command": None, "events": None}
        elif effective is not None:
            now = {"command": dict(effective.command), "events": [dict(event) for event in effective.events]}
            now = shown_to(self._game, viewer, now, still_secret or frozenset())
            described["amended"] = {"by": amended_by, **now}
        return described


def effective_json(listed_entry: Json) -> dict[str, Any]:
    """Return command and events of a listed entry as an amend has left them; of one that was left out, as they were."""
    amended = listed_entry.get("amended") or {}
    source = amended if amended.get("events") is not None else listed_entry
    return {"command": source["command"], "events": source["events"]}


def amendable(listed_entry: Json) -> bool:
    """Return whether a listed entry stands and is one of the game itself."""
    if listed_entry.get("undone"):
        return False
    return all(event["event"] not in HISTORY_EVENTS for event in listed_entry["events"])


def _left_out_by(history: History) -> dict[int, int]:
    """Return, for each entry that an amend left out, which one did."""
    taken = history.effective_numbers()
    amends = [entry for entry in history.entries if entry.seq in taken and AMENDED in names_of(entry.events)]
    return {seq: amend.seq for amend in amends for seq in amend.events[0]["left_out"]}


# Offers as JSON: a command whose settled fields stand in place, and ``fields`` for what is open.


def list_offers(game: Game[Any, Any, Any], timeline: Timeline[Any], viewer: str, *, undo: bool) -> list[dict[str, Any]]:
    """Write all that a viewer may do now; ``undo``: they may take the latest act back, and there is one."""
    position = timeline.position
    if position is None:
        return []
    offers = [offer_json(offer) for offer in open_to(game, position, viewer)]
    if undo:
        offers.append({"do": "undo", "urgency": "possible", "fields": {}})
    if viewer == BANKER and timeline.undone is not None:
        offers.append({"do": "redo", "urgency": "possible", "fields": {}})
    return offers


def open_to(game: Game[Any, Any, Any], position: Position[Any], viewer: str) -> list[Offer]:
    """Return the offers of a viewer: a player's own, or for the banker those of everybody and the banker's alone."""
    players = [player for player in game.players(position) if viewer in (BANKER, player)]
    offers = (offer for player in players for offer in game.offers(position, player))
    return [offer for offer in offers if offer.player != BANKER or viewer == BANKER]


def offer_json(offer: Offer) -> dict[str, Any]:
    """Write an offer; where the command names no player, ``by`` says who may give it."""
    player_key = "player" if offer.addressed else "by"
    return {
        "do": offer.do,
        player_key: offer.player,
        **dict(offer.given),
        "urgency": offer.urgency,
        "fields": {name: field_json(field) for name, field in offer.fields},
    }


def field_json(field: Field) -> dict[str, Any]:
    """Write what an open field may hold."""
    match field:
        case OneOf(values):
            return {"kind": "one_of", "values": list(values)}
        case SomeOf(values, least, most):
            return {"kind": "some_of", "values": list(values), "least": least, "most": most}
        case Amount(least, most, step):
            return {"kind": "amount", "least": least, "most": most, "step": step}
        case Bag(kinds, least, most):
            return {"kind": "bag", "kinds": dict(kinds), "least": least, "most": most or sum(dict(kinds).values())}
        case Dice(count, faces):
            return {"kind": "dice", "count": count, "faces": faces}
        case Parts(parts):
            return {"kind": "parts", "parts": {name: field_json(part) for name, part in parts}}
        case AnyOfThese(values):
            return {"kind": "any_of_these", "values": [{card: list(ids) for card, ids in way} for way in values]}
        case AnySet(values):
            return {"kind": "any_set", "values": [list(ids) for ids in values]}
        case Assignment(sites, workers):
            return {
                "kind": "assignment",
                "sites": {site: {place: list(code) for place, code in places} for site, places in sites},
                "workers": dict(workers),
            }
