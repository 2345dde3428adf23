"""Corrections by the banker, and refusals of a position taken over, that every game has."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from typing import Any

from companion.engine.game import Refused
from companion.game_api.messages import Command, Event, Person, Text
from companion.game_api.seating import NamedPlayer, require_seated, validate_name

MOST_FAULTS = 200
"""Of a position that are told each; as many as of a catalog."""


class RenamePlayer(Command):
    """Call a player by another name."""

    player: Person
    name: Text


class PlayerRenamed(Event):
    """A player is called otherwise."""

    player: Person
    name: Text


def renamed(players: Sequence[NamedPlayer], player: str, name: str) -> PlayerRenamed:
    """Return the event of a player's new name; raise ``Refused`` where nobody can be called so."""
    require_seated([other.id for other in players], player)
    return PlayerRenamed(player, validate_name(name, (other.name for other in players if other.id != player)))


def require_reason(reason: str) -> None:
    """Raise ``Refused`` where a correction comes without a reason."""
    if not reason.strip():
        raise Refused("reason_missing")


def described_faults(faults: Iterable[Refused]) -> tuple[Mapping[str, Any], ...]:
    """Return refusals as the details of the one refusal of a position that has several faults.

    Of more than ``MOST_FAULTS`` the number of the others stands last.
    """
    each = iter(faults)
    listed = [{"rule": fault.rule, "details": dict(fault.details)} for fault in islice(each, MOST_FAULTS)]
    others = sum(1 for _ in each)
    return (*listed, {"rule": "more_faults", "details": {"count": others}}) if others else tuple(listed)
