"""Corrections by the banker, and refusals of a position taken over, that every game has."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from companion.engine.game import Refused
from companion.game_api.fields import Person, Text
from companion.game_api.messages import Command, Event


@dataclass(frozen=True, slots=True)
class RenamePlayer(Command):
    """Call a player by another name."""

    player: Person
    name: Text


@dataclass(frozen=True, slots=True)
class PlayerRenamed(Event):
    """A player is called otherwise."""

    player: Person
    name: Text


def require_reason(reason: str) -> None:
    """Raise ``Refused`` where a correction comes without a reason."""
    if not reason.strip():
        raise Refused("reason_missing")


def described_faults(faults: Iterable[Refused]) -> tuple[Mapping[str, Any], ...]:
    """Return refusals as the details of the one refusal of a position that has several faults."""
    return tuple({"rule": fault.rule, "details": dict(fault.details)} for fault in faults)
