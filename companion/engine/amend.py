"""Amending: one standing entry is left out or replaced, and all that came after it is decided again.

Deciding asks the rules of today, once; what came of it is recorded, and folding the record asks none.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from companion.engine.errors import Refused
from companion.engine.game import Game
from companion.engine.timeline import Stood, Timeline, answer, fold, position_of

S = TypeVar("S")
C = TypeVar("C")
E = TypeVar("E")


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
