"""Folding a game's entries into positions, with undo, redo and amend as entries of their own.

The journal only grows.  The entries form a chain of steps; undo moves the tip back one step, redo forward
again, and a new entry forgets what could have been redone.  Each step keeps the line of entries that stand
with the position after each, so neither a command nor an undo costs more in a long game than in a short one.
An amend is one step whose line branches off below: to undo it is to return to the line that was there.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from companion.engine.copying import copy_with
from companion.engine.errors import Refused
from companion.engine.game import Game, Position, Told
from companion.engine.ledger import Ledger, Transaction

S = TypeVar("S")
C = TypeVar("C")
E = TypeVar("E")

SETTLE_BOUND = 1_000
"""More follow-ups than this after one command mean rules that never come to rest."""


@dataclass(frozen=True, slots=True)
class Undo:
    """Take back the last standing entry with everything that followed from it."""


@dataclass(frozen=True, slots=True)
class Redo:
    """Restore the entry that was taken back last."""


@dataclass(frozen=True, slots=True)
class EntryUndone:
    """Entry ``entry`` no longer stands."""

    entry: int


@dataclass(frozen=True, slots=True)
class EntryRedone:
    """Entry ``entry`` stands again."""

    entry: int


class UnsettledError(RuntimeError):
    """A game's follow-ups never came to rest: a mistake in its rules."""


@dataclass(frozen=True, slots=True)
class Stood(Generic[S]):
    """A standing entry: its events as they count now, the position after it, and what stands below it.

    ``amended``: the entry that amended it last, so that it stands otherwise than it was given.
    """

    seq: int
    events: tuple[Any, ...]
    position: Position[S]
    below: "Stood[S] | None" = None
    amended: int | None = None


@dataclass(frozen=True, slots=True)
class Step(Generic[S]):
    """An entry that was not undone, with what stands after it and the step before it."""

    seq: int
    line: Stood[S]
    before: "Step[S] | None" = None


@dataclass(frozen=True, slots=True)
class Undone(Generic[S]):
    """A step that redo would restore, and those below it."""

    step: Step[S]
    below: "Undone[S] | None" = None


@dataclass(frozen=True, slots=True)
class Timeline(Generic[S]):
    """All entries of one game folded: ``version`` counts them, ``tip`` is the last that stands."""

    version: int = 0
    tip: Step[S] | None = None
    undone: Undone[S] | None = None

    @property
    def position(self) -> Position[S] | None:
        """The position now; ``None`` before the game has started."""
        return self.tip.line.position if self.tip else None

    @property
    def line(self) -> Stood[S] | None:
        """The last entry that stands; ``None`` before the game has started."""
        return self.tip.line if self.tip else None

    def undo(self) -> EntryUndone:
        """Say what an undo would take back; ``Refused`` where only the start stands."""
        if self.tip is None or self.tip.before is None:
            raise Refused("nothing_to_undo")
        return EntryUndone(self.tip.seq)

    def redo(self) -> EntryRedone:
        """Say what a redo would restore; ``Refused`` where nothing can be."""
        if self.undone is None:
            raise Refused("nothing_to_redo")
        return EntryRedone(self.undone.step.seq)

    def after_undo(self) -> "Timeline[S]":
        """Fold an entry of undo; ``Refused`` as by ``undo``."""
        if self.tip is None or self.tip.before is None:
            raise Refused("nothing_to_undo")
        return Timeline(self.version + 1, self.tip.before, Undone(self.tip, self.undone))

    def after_redo(self) -> "Timeline[S]":
        """Fold an entry of redo; ``Refused`` as by ``redo``."""
        if self.undone is None:
            raise Refused("nothing_to_redo")
        return Timeline(self.version + 1, copy_with(self.undone.step, before=self.tip), self.undone.below)

    def after(self, position: Position[S], events: Sequence[Any] = ()) -> "Timeline[S]":
        """Fold an entry of the game itself, whose events led to this position."""
        return self.after_amend(Stood(self.version + 1, tuple(events), position, self.line))

    def after_amend(self, line: Stood[S]) -> "Timeline[S]":
        """Fold an entry after which this line stands."""
        return Timeline(self.version + 1, Step(self.version + 1, line, self.tip))


def position_of(line: Stood[S] | None) -> Position[S] | None:
    """Give the position after a standing entry; ``None`` before the game has started."""
    return line.position if line else None


