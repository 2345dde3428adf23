"""The tables whose pages are measured: early ones by chance, late ones by strong bots, and some in odd states."""

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from companion.adapters.pictures import encode_jpeg
from companion.service.camera.proposals import Crop
from companion.service.services import Services
from companion.service.table.registry import Tables
from companion.service.table.table import Request
from tests.guide.stage import There, game_of_bots
from tests.web.fake_scanner import FakeScanner
from tests.web_pages.whole_games import NAMES, Moment, house_moments, moments, table_at

JsonObject = dict[str, Any]
SEEDS = range(7, 40)

DIFFERENCES: list[dict[str, Any]] = [
    {"difference": "elsewhere", "card": "W07", "zone": "yellow", "books": "blue"},
    {"difference": "elsewhere", "card": "C03", "zone": "contracts", "books": "deck"},
    {"difference": "fewer", "player": "blue", "type": "MC", "books": 3, "table": 2, "cards": ["W34"]},
]


@dataclass(frozen=True)
class Late:
    """A moment that strong bots come to, with four players and all the loans and cards of a long game."""

    there: There
    strengths: dict[str, str] = field(default_factory=dict[str, str])


LATE: dict[str, Late] = {
    "late_hire": Late(lambda at: at["round"] == 5 and at["phase"] == "hire" and at["hire"]["lap"] == 2),
    "late_auction": Late(lambda at: at["round"] >= 3 and at["auction"] is not None and at["auction"]["bid"] > 20_000),
    "late_build": Late(lambda at: at["round"] == 5 and at["phase"] == "build" and len(at["waiting_for"]) > 1),
    "late_end": Late(lambda at: bool(at["finished"])),
    "torn_down": Late(lambda at: "choose_sections" in at["expects"], {"blue": "random", "yellow": "random"}),
}


class Moments:
    """Returns the one table at each moment; it is only looked at, so it is played once."""

    def __init__(self, tables: Tables, services: Services, scanner: FakeScanner) -> None:
        self._tables, self._services, self._scanner = tables, services, scanner
        self._moments: dict[str, tuple[str, JsonObject]] = {}
        self._odd: dict[str, Callable[[], str]] = {
            "asked": lambda: self._asked("first_hire", "hire_worker"),
            "asked_in_an_auction": lambda: self._asked("auction", "hire_worker"),
            "differing": lambda: self._early("later_hire"),
            "undone": self._undone,
            "sold": self._sold,
            "settled": self._settled,
            "agreement": self._agreement,
            "in_debt": self._in_debt,
            "cropped": self._cropped,
        }

    def at(self, name: str) -> tuple[str, JsonObject]:
        """Return the table's id and what the banker is shown there; the camera looks at it where it has to."""
        if name not in self._moments:
            table = self._made(name)
            self._moments[name] = table, self._tables.get(table).show("banker")
        table, shown = self._moments[name]
        watched = name.startswith("asked") or name == "differing"
        self._scanner.attached_to = table if watched else None
        self._scanner.differences = DIFFERENCES if name == "differing" else []
        return table, shown

    def _made(self, name: str) -> str:
        if name in self._odd:
            return self._odd[name]()
        return self._late(LATE[name]) if name in LATE else self._early(name)

    def _early(self, name: str) -> str:
        return table_at(self._tables, next(moment for moment in (*moments(), *house_moments()) if moment.name == name))[
            0
        ]

    def _late(self, late: Late) -> str:
        for seed in SEEDS:
            game = game_of_bots(self._tables, 4, seed, late.strengths)
            try:
                game.until(late.there)
            except LookupError:
                continue
            return game.table.id
        raise LookupError(late)

    def _asked(self, name: str, do: str) -> str:
        table = self._early(name)
        player = self._tables.get(table).show("banker")["position"]["waiting_for"][0]
        self._scanner.propose(table, {"do": do, "player": player, "worker": "W07"})
        return table

    def _cropped(self) -> str:
        table = self._late(LATE["late_hire"])
        picture = encode_jpeg(np.full((240, 240, 3), 120, np.uint8))
        for entry in range(2, self._tables.get(table).version + 1):
            self._scanner.proposals.keepsakes.keep_crop(table, entry, Crop(picture, "banker"))
        return table

    def _undone(self) -> str:
        table = self._early("later_hire")
        for _ in range(2):
            self._tables.get(table).submit(Request({"do": "undo"}, "banker", "test"))
        return table

    def _sold(self) -> str:
        """The lot of an auction is sold: everybody else has left it."""
        name = self._early("auction")
        table = self._tables.get(name)
        while table.show("banker")["position"]["auction"] is not None:
            player = table.show("banker")["position"]["waiting_for"][0]
            table.submit(Request({"do": "pass", "player": player}, "banker", "test"))
        return name

    def _settled(self) -> str:
        """A round is settled, and nobody has moved in the next one."""
        return self._late(Late(lambda at: at["round"] == 4 and at["phase"] == "hire"))

    def _agreement(self) -> str:
        name = self._early("later_hire")
        table = self._tables.get(name)
        asker = next(player for player in NAMES if player != table.show("banker")["position"]["start_player"])
        self._services.consents.ask(table, Request({"do": "undo"}, asker, "tap", table.version))
        return name

    def _in_debt(self) -> str:
        def owing(at: dict[str, Any]) -> bool:
            return at["phase"] == "hire" and any(sum(player["loans"].values()) for player in at["players"].values())

        wanted = Moment("in_debt", 3, owing, rules={"loans": "voluntary_anytime_but_phase2"})
        for seed in SEEDS:
            try:
                return table_at(
                    self._tables, Moment(wanted.name, 3, owing, random.Random(seed).randrange(999), wanted.rules)
                )[0]
            except AssertionError:
                continue
        raise LookupError("nobody borrows")
