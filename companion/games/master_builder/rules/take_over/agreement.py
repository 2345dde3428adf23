"""What follows from the rest of a position must be said as it follows."""

from collections.abc import Iterator
from typing import Any

from companion.engine.errors import Detail, Refused
from companion.engine.game import BANKER
from companion.games.master_builder.rules.state import Here
from companion.games.master_builder.rules.taken_position import TakenPosition
from companion.games.master_builder.rules.view import view

DERIVED = ("on_contracts", "money_in_play", "wage_limit", "loans_late", "finished", "reveal_due", "economy_due")
IN_ANY_ORDER = ("waiting_for", "expects", "planned", "declined")


def disagreements(said: TakenPosition, here: Here) -> Iterator[Refused]:
    """Name each figure that was given, though it follows otherwise."""
    shown = view(here, BANKER)
    for field, given, follows in _pairs(said, shown):
        if given is not None and given != follows:
            yield Refused("disagrees", field=field, said=_described(given), follows=_described(follows))


def _pairs(said: TakenPosition, shown: dict[str, Any]) -> Iterator[tuple[str, object, object]]:
    for name in DERIVED:
        yield name, getattr(said, name), shown.get(name)
    for name in IN_ANY_ORDER:
        given = getattr(said, name)
        yield name, None if given is None else sorted(given), sorted(shown.get(name, ()))
    yield "deck.contracts", said.deck.contracts, shown["deck"]["contracts"]
    if said.hire is not None:
        yield "hire.laps", said.hire.laps, shown["hire"]["laps"]
    for player, one in said.players.items():
        for name in ("wages", "owes"):
            yield f"players.{player}.{name}", getattr(one, name), shown["players"][player][name]
    if said.standings is not None:
        yield "standings", [dict(line) for line in said.standings], shown["standings"] or []


def _described(value: object) -> Detail:
    """Write a figure for a sentence."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int):
        return value
    return str(value)