def fold(game: Game[S, C, E], position: Position[S] | None, events: Sequence[E]) -> Position[S] | None:
    """Record events one after the other: state by ``evolve``, money by ``account_for``."""
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


def answer(game: Game[S, C, E], position: Position[S] | None, command: C) -> tuple[tuple[E, ...], Position[S]]:
    """Decide a command and let the game settle: all that it leads to, and the position after it."""
    decided = game.decide(position, command)
    events, settled = tuple(decided), _recorded(game, position, decided)
    for _ in range(SETTLE_BOUND):
        if settled is None:
            break
        more = game.follow_up(settled)
        if not more:
            return events, settled
        events += tuple(more)
        settled = _recorded(game, settled, more)
    message = f"{game.name} does not come to rest after {command!r}"
    raise UnsettledError(message)


def _recorded(game: Game[S, C, E], position: Position[S] | None, events: Sequence[E]) -> Position[S] | None:
    return events.position if isinstance(events, Told) else fold(game, position, events)


# --- amend
# Amending: one standing entry is left out or replaced, and all that came after it is decided again. Deciding
# asks the rules of today, once; what came of it is recorded, and folding the record asks none.


@dataclass(frozen=True, slots=True)
class Decision(Generic[E]):
    """What became of one standing entry.

    ``before`` and ``after``: its events as they stood and as they would (``None``: it is left out).
    ``refused``: why it had to be left out, where nobody asked for that.
    """

    seq: int
    before: tuple[E, ...]
    after: tuple[E, ...] | None
    refused: Refused | None = None


@dataclass(frozen=True, slots=True)
class Amendment(Generic[S, E]):
    """What would stand, and what became of each entry from the amended one on, oldest first."""

    line: Stood[S]
    decisions: tuple[Decision[E], ...]


def amended(
    game: Game[S, C, E], timeline: Timeline[S], seq: int, commands: Callable[[int], C | None]
) -> Amendment[S, E]:
    """Decide entry ``seq`` and all after it again.

    ``commands`` gives the command of each of these entries (``None``: to be left out) or raises ``Refused``.  A
    later entry that is refused is left out.  Raises ``Refused``: ``not_standing``, ``start_stays`` where the first
    entry would be left out, or whatever the rules say to the command of entry ``seq`` itself.
    """
    line, later = _cut(timeline, seq)
    decisions: list[Decision[E]] = []
    for stood in later:
        try:
            command = commands(stood.seq)
            if command is None:
                decisions.append(Decision(stood.seq, stood.events, None))
                continue
            events, position = answer(game, position_of(line), command)
        except Refused as refused:
            if stood.seq == seq:
                raise
            decisions.append(Decision(stood.seq, stood.events, None, refused))
        else:
            line = Stood(stood.seq, events, position, line)
            decisions.append(Decision(stood.seq, stood.events, events))
    if line is None:
        raise Refused("start_stays")
    return Amendment(line, tuple(decisions))


def recorded(
    game: Game[S, C, E], timeline: Timeline[S], seq: int, outcome: Mapping[int, Sequence[E] | None]
) -> Timeline[S]:
    """Fold an amend by its record alone: new events by entry, ``None`` for one left out, the others as they stood.

    ``Refused`` or ``ValueError`` where the record does not belong to this line.
    """
    line, later = _cut(timeline, seq)
    strangers = set(outcome) - {stood.seq for stood in later}
    if strangers:
        message = f"entry {min(strangers)} cannot be amended: it does not stand after entry {seq}"
        raise ValueError(message)
    for stood in later:
        events = outcome.get(stood.seq, stood.events)
        if events is None:
            continue
        position = fold(game, position_of(line), events)
        if position is not None:
            by = timeline.version + 1 if stood.seq in outcome else stood.amended
            line = Stood(stood.seq, tuple(events), position, line, by)
    if line is None:
        message = "it leads to no position"
        raise ValueError(message)
    return timeline.after_amend(line)


def _cut(timeline: Timeline[S], seq: int) -> tuple[Stood[S] | None, list[Stood[S]]]:
    """Give what stands below entry ``seq``, and it with all above it, oldest first; ``Refused``."""
    line = timeline.line
    later: list[Stood[S]] = []
    while line is not None and line.seq >= seq:
        later.append(line)
        line = line.below
    if not later or later[-1].seq != seq:
        raise Refused("not_standing", entry=seq)
    return line, later[::-1]
