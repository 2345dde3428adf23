"""History of a table: its entries, and the entries in effect after each of them.

One machine folds undo, redo and amend: the engine's timeline.  Everything that is asked of the past (what stands, what
was explained, a step back) is read off the positions that it holds.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from companion.engine.game import Overview, Position, Refused
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


@dataclass(frozen=True, slots=True)
class EffectiveEntryView:
    """An entry as it stands: numbered, timed and signed as it was given first, with what it leads to now.

    ``amended``: the entry that amended it last, so that its command or its events are others than it was stored with.
    ``told`` are its events as the game knows them, ``before`` and ``after`` the positions around it.
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
    """One version of a table: its entries, the step that stood last after each, and the timeline now.

    Immutable: who reads it never meets a timeline without its entries.
    """

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

    def standing(self) -> tuple[EffectiveEntryView, ...]:
        """Return the entries that stand now, oldest first; undo, redo and amend are never among them."""
        return self.stood(self.timeline.tip)

    def stood(self, step: Step[Any] | None) -> tuple[EffectiveEntryView, ...]:
        """Return what stood after a step, oldest first."""
        return tuple(reversed([self.shown(stood) for stood in newest_first(step)]))

    def shown(self, stood: EffectiveEntry[Any]) -> EffectiveEntryView:
        """Return a standing entry in the form in which it is stored."""
        entry, command, events = self.entries[stood.seq - 1], None, ()
        if stood.amended is not None:
            decided = self.entries[stood.amended - 1].events[0]["decided"]
            outcome = next(decision for decision in decided if decision["entry"] == stood.seq)
            command, events = outcome["command"], tuple(outcome["events"])
        before = stood.below.position if stood.below else None
        return EffectiveEntryView(
            seq=entry.seq,
            at=entry.at,
            actor=entry.actor,
            source=entry.source,
            command=entry.command if command is None else command,
            events=entry.events if command is None else events,
            amended=stood.amended,
            game_events=stood.events,
            before=before,
            after=stood.position,
        )

    def moments(self) -> Iterator[tuple[Entry, Step[Any] | None]]:
        """Return each entry with the step that stood last once it was stored."""
        return zip(self.entries, self.steps, strict=True)

    def taken(self) -> frozenset[int]:
        """Return the numbers of the entries that no undo has taken back, amends among them."""
        numbers: set[int] = set()
        step = self.timeline.tip
        while step is not None:
            numbers.add(step.seq)
            step = step.before
        return frozenset(numbers)


def newest_first(step: Step[Any] | None) -> Iterator[EffectiveEntry[Any]]:
    """Return what stood after a step, newest first."""
    stood = step.line if step else None
    while stood is not None:
        yield stood
        stood = stood.below


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
    """Bring the events of one outcome to today's form; what is torn stays so, and is told when it is folded."""
    if not isinstance(decision, Mapping) or not isinstance(decision.get("events"), list):
        return decision
    return {**decision, "events": [codec.upcast(event) for event in decision["events"]]}


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
