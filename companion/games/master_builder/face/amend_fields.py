"""The simple forms by which an entry is replaced: another worker, another player, another amount."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from companion.games.master_builder.face.scene import RANKING, Scene

Json: TypeAlias = Mapping[str, Any]
Kind: TypeAlias = Literal["people", "one", "number", "several", "amount", "text"]

FIELDS: Mapping[str, tuple[str, ...]] = {
    "start_game": ("first",),
    "hire_worker": ("player", "worker"),
    "fire_worker": ("player", "worker"),
    "look_through": ("type",),
    "turn_economy": ("card",),
    "reveal_contracts": ("contracts",),
    "open_auction": ("contract", "bid"),
    "bid": ("amount",),
    "turn_event": ("card",),
    "choose_workers": ("workers",),
    "hire_out": ("borrower", "worker", "price"),
    "borrow": ("player", "loan"),
    "repay": ("player", "loan"),
    "correct_money": ("from", "to", "amount", "reason"),
    "correct_card": ("card", "to", "reason"),
    "count_cash": ("player", "amount"),
    "rename_player": ("player", "name"),
    "replace_player": ("player", "name"),
    "correct_turn": ("reason",),
}
"""What may be changed in place, by command; any other is left out and given again."""

IF_SAID: Mapping[str, tuple[str, ...]] = {"correct_turn": ("phase", "round", "start_player", "waiting_for")}
"""What may be changed besides where the command says it."""

PHASES = ("hire", "contracts", "events", "build", "income", "finished")
DECK_OF = {"turn_economy": "economy", "turn_event": "events"}
PLACES = ("supply", "display", "deck", "removed")


@dataclass(frozen=True)
class Field:
    """A field of a command: what it holds (``value``), and ids with their words where it is a choice."""

    name: str
    kind: Kind
    value: Any
    options: tuple[tuple[str, str], ...] = ()


def fields(scene: Scene, command: Json) -> list[Field]:
    """Give the fields of a command that a form may change; none where the command is secret or too rich."""
    names = FIELDS.get(command["do"], ())
    if any(name not in command for name in names):
        return []
    said = [name for name in IF_SAID.get(command["do"], ()) if command.get(name) is not None]
    return [_field(scene, command, name) for name in (*said, *names)]


def settled(command: Json, changed: list[Field]) -> dict[str, Any]:
    """Give the rest of the command, which stays as it is."""
    names = {field.name for field in changed}
    return {key: held for key, held in command.items() if key not in names}


def _field(scene: Scene, command: Json, name: str) -> Field:
    held = command[name]
    match name:
        case "amount" | "bid" | "price":
            return Field(name, "amount", held)
        case "reason" | "name":
            return Field(name, "text", held)
        case "round":
            rounds = range(1, scene.position["last_round"] + 1)
            return Field(name, "number", str(held), tuple((str(one), str(one)) for one in rounds))
        case "waiting_for" if not isinstance(held, str):
            return Field(name, "several", held, _people(scene))
        case "player" | "borrower" | "first" | "start_player" | "waiting_for":
            return Field(name, "people", held, _people(scene))
        case "from" | "to":
            return Field(name, "people", held, _people(scene) + _places(scene, command))
        case "contracts":
            return Field(name, "several", held, _contracts(scene))
        case "workers":
            crew = scene.players.get(command["player"], {}).get("workers", ())
            return Field(name, "several", held, _workers(scene, {*held, *crew}))
        case _:
            return Field(name, "one", held, _choice(scene, command, name))


def _choice(scene: Scene, command: Json, name: str) -> tuple[tuple[str, str], ...]:
    match name:
        case "worker":
            return _workers(scene, scene.catalog["workers"])
        case "contract":
            return _contracts(scene)
        case "phase":
            return tuple((phase, scene.words.say_in("phase", phase)) for phase in PHASES)
        case "loan":
            return tuple((loan, scene.words.say_in("loan", loan)) for loan in ("small", "large"))
        case "type":
            return tuple((rank, scene.words.say_in("workers", rank)) for rank in RANKING)
        case _ if command["do"] in DECK_OF:
            deck = scene.catalog[DECK_OF[command["do"]]]
            return tuple((card, f"{card} {scene.words.card(card, scene.catalog)}") for card in deck)
        case _:
            return _workers(scene, scene.catalog["workers"]) + _contracts(scene)


def _people(scene: Scene) -> tuple[tuple[str, str], ...]:
    return tuple(scene.names.items())


def _places(scene: Scene, command: Json) -> tuple[tuple[str, str], ...]:
    places = ("bank",) if command["do"] == "correct_money" else PLACES
    return tuple((place, scene.words.say_in("place", place)) for place in places)


def _workers(scene: Scene, cards: Any) -> tuple[tuple[str, str], ...]:
    return tuple((card, scene.words.card(card, scene.catalog)) for card in sorted(cards))


def _contracts(scene: Scene) -> tuple[tuple[str, str], ...]:
    return tuple((card, f"{card} {scene.contract(card)['title']}") for card in scene.catalog["contracts"])
