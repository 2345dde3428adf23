"""A table on which tests play Master Builder: seats, commands as JSON, and short ways to a moment of the game.

``given = Scenario("blue", "yellow")`` sets the table; ``given.do("hire_worker", player=..., worker=...)`` plays a
command through the service; ``given.refuses(...)`` also checks that a refusal changes nothing.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from companion.adapters.journal.memory import InMemoryJournal
from companion.engine.game import Refused
from companion.games.master_builder.rules.catalog import Catalog
from companion.service.table.table import Request, Table
from tests.games.master_builder.decks import deck
from tests.opened import master_builder
from tests.refusal_details import check_details

Json = dict[str, Any]
ALL_SEATS = ("blue", "yellow", "green", "red")
PHASES = ("hire", "contracts", "events", "build", "income", "finished")


class StoppedClock:
    """Always noon."""

    def now(self) -> str:
        return "2026-01-01T12:00:00+00:00"


def empty_table(catalog: Catalog | None = None) -> Table:
    """Return a table at which nothing has begun."""
    game = master_builder({"house": catalog or deck()})
    return Table("t", game, InMemoryJournal(), StoppedClock())


class Scenario:
    """A game begun by the players named, in clockwise seating; the first one holds the mallet."""

    def __init__(
        self,
        *seats: str,
        catalog: Catalog | None = None,
        rules: Mapping[str, str | bool] | None = None,
        variants: Sequence[str] = (),
    ) -> None:
        self.seats = seats
        self.table = empty_table(catalog)
        self.do(
            "start_game",
            game="master_builder",
            first=seats[0],
            players=[{"id": seat} for seat in seats],
            rules=dict(rules or {}),
            variants=list(variants),
        )

    # ------------------------------------------------------------------------------------ commands
    def do(self, verb: str, **fields: Any) -> list[Json]:
        """Play a command (``from_`` is ``from``) and give the events that it led to."""
        command = {"do": verb, **{key.removesuffix("_"): value for key, value in fields.items()}}
        events: list[Json] = self.table.submit(Request(command, "banker", "test"))["events"]
        return events

    def refuses(self, verb: str, **fields: Any) -> str:
        """Return the rule by which a command is refused; assert that nothing has changed."""
        return self.refusal(verb, **fields).rule

    def refusal(self, verb: str, **fields: Any) -> Refused:
        """Return a refusal with its figures; assert that nothing has changed."""
        before = self.table.show("banker"), len(self.table.entries)
        with pytest.raises(Refused) as refused:
            self.do(verb, **fields)
        assert (self.table.show("banker"), len(self.table.entries)) == before
        check_details(refused.value.rule, refused.value.details)
        return refused.value

    # ------------------------------------------------------------------------------------ what is seen
    @property
    def position(self) -> Json:
        """The position as the banker sees it."""
        position = self.table.position_json("banker")
        assert position is not None
        return position

    def player(self, player: str) -> Json:
        shown: Json = self.position["players"][player]
        return shown

    def cash(self, player: str) -> int:
        return int(self.player(player)["cash"])

    def asks(self) -> tuple[list[str], list[str]]:
        """Whom the table waits for, and what it expects."""
        return self.position["waiting_for"], self.position["expects"]

    def offers(self, player: str) -> list[Json]:
        offers: list[Json] = self.table.show(player)["offers"]
        return offers

    def offer(self, verb: str) -> Json:
        """The first offer of a command to the one whom the table waits for."""
        return next(offer for offer in self.offers(self.position["waiting_for"][0]) if offer["do"] == verb)

    # ------------------------------------------------------------------------------------ short ways
    def hire(self, **teams: Sequence[str]) -> None:
        """Round 1: everybody hires five; who is not named takes apprentices as long as there are some."""
        taken = {worker for team in teams.values() for worker in team}
        spare = [card for card in workers_of("F") + workers_of("T") + workers_of("A") if card not in taken]
        rest = {player: list(teams.get(player) or [spare.pop() for _ in range(5)]) for player in self.seats}
        while self.position["phase"] == "hire":
            player = self.position["waiting_for"][0]
            self.do("hire_worker", player=player, worker=rest[player].pop(0))

    def reveal(self, *contracts: str) -> None:
        self.do("reveal_contracts", contracts=list(contracts))

    def reveal_some(self, number: int) -> list[str]:
        """Turn up the first contracts not seen yet."""
        unseen = self.offer("reveal_contracts")["fields"]["contracts"]["values"][:number]
        self.reveal(*unseen)
        return list(unseen)

    def sell(self, contract: str, to: str, price: int | None = None) -> list[Json]:
        """Let a player win a contract: the chooser opens, nobody else bids."""
        chooser = self.position["waiting_for"][0]
        cost = self.table.catalog_json()["contracts"][contract]["cost"]
        opening = price or cost if chooser == to else cost
        events = self.do("open_auction", player=chooser, contract=contract, bid=opening)
        while (auction := self.position["auction"]) is not None and auction["contract"] == contract:
            asked = self.position["waiting_for"][0]
            if asked == to:
                events = self.do("bid", player=to, amount=price or cost + 1_000)
            else:
                events = self.do("pass", player=asked)
        return events

    def pass_all(self) -> None:
        """Let everybody decline or pass until the phase or the auction asks for something else."""
        while "pass" in self.position["expects"]:
            self.idle()

    def pass_all_in_auction(self) -> None:
        """Let everybody who is asked leave the auction."""
        while self.position["auction"]:
            self.do("pass", player=self.position["waiting_for"][0])

    def plan(self, player: str, **work: Mapping[str, Sequence[str]]) -> list[Json]:
        return self.do("plan", player=player, work=work)

    def give_money(self, player: str, amount: int) -> None:
        """Let a player hold exactly this much."""
        more = amount - self.cash(player)
        if more:
            source, to = ("bank", player) if more > 0 else (player, "bank")
            self.do("correct_money", from_=source, to=to, amount=abs(more), reason="as the story needs it")

    def give_cards(self, player: str, *cards: str) -> None:
        """Let cards lie before a player."""
        for card in cards:
            stored = self.player(player)
            if card not in (*stored["workers"], *stored["contracts"], *stored["completed"]):
                self.do("correct_card", card=card, to=player, reason="as the story needs it")

    def raise_(self, player: str, **sections: str) -> list[Json]:
        """Plan sections, named with blanks between, with as many of a player's workers as each needs."""
        stored, cards = self.player(player), self.table.catalog_json()["contracts"]
        free = [worker for worker in stored["workers"] if worker not in stored["unavailable"]]
        return self.plan(
            player,
            **{
                contract: {name: [free.pop() for _ in cards[contract]["sections"][name]] for name in names.split()}
                for contract, names in sections.items()
            },
        )

    def to(self, phase: str, round_: int | None = None) -> None:
        """Play on, doing as little as possible, until a phase (of a round) has begun."""
        while self.position["phase"] != phase or (round_ or self.position["round"]) != self.position["round"]:
            assert not self.position["finished"], f"the game ended before {phase} of round {round_}"
            self.idle()

    def idle(self) -> list[Json]:
        """Return the command that does least."""
        position = self.position
        player = position["waiting_for"][0]
        match [verb for verb in position["expects"] if verb not in {"look_through", "hire_out"}][-1]:
            case "hire_worker":
                free = self.offer("hire_worker")["fields"]["worker"]["values"]
                return self.do("hire_worker", player=player, worker=free[-1])
            case "pass" if position["phase"] == "hire":
                return self.do("pass", player=player, rest=position["hire"]["laps"] == 3)
            case "pass" if position["auction"] or position["round"] > 1 or self._has_contract(player):
                return self.do("pass", player=player)
            case "pass" | "open_auction":
                offer = self.offer("open_auction")
                least = offer["fields"]["bid"]["least"]
                return self.do("open_auction", player=player, contract=offer["contract"], bid=least)
            case "turn_economy" | "turn_event" as verb:
                offer = self.offer(verb)
                hand = {"from_hand": True} if offer.get("from_hand") else {}
                return self.do(verb, card=offer["fields"]["card"]["values"][-1], **hand)
            case "reveal_contracts":
                unseen = self.offer("reveal_contracts")["fields"]["contracts"]["values"]
                return self.do("reveal_contracts", contracts=unseen[: position["reveal_due"]])
            case "choose_workers":
                field = self.offer("choose_workers")["fields"]["workers"]
                some = field["values"][0] if field["kind"] == "any_set" else field["values"][: field["most"]]
                return self.do("choose_workers", player=player, workers=some)
            case "choose_sections":
                ways = self.offer("choose_sections")["fields"]["sections"]["values"]
                return self.do("choose_sections", player=player, sections=ways[0])
            case "plan":
                return self.do("plan", player=player, work={})
            case _:
                return self.do("borrow", player=player, loan="large")

    def _has_contract(self, player: str) -> bool:
        stored = self.player(player)
        return bool(stored["contracts"] or stored["completed"])


def workers_of(kind: str) -> list[str]:
    """Name the workers of a type, in order."""
    return [card.id for card in deck().workers if card.type == kind]


def waiting_in(phase: str) -> Scenario:
    """Return two players, rounds into the game, at a moment of a phase at which the table waits for somebody."""
    given = Scenario("blue", "yellow")
    given.to("build", 2)
    given.give_money("yellow", 0)  # so that income waits for them
    given.to(phase, {"build": 2, "income": 2, "finished": 6}.get(phase, 3))
    return given
