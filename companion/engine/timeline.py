"""Fold the entries of a game into positions, with undo, redo and amend as entries of their own.

The journal only grows.  The entries form a chain of steps; undo moves the tip back one step, redo forward again, and a
new entry discards what could have been redone.  Each step keeps the chain of effective entries with the position after
each, so the cost of a command or an undo does not depend on the length of the game.  An amend is one step whose chain
branches off further down: undoing it returns to the previous chain.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from companion.engine.game import FoldedEvents, Game, Position, Refused, copy_with
from companion.engine.ledger import Ledger, Transaction

S = TypeVar("S")
C = TypeVar("C")
E = TypeVar("E")

SETTLE_BOUND = 1_000
"""Upper bound of follow-ups after one command; more mean rules that never terminate."""


@dataclass(frozen=True, slots=True)
class EntryUndone:
    """Entry ``entry`` is no longer effective."""

    entry: int


@dataclass(frozen=True, slots=True)
class EntryRedone:
    """Entry ``entry`` is effective again."""

    entry: int


class UnsettledError(RuntimeError):
    """The follow-ups of a game did not terminate: a fault in its rules."""


@dataclass(frozen=True, slots=True)
class EffectiveEntry(Generic[S]):
    """An entry that was not undone: its events in their present form, the position after it, and the entry below.

    ``amended``: the number of the entry that amended it last; ``None`` if its events are the original ones.
    """

    seq: int
    events: tuple[Any, ...]
    position: Position[S]
    below: "EffectiveEntry[S] | None" = None
    amended: int | None = None


@dataclass(frozen=True, slots=True)
class Step(Generic[S]):
    """A step of undo: an entry, the chain of effective entries after it, and the step before."""

    seq: int
    line: EffectiveEntry[S]
    before: "Step[S] | None" = None


@dataclass(frozen=True, slots=True)
class UndoneStep(Generic[S]):
    """A step that redo would restore, and those below it in the stack."""

    step: Step[S]
    below: "UndoneStep[S] | None" = None


@dataclass(frozen=True, slots=True)
class Timeline(Generic[S]):
    """All entries of one game, folded: ``version`` is their number, ``tip`` the latest step."""

    version: int = 0
    tip: Step[S] | None = None
    undone: UndoneStep[S] | None = None

    @property
    def position(self) -> Position[S] | None:
        """The current position; ``None`` before the game has started."""
        return self.tip.line.position if self.tip else None

    @property
    def line(self) -> EffectiveEntry[S] | None:
        """The latest effective entry; ``None`` before the game has started."""
        return self.tip.line if self.tip else None

    def undo(self) -> EntryUndone:
        """Return the event of an undo.  Raise ``Refused`` where only the start is left."""
        if self.tip is None or self.tip.before is None:
            raise Refused("nothing_to_undo")
        return EntryUndone(self.tip.seq)

    def redo(self) -> EntryRedone:
        """Return the event of a redo.  Raise ``Refused`` where nothing was undone."""
        if self.undone is None:
            raise Refused("nothing_to_redo")
        return EntryRedone(self.undone.step.seq)

    def after_undo(self) -> "Timeline[S]":
        """Return the timeline after an undo.  Raise ``Refused`` as ``undo`` does."""
        if self.tip is None or self.tip.before is None:
            raise Refused("nothing_to_undo")
        return Timeline(self.version + 1, self.tip.before, UndoneStep(self.tip, self.undone))

    def after_redo(self) -> "Timeline[S]":
        """Return the timeline after a redo.  Raise ``Refused`` as ``redo`` does."""
        if self.undone is None:
            raise Refused("nothing_to_redo")
        return Timeline(self.version + 1, copy_with(self.undone.step, before=self.tip), self.undone.below)

    def after(self, position: Position[S], events: Sequence[Any] = ()) -> "Timeline[S]":
        """Return the timeline after an entry of the game itself, whose events led to this position."""
        return self.after_amend(EffectiveEntry(self.version + 1, tuple(events), position, self.line))

    def after_amend(self, line: EffectiveEntry[S]) -> "Timeline[S]":
        """Return the timeline after an amending entry, with ``line`` as its latest effective entry."""
        return Timeline(self.version + 1, Step(self.version + 1, line, self.tip))


def position_of(line: EffectiveEntry[S] | None) -> Position[S] | None:
    """Return the position after an effective entry; ``None`` before the game has started."""
    return line.position if line else None


def fold(game: Game[S, C, E], position: Position[S] | None, events: Sequence[E]) -> Position[S] | None:
    """Return the position after these events: state by ``evolve``, money by ``account_for``."""
    for event in events:
        position = next_position(position, event, game.evolve, game.account_for)
    return position


def next_position(
    position: Position[S] | None,
    event: E,
    evolve: Callable[[S | None, E], S],
    account_for: Callable[[E], Transaction | None],
) -> Position[S]:
    """Return the position after one event: its state by ``evolve``, its money by ``account_for``."""
    state = evolve(position.state if position else None, event)
    ledger = position.ledger if position else Ledger()
    transaction = account_for(event)
    return Position(state, ledger.post(transaction) if transaction else ledger)


def decide_and_settle(
    game: Game[S, C, E], position: Position[S] | None, command: C
) -> tuple[tuple[E, ...], Position[S]]:
    """Return all events of a command, follow-ups included, and the position after them.

    Raises:
        Refused: by the rules of the game.
        UnsettledError: if the follow-ups do not terminate.

    """
    decided = game.decide(position, command)
    events, settled = tuple(decided), _record(game, position, decided)
    for _ in range(SETTLE_BOUND):
        if settled is None:
            break
        more = game.follow_up(settled)
        if not more:
            return events, settled
        events += tuple(more)
        settled = _record(game, settled, more)
    message = f"{game.name} does not come to rest after {command!r}"
    raise UnsettledError(message)


def _record(game: Game[S, C, E], position: Position[S] | None, events: Sequence[E]) -> Position[S] | None:
    return events.position if isinstance(events, FoldedEvents) else fold(game, position, events)


# Amend: one effective entry is removed or replaced, and all later entries are decided again.  Deciding applies today's
# rules once; the outcome is recorded, and folding the record applies none.


@dataclass(frozen=True, slots=True)
class Decision(Generic[E]):
    """The outcome of an amend for one effective entry.

    ``before`` and ``after``: its events before and after the amend (``None``: the entry is removed).
    ``refused``: the reason where the rules forced its removal.
    """

    seq: int
    before: tuple[E, ...]
    after: tuple[E, ...] | None
    refused: Refused | None = None


@dataclass(frozen=True, slots=True)
class Amendment(Generic[S, E]):
    """The latest effective entry after an amend, and the outcomes from the amended entry on, oldest first."""

    line: EffectiveEntry[S]
    decisions: tuple[Decision[E], ...]


def amend(game: Game[S, C, E], timeline: Timeline[S], seq: int, commands: Callable[[int], C | None]) -> Amendment[S, E]:
    """Decide entry ``seq`` and all later entries again.

    ``commands`` returns the command of each of these entries (``None``: remove it) or raises ``Refused``.  A later
    entry that is refused is removed.

    Raises:
        Refused: ``not_standing``; ``start_stays`` where the first entry would be removed; or the refusal of the command
            of entry ``seq`` itself.

    """
    line, later = _split_at(timeline, seq)
    decisions: list[Decision[E]] = []
    for entry in later:
        try:
            command = commands(entry.seq)
            if command is None:
                decisions.append(Decision(entry.seq, entry.events, None))
                continue
            events, position = decide_and_settle(game, position_of(line), command)
        except Refused as refused:
            if entry.seq == seq:
                raise
            decisions.append(Decision(entry.seq, entry.events, None, refused))
        else:
            line = EffectiveEntry(entry.seq, events, position, line)
            decisions.append(Decision(entry.seq, entry.events, events))
    if line is None:
        raise Refused("start_stays")
    return Amendment(line, tuple(decisions))


def fold_amendment(
    game: Game[S, C, E], timeline: Timeline[S], seq: int, outcome: Mapping[int, Sequence[E] | None]
) -> Timeline[S]:
    """Return the timeline after a recorded amend.

    ``outcome``: new events by entry, ``None`` for a removed one; entries that it does not name keep their events.

    Raises:
        Refused, ValueError: if the record does not fit this timeline.

    """
    line, later = _split_at(timeline, seq)
    unknown = set(outcome) - {entry.seq for entry in later}
    if unknown:
        message = f"entry {min(unknown)} cannot be amended: it does not stand after entry {seq}"
        raise ValueError(message)
    for entry in later:
        events = outcome.get(entry.seq, entry.events)
        if events is None:
            continue
        position = fold(game, position_of(line), events)
        if position is not None:
            by = timeline.version + 1 if entry.seq in outcome else entry.amended
            line = EffectiveEntry(entry.seq, tuple(events), position, line, by)
    if line is None:
        message = "it leads to no position"
        raise ValueError(message)
    return timeline.after_amend(line)


def _split_at(timeline: Timeline[S], seq: int) -> tuple[EffectiveEntry[S] | None, list[EffectiveEntry[S]]]:
    """Return the entry below ``seq``, and ``seq`` with all later ones, oldest first.

    Raise ``Refused`` if it is not there.
    """
    line = timeline.line
    later: list[EffectiveEntry[S]] = []
    while line is not None and line.seq >= seq:
        later.append(line)
        line = line.below
    if not later or later[-1].seq != seq:
        raise Refused("not_standing", entry=seq)
    return line, later[::-1]
