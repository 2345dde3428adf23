"""Check that a command was among the offers of its moment."""

from collections.abc import Sequence
from typing import Any

from companion.game_api.manifest import LoadedGame
from tests.golden.stored import Json
from tests.strategies import command_of

BY_THE_BANKER_ALONE = ("undo", "redo", "amend")


def offered(game: LoadedGame, position: Any, offers: Sequence[Json], command: Json) -> bool:
    """Return whether somebody was offered this command; what only the banker gives need not be."""
    if position is None or command["do"] in BY_THE_BANKER_ALONE:
        return True
    parsed = game.codec.command(command)
    if game.rules.author(position, parsed) is None:
        return True
    plain_command = game.codec.command_json(parsed)
    return any(admits(offer, plain_command) for offer in offers)


def admits(offer: Json, command: Json) -> bool:
    """Return whether an offer, its open fields filled, can be this command."""
    settled = command_of(offer)
    fields = offer["fields"]
    return (
        set(command) == {*settled, *fields}
        and all(command[key] == value for key, value in settled.items())
        and all(_holds(field, command[name]) for name, field in fields.items())
    )


def _holds(field: Json, value: Any) -> bool:
    match field["kind"]:
        case "one_of":
            return value in field["values"]
        case "some_of":
            few_enough = field["least"] <= len(value) <= field["most"]
            return few_enough and len(set(value)) == len(value) and set(value) <= set(field["values"])
        case "any_set":
            return sorted(value) in [sorted(choice) for choice in field["values"]]
        case "any_of_these":
            return _sorted(value) in [_sorted(way) for way in field["values"]]
        case "amount":
            steps = range(field["least"], field["most"] + 1, field["step"])
            return value in steps
        case "assignment":
            return _assigned(field, value)
        case other:
            message = f"no field is of kind {other}"
            raise ValueError(message)


def _sorted(ways: Json) -> Json:
    return {card: sorted(names) for card, names in ways.items() if names}


def _assigned(field: Json, work: Json) -> bool:
    return all(
        section in field["sites"].get(contract, {}) and set(team) <= set(field["workers"])
        for contract, sections in work.items()
        for section, team in sections.items()
    )
