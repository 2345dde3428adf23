"""A table on which tests play Men at Work: commands as JSON, and short ways to a moment of the game.

``site = Site("blue", "grey")`` sets the table; ``site.do("turn_card", card=...)`` plays a command through the service;
``site.refuses(...)`` also checks that a refusal changes nothing.  ``site.turn("balance", "GOP")`` turns some card whose
panel says that, with that back on top of the pile.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

from companion.adapters.catalogs import load_catalog
from companion.adapters.journal.memory import InMemoryJournal
from companion.bootstrap.games import load_game
from companion.games.men_at_work import GAME
from companion.games.men_at_work.cards.reading import MenAtWorkCards
from companion.games.men_at_work.rules.catalog import Catalog
from companion.service.table.table import Table
from tests.games.played_table import Json, PlayedTable
from tests.scenario import StoppedClock

CARDS = MenAtWorkCards()
SITE = {"orange": 1, "purple": 1, "black": 1, "white": 1, "workers": 1, "supports": 3, "beams": 0, "bricks": 0}
"""What stands at the start."""


@cache
def house_deck() -> Catalog:
    """The bundled deck."""
    catalog: Catalog = load_catalog(CARDS.bundled["house"], CARDS)
    return catalog


def plain_boss() -> Catalog:
    """The bundled deck with a boss whose back shows nothing."""
    return replace(house_deck(), boss=replace(house_deck().boss, back="none"))


def empty_table(catalog: Catalog | None = None) -> Table:
    """Return a table at which nothing has begun."""
    return Table("t", load_game(GAME, {"house": catalog or house_deck()}), InMemoryJournal(), StoppedClock())


class Site(PlayedTable):
    """A game begun by the players named, in clockwise seating; the first one holds the hook."""

    def __init__(
        self,
        *seats: str,
        catalog: Catalog | None = None,
        rules: Mapping[str, str | bool | int] | None = None,
        variants: Sequence[str] = (),
        experts: Sequence[str] = (),
        taken: Mapping[str, Any] | None = None,
    ) -> None:
        """Start a game, or with ``taken`` go on with one: fields of the position beside seats, rules and variants."""
        self.seats = seats or ("blue", "grey")
        self.table = empty_table(catalog)
        if taken is None:
            players = [{"id": seat, "level": "expert" if seat in experts else "standard"} for seat in self.seats]
            begun = {"do": "start_game", "game": "men_at_work", "first": self.seats[0], "players": players}
            self.give({**begun, "rules": dict(rules or {}), "variants": list(variants)})
            return
        position: Json = {
            "game": "men_at_work",
            "seats": list(self.seats),
            "active": self.seats[0],
            "rules": dict(rules or {}),
            "variants": list(variants),
            **taken,
        }
        given = dict(position.get("players", {}))
        position["players"] = {seat: given.get(seat, {}) for seat in self.seats}
        self.give({"do": "take_over", "position": position, "reason": "half of it was played before"})

    def do(self, verb: str, **fields: Any) -> list[Json]:
        """Play a command (``from_`` is ``from``); the player who is waited for is left out."""
        return self.give(self._command(verb, fields))

    def refuses(self, verb: str, **fields: Any) -> str:
        """Return the rule by which a command is refused; assert that nothing has changed."""
        return self.refused(self._command(verb, fields))

    def _command(self, verb: str, fields: Mapping[str, Any]) -> Json:
        command = {"do": verb, **{key.removesuffix("_"): value for key, value in fields.items()}}
        if verb in ADDRESSED and "player" not in command:
            command["player"] = self.active
        return command

    # ------------------------------------------------------------------------------------ what is seen
    @property
    def active(self) -> str:
        return str(self.position["active"])

    @property
    def action(self) -> Json:
        action: Json = self.position["action"]
        return action

    def certificates(self, player: str) -> int:
        return int(self.player(player)["certificates"])

    def awards(self, player: str) -> int:
        return int(self.player(player)["awards"])

    def reserve(self, piece: str) -> int:
        return int(self.position["reserve"][piece])

    def on_site(self, piece: str) -> int:
        return int(self.position["site"][piece])

    # ------------------------------------------------------------------------------------ short ways
    def card_for(self, how: str) -> str:
        """Some card not in the discard, with an instruction on either panel."""
        cards = self.table.catalog_json()["cards"]
        there = self.position["discard"]
        return next(
            str(card_id)
            for card_id, card in cards.items()
            if how in (card["girder"], card["worker"]) and card_id not in there
        )

    def turn(self, how: str, back: str | None = None) -> list[Json]:
        """Turn some card with an instruction; the pile shows ``back`` then."""
        return self.do("turn_card", card=self.card_for(how), **({} if back is None else {"back": back}))

    def boss(self, back: str | None = None) -> None:
        """Turn the boss."""
        self.do("turn_card", card="BOSS", **({} if back is None else {"back": back}))

    def quiet_turn(self) -> None:
        """Play a turn in which nothing happens but an orange girder that touches its like."""
        self.turn("become_highest", "GOP")
        self.do("done", colour="orange")


ADDRESSED = frozenset(
    {
        "done",
        "say_colour",
        "accident",
        "fallen",
        "cleaned",
        "claim_highest",
        "nobody",
        "impossible",
        "exhausted",
        "pass",
        "use_foreman_card",
    }
)
"""Commands that name a player: whoever is waited for, unless another is meant."""


def discarded(number: int) -> list[str]:
    """So many cards, as they may lie on the discard."""
    return [f"I{card:02d}" for card in range(1, number + 1)]
