"""What stands of a journal: its entries after every undo, redo and amend."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TypeAlias

from companion.engine.journal import Entry, Json

UNDONE, REDONE, AMENDED = "EntryUndone", "EntryRedone", "EntryAmended"
WALKING = frozenset({UNDONE, REDONE, AMENDED})
"""Names of the events by which entries change what stands."""


@dataclass(frozen=True, slots=True)
class Standing:
    """An entry as it stands: numbered, timed and signed as it was given first, with what it leads to now.

    ``amended``: the entry that amended it last, so that its command or its events are others than it was stored with.
    """

    seq: int
    at: str
    actor: str
    source: str
    command: Json
    events: tuple[Json, ...]
    amended: int | None = None


@dataclass(frozen=True, slots=True)
class Line:
    """The last entry that stands and, below it, those before it."""

    top: Standing
    below: "Line | None" = None


@dataclass(frozen=True, slots=True)
class Moment:
    """What stands once an entry was stored.

    ``seq``: the entry that an undo would take back (``None``: nothing was stored yet), ``before``: the moment
    to which that leads.
    """

    seq: int | None = None
    line: Line | None = None
    before: "Moment | None" = None

    def standing(self) -> tuple[Standing, ...]:
        """Give what stands, oldest first."""
        return tuple(reversed(tuple(_downwards(self.line))))

    def taken(self) -> frozenset[int]:
        """Give the numbers of the entries that no undo has taken back, amends among them."""
        found: set[int] = set()
        moment: Moment | None = self
        while moment is not None and moment.seq is not None:
            found.add(moment.seq)
            moment = moment.before
        return frozenset(found)


Undone: TypeAlias = "tuple[Moment, Undone] | None"
"""What redo restores, and below it what the next one does."""

_NOTHING: Undone = None


def standing(entries: Iterable[Entry]) -> tuple[Standing, ...]:
    """Give the entries that stand now, oldest first; undo, redo and amend are never among them."""
    return last_moment(entries).standing()


def last_moment(entries: Iterable[Entry]) -> Moment:
    """Say what stands after the last entry."""
    moment = Moment()
    for _, moment in moments(entries):  # noqa: B007 - the last one is the answer
        pass
    return moment


def moments(entries: Iterable[Entry]) -> Iterator[tuple[Entry, Moment]]:
    """Give each entry with what stands once it was stored.  The journal was folded before: it is sound."""
    moment, undone = Moment(), _NOTHING
    for entry in entries:
        kind = entry.events[0]["event"] if entry.events else None
        if kind == UNDONE and moment.before is not None:
            undone = (moment, undone)
            moment = moment.before
        elif kind == REDONE and undone is not None:
            moment, undone = replace(undone[0], before=moment), undone[1]
        else:
            line = _amended(moment.line, entry) if kind == AMENDED else Line(_as_given(entry), moment.line)
            moment, undone = Moment(entry.seq, line, moment), _NOTHING
        yield entry, moment


def _as_given(entry: Entry) -> Standing:
    return Standing(entry.seq, entry.at, entry.actor, entry.source, entry.command, entry.events)


def _amended(line: Line | None, entry: Entry) -> Line | None:
    """Carry an amend out: some entries are left out, some stand with other events, the rest as it stood."""
    outcome = entry.events[0]
    gone, decided = set(outcome["left_out"]), {one["entry"]: one for one in outcome["decided"]}
    above: list[Standing] = []
    while line is not None and line.top.seq >= outcome["entry"]:
        above.append(line.top)
        line = line.below
    for one in reversed(above):
        if one.seq not in gone:
            line = Line(_decided_again(one, decided.get(one.seq), entry.seq), line)
    return line


def _decided_again(one: Standing, outcome: "Json | None", amended: int) -> Standing:
    if outcome is None:
        return one
    return replace(one, command=outcome["command"], events=tuple(outcome["events"]), amended=amended)


def _downwards(line: Line | None) -> Iterator[Standing]:
    while line is not None:
        yield line.top
        line = line.below
