"""A table on which tests play Monopoly Builder: commands as JSON, and short ways to a moment of the game.

``town = Town("red", "green", "yellow")`` begins a game; ``taken`` goes on with one instead.  O and P are the light blue
deeds with the figures of the examples: O beside space 4, P beside space 6.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from companion.adapters.catalogs import load_catalog
from companion.adapters.journal.memory import InMemoryJournal
from companion.bootstrap.games import load_game
from companion.games.monopoly_builder import GAME
from companion.games.monopoly_builder.cards.reading import MonopolyBuilderCards
from companion.games.monopoly_builder.rules.catalog import Catalog, Chance, Effect
from companion.service.table.table import Table
from tests.games.played_table import Json, PlayedTable
from tests.scenario import StoppedClock

CARDS = MonopolyBuilderCards()
KINDS = ("red", "purple", "green", "yellow")
O, P = "D03", "D04"  # noqa: E741 - as the examples call it
O_SPACE, P_SPACE, JAIL, PARKING, STEAL, GO_TO_JAIL, RESOURCES, CHANCE = 4, 6, 7, 14, 19, 21, 12, 5
PARDON, BARGAIN = "C01", "C02"
IN_JAIL: Json = {"space": JAIL, "in_jail": True}
"""Kept cards of the bundled box: out of jail, a forced trade."""


@cache
def house_board() -> Catalog:
    """The bundled box."""
    catalog: Catalog = load_catalog(CARDS.bundled["house"], CARDS)
    return catalog


@cache
def board() -> Catalog:
    """The bundled box with the figures of the examples for the light blue deeds."""
    figures: dict[str, Json] = {
        O: {"price": 100, "rent": 50, "set_rent": 100, "mortgage": 100, "unmortgage": 100},
        P: {"price": 120, "rent": 60, "set_rent": 120, "mortgage": 60, "unmortgage": 70},
    }
    gives: dict[str, Json] = {O: {"numbers": (11,), "kind": "green"}, P: {"numbers": (8,), "kind": "red"}}
    deeds = tuple(
        replace(deed, **figures[deed.id], **gives[deed.id]) if deed.id in figures else deed
        for deed in house_board().deeds
    )
    return replace(house_board(), deeds=deeds)


def with_card(card: str, *effects: Effect, keep: bool = False, catalog: Catalog | None = None) -> Catalog:
    """The box in which a Chance card does this."""
    made = Chance(card, "A card", "It does what it does.", effects, keep)
    base = catalog or board()
    return replace(base, chances=tuple(made if chance.id == card else chance for chance in base.chances))


def empty_table(catalog: Catalog | None = None) -> Table:
    """Return a table at which nothing has begun."""
    return Table("t", load_game(GAME, {"house": catalog or board()}), InMemoryJournal(), StoppedClock())


class Town(PlayedTable):
    """A game of the players named, in clockwise seating; the first one has the first turn."""

    def __init__(
        self,
        *seats: str,
        rules: Mapping[str, str | bool | int] | None = None,
        catalog: Catalog | None = None,
        taken: Mapping[str, Any] | None = None,
        **players: Json,
    ) -> None:
        """Start a game; with ``taken`` (fields of the position) or fields of players go on with one in phase roll."""
        self.seats = seats or ("red", "green", "yellow")
        self.table = empty_table(catalog)
        if taken is None and not players:
            begun = {"do": "start_game", "game": "monopoly_builder", "first": self.seats[0]}
            self.give({**begun, "players": [{"id": seat} for seat in self.seats], "rules": dict(rules or {})})
            return
        position: Json = {
            "game": "monopoly_builder",
            "turn": self.seats[0],
            "phase": "roll",
            "rules": dict(rules or {}),
            **(taken or {}),
        }
        position["players"] = {seat: {"cash": 900, **players.get(seat, {})} for seat in self.seats}
        self.give({"do": "take_over", "position": position})

    def give(self, command: Json) -> list[Json]:
        """Play a command, see that nothing was made or lost, and give the events that it led to."""
        events = super().give(command)
        check(self.position)
        return events

    def do(self, verb: str, player: str | None = None, **fields: Any) -> list[Json]:
        """Play a command (``from_`` is ``from``)."""
        return self.give(self._command(verb, player, fields))

    def refuses(self, verb: str, player: str | None = None, **fields: Any) -> str:
        """Return the rule by which a command is refused; assert that nothing has changed."""
        return self.refused(self._command(verb, player, fields))

    @staticmethod
    def _command(verb: str, player: str | None, fields: Mapping[str, Any]) -> Json:
        actor = {} if player is None else {"player": player}
        return {"do": verb, **actor, **{key.removesuffix("_"): value for key, value in fields.items()}}

    # ------------------------------------------------------------------------------------ what is seen
    @property
    def turn(self) -> str:
        return str(self.position["turn"])

    @property
    def waits(self) -> list[str]:
        waiting: list[str] = self.position["waiting_for"]
        return waiting

    def cash(self, player: str) -> int:
        return int(self.player(player)["cash"])

    def chips(self, player: str) -> dict[str, int]:
        return {kind: count for kind, count in self.player(player)["chips"].items() if count}

    def offers(self, player: str) -> list[Json]:
        offers: list[Json] = self.table.show(player)["offers"]
        return offers

    # ------------------------------------------------------------------------------------ short ways
    def roll(self, player: str, first: int, other: int) -> list[Json]:
        return self.do("roll", player, dice=[first, other])

    def quiet(self, player: str) -> None:
        """Roll, let whatever there is go, and end the turn; nothing is bought."""
        self.roll(player, 1, 2)
        self.let_go()
        self.do("end_turn", player)

    def let_go(self) -> None:
        """Decline, pass and leave alone until the player on turn may act."""
        while self.phase != "act":
            match self.phase:
                case "buy":
                    self.do("decline", self.turn)
                case "auction":
                    self.do("hammer")
                case "parking":
                    self.do("pass", self.turn)
                case "chance":
                    self.do("draw_chance", self.turn, card="C04")
                case "resources":
                    self.do("roll_for_resources", self.turn, dice=[1, 1])
                case phase:
                    pytest.fail(f"nothing lets {phase} go")


def check(position: Json) -> None:
    """See that money, chips, blocks, deeds and cards are all there, and that nobody is below nothing."""
    players = position["players"]
    assert sum(player["cash"] for player in players.values()) + position["bank"] == 13_700
    assert min(player["cash"] for player in players.values()) >= 0
    for kind in KINDS:
        heaps = [player["chips"][kind] for player in players.values()]
        heaps += [position["tray"][kind], *(lying.get(kind, 0) for lying in position["spaces"].values())]
        assert sum(heaps) == 20
        assert min(heaps) >= 0
    for player, state in players.items():
        floors = sum(min(4, built["height"]) for built in position["board"].values() if built["owner"] == player)
        assert state["blocks"] + floors == 12
        assert state["blocks"] >= 0
        assert set(state["mortgaged"]) <= set(state["deeds"])
        if state["bankrupt"]:
            belongings = [state["cash"], *state["chips"].values(), *state["deeds"], *state["cards"], state["in_jail"]]
            assert not any(belongings)
            assert player not in position["waiting_for"]
    owned = [deed for player in players.values() for deed in player["deeds"]]
    assert sorted(owned + position["unsold"]) == [f"D{number:02d}" for number in range(1, 17)]
    assert position["deck"]["chance"] + sum(len(player["cards"]) for player in players.values()) == 20
    assert sum(built["height"] == 5 for built in position["board"].values()) <= 1
    assert len({claim["payer"] for claim in position["claims"]}) <= 1
    auction = position["auction"]
    if auction is not None and auction["leader"] is not None:
        assert players[auction["leader"]]["cash"] >= auction["bid"]


def spaces(number: int, **chips: int) -> Json:
    """Chips on one space."""
    return {"spaces": {str(number): chips}}


def built(**cells: Sequence[Any]) -> Json:
    """Buildings by cell: an owner and a height each."""
    return {"board": {cell: {"owner": owner, "height": height} for cell, (owner, height) in cells.items()}}


def drawing(*effects: Effect, card: str = "C05", rules: dict[str, str | bool] | None = None, **more: Any) -> Town:
    """Red has drawn a card that does this."""
    players = {key: value for key, value in more.items() if key != "taken"}
    red = {"space": 2, **players.pop("red", {})}
    town = Town(catalog=with_card(card, *effects), rules=rules, taken=more.get("taken"), red=red, **players)
    town.roll("red", 1, 2)
    town.do("draw_chance", "red", card=card)
    return town


def finish(town: Town) -> Town:
    """End the game where the evening ends."""
    town.do("correct_turn", phase="finished", reason="it is late")
    return town


def standing(town: Town, player: str) -> Json:
    return next(line for line in town.position["standings"] if line["player"] == player)


def third_failure(rules: dict[str, str | bool] | None = None, **red: Any) -> Town:
    town = Town(rules=rules, red={**IN_JAIL, "tries": 2, **red})
    town.roll("red", 1, 2)
    return town
