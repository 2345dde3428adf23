"""Something else in an entry's place: another plan, other sections, or what else its player could have done."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from companion.engine.journal import Json
from companion.game_api.edit_forms import FormField, changeable, settled
from companion.game_api.messages import Messages
from companion.game_api.ui import SheetRequest
from companion.games.master_builder.ui.plan_sheet import PlanSheet, drafted
from companion.games.master_builder.ui.scene import Scene
from companion.service.table.stepping import stood_before
from companion.service.table.table import Table

SIMPLE = frozenset({"one_of", "some_of", "amount"})
"""Kinds of fields that a form can hold."""
ALTERNATIVES = frozenset({"hire_worker", "fire_worker", "look_through", "pass", "open_auction", "bid", "borrow"})
"""Commands that may take each other's place in the journal: decisions of one player at his turn."""


@dataclass(frozen=True, slots=True)
class Other:
    """Another command of the same player: a form's ``fields`` and ``rest``; without fields it is whole as it is."""

    do: str
    fields: list[FormField]
    rest: dict[str, Any]


class MasterBuilderAmending:
    """How entries of Master Builder are put right."""

    def asked(self, scene: Scene, table: Table, entry: Json, draft: Json, ask: SheetRequest) -> dict[str, Any]:
        """Return the form for another command in an entry's place, and what else could have been done then."""
        command = entry["command"]
        then = then_scene(scene, table, entry, ask.viewer)
        messages = table.game.messages
        fields_open = fields(messages, scene, draft)
        return {
            "planning": planning(then, draft, ask.args) if then and command["do"] == "plan" else None,
            "ways": ways(then, command) if then and command["do"] == "choose_sections" else [],
            "others": others(messages, then, command) if then else [],
            "then": then,
            "fields": fields_open,
            "rest": settled(draft, fields_open),
        }

    def lines(self, scene: Scene, command: Json, instead: Json) -> dict[str, Any]:
        """Return a plan and what replaces it in lines."""
        if command["do"] != "plan" or "work" not in command:
            return {}
        return {"plans": (plan_told(scene, command), plan_told(scene, instead))}


def fields(messages: Messages, scene: Scene, command: Json) -> list[FormField]:
    """Return the fields that a form may change, each with no more than could be meant."""
    return [_meant(scene, command, field) for field in changeable(messages, scene, command)]


def _meant(scene: Scene, command: Json, field: FormField) -> FormField:
    match field.name:
        case "round":
            rounds = range(1, scene.position["last_round"] + 1)
            return replace(field, options=tuple((str(number), str(number)) for number in rounds))
        case "workers":
            crew = {*field.value, *scene.players.get(command["player"], {}).get("workers", ())}
            return replace(field, options=tuple(option for option in field.options if option[0] in crew))
        case _ if field.control == "amount" and "money_in_play" in scene.position:
            return replace(field, most=scene.position["money_in_play"])
        case _:
            return field


def then_scene(scene: Scene, table: Table, entry: Json, viewer: str) -> Scene | None:
    """Look at the table as the entry met it; ``None`` before the game had begun."""
    before = stood_before(table, entry["seq"], viewer)
    if before is None:
        return None
    return replace(scene, position=before["position"], offers=tuple(before["offers"]), proposals=())


@dataclass(frozen=True, slots=True)
class Replanning:
    """The sheet on which another plan takes the place of a player's: laid out in the scene of that moment."""

    plan: PlanSheet
    player: str
    scene: Scene


def planning(then: Scene, command: Json, args: Mapping[str, str]) -> Replanning | None:
    """Lay a plan out as it was, or as far as it has been changed; ``None``: it is secret, or cannot be planned then."""
    player = command["player"]
    if "work" not in command or then.offer("plan", player=player) is None:
        return None
    asked = {"work": args.get("work") or json.dumps(command["work"]), "chosen": args.get("chosen", "")}
    return Replanning(drafted(then, player, asked), player, then)


def plan_told(scene: Scene, command: Json) -> list[str]:
    """Return a plan in lines: each building with its sections and who works there."""
    words = scene.words
    lines = []
    for contract, sections in command.get("work", {}).items():
        named = [f"{words.say_in('section', section)} ({', '.join(team)})" for section, team in sections.items()]
        lines.append(f"{words.card(contract, scene.catalog)}: {', '.join(named)}")
    return lines or [words.say("builds nothing")]


def ways(then: Scene, command: Json) -> list[dict[str, Any]]:
    """Return the other choices of sections that there were, each as a whole command."""
    offer = then.offer("choose_sections", player=command["player"])
    values = offer["fields"]["sections"]["values"] if offer else ()
    return [{**command, "sections": way} for way in values if way != command["sections"]]


def others(messages: Messages, then: Scene, command: Json) -> list[Other]:
    """Return what else the player could have done at that moment, one form for each kind of command."""
    if command["do"] not in ALTERNATIVES:
        return []
    entries: dict[str, list[Json]] = {}
    for offer in then.offers_of(player=command["player"], urgency="due"):
        simple = all(field["kind"] in SIMPLE for field in offer["fields"].values())
        if simple and offer["do"] in ALTERNATIVES - {command["do"]}:
            entries.setdefault(offer["do"], []).append(offer)
    return [_other(messages, then, do, offers) for do, offers in entries.items()]


def _other(messages: Messages, then: Scene, do: str, offers: list[Json]) -> Other:
    first = offers[0]
    sample = {**then.command(first), **{name: _first(field) for name, field in first["fields"].items()}}
    offered: dict[str, set[str]] = {}
    for offer in offers:
        for name, field in offer["fields"].items():
            offered.setdefault(name, set()).update(field.get("values", ()))
        for name in then.command(offer):
            offered.setdefault(name, set()).add(offer[name])
    shown = [_only(field, offered[field.name]) for field in fields(messages, then, sample) if field.name != "player"]
    return Other(do, shown, settled(sample, shown))


def _first(field: Json) -> Any:
    """Return a value that may stand in a field at first."""
    match field["kind"]:
        case "amount":
            return field["least"]
        case "some_of":
            return field["values"][: field["least"]]
        case _:
            return field["values"][0]


def _only(field: FormField, offered: set[str]) -> FormField:
    """Leave a choice what could have been chosen then."""
    return replace(field, options=tuple(option for option in field.options if option[0] in offered))
