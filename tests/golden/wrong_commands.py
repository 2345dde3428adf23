"""Commands that a table might be given by mistake: starts that cannot be, and whatever does not fit a moment."""

from collections.abc import Iterator
from typing import Any

from companion.service.table.table import Table
from tests.golden.stored import Json

REASON = "a try"
NO_PLAYER, NOWHERE = "purple", "attic"
DEEP: Any = []
for _ in range(60):
    DEEP = [DEEP]


def wrong_starts(start: Json) -> list[Json]:
    """Starts that no rules allow, and what cannot be asked before the start."""
    seats = start["players"]
    return [
        {"do": "pass", "player": "blue"},
        {"do": 5},
        {"do": "juggle"},
        {**start, "players": seats[:1]},
        {**start, "players": [seats[0], seats[0]]},
        {**start, "first": NO_PLAYER},
        {**start, "catalog": "lost"},
        {**start, "rules": {"speed": "high"}},
        {**start, "rules": {"hire_fire": "twice"}},
        {**start, "variants": ["flying_workers"]},
        {**start, "players": [{**seats[0], "name": " "}, *seats[1:]]},
        {**start, "rounds": 6},
        {**start, "first": 1},
        {key: value for key, value in start.items() if key != "first"},
        {**start, "rules": {"hire_fire": DEEP}},
    ]


def wrong_answers(table: Table, position: Json) -> list[Json]:
    """Return answers to an event, right or wrong."""
    return list(_Moment(table, position).suffering()) if position["phase"] == "events" else []


def wrong_commands(table: Table, position: Json) -> list[Json]:
    """All that might be said at this moment by somebody who does not know the rules; some of it may be right."""
    moment = _Moment(table, position)
    return [
        *moment.hiring(),
        *moment.buying(),
        *moment.suffering(),
        *moment.building(),
        *moment.lending(),
        *moment.money(),
        *moment.correcting(),
        {"do": "start_game", "game": "master_builder", "first": "blue", "players": [{"id": "blue"}, {"id": "red"}]},
    ]


class _Moment:
    """The cards and people that one could name."""

    def __init__(self, table: Table, position: Json) -> None:
        self.position = position
        self.players = [*position["players"], NO_PLAYER]
        self.waiting = position["waiting_for"][:1] or list(position["players"])[:1]
        self.deck = table.catalog_json()
        workers = [player["workers"][:2] for player in position["players"].values()]
        down = [player["unavailable"][:1] for player in position["players"].values()]
        everybody = [worker for player in position["players"].values() for worker in player["workers"]]
        free = [worker for worker in self.deck["workers"] if worker not in everybody]
        self.workers = [worker for some in (*workers, *down) for worker in some] + [*free[:2], "W99"]
        self.sites = {name: list(player["contracts"]) for name, player in position["players"].items()}
        self.contracts = [*list(position["display"])[:2], *position["removed"][:1], "C99"]
        self.contracts += [card for cards in self.sites.values() for card in cards[:1]]

    def hiring(self) -> Iterator[Json]:
        for player in self.players:
            for worker in self.workers:
                yield {"do": "hire_worker", "player": player, "worker": worker}
                yield {"do": "fire_worker", "player": player, "worker": worker}
            for kind in ("A", "T", "F", "MC"):
                yield {"do": "look_through", "player": player, "type": kind}
            yield {"do": "pass", "player": player}
            yield {"do": "pass", "player": player, "rest": True}

    def buying(self) -> Iterator[Json]:
        for card in ("Y01", "Y05", "Y99", *self.position["turned"]["economy"][:1]):
            yield {"do": "turn_economy", "card": card}
        unseen = list(self.deck["contracts"])
        for cards in ([], unseen[:1], unseen[-1:] * 2, unseen[:5], self.contracts[:1], ["C99"]):
            yield {"do": "reveal_contracts", "contracts": cards}
        for player in self.players:
            for amount in (500, 1_000, 4_000, 30_000, 90_000):
                yield {"do": "bid", "player": player, "amount": amount}
                for contract in self.contracts:
                    yield {"do": "open_auction", "player": player, "contract": contract, "bid": amount}

    def suffering(self) -> Iterator[Json]:
        for card in ("E01", "E09", "E99", *self.position["turned"]["events"][:1]):
            yield {"do": "turn_event", "card": card}
            yield {"do": "turn_event", "card": card, "from_hand": True}
        for player in self.waiting:
            own = (self.position["players"].get(player) or {"workers": []})["workers"]
            for some in ([], own[:1], own[:2], own[:1] * 2, own[-1:], own[:4], ["W99"], self.workers[:1]):
                yield {"do": "choose_workers", "player": player, "workers": some}
            for contract in self.contracts:
                yield {"do": "choose_sections", "player": player, "sections": {contract: ["wall-1"]}}

    def building(self) -> Iterator[Json]:
        for player, contracts in self.sites.items():
            state = self.position["players"][player]
            able = [worker for worker in state["workers"] if worker not in state["unavailable"]]
            for contract in [*contracts[:2], *self.contracts[:1], "C99"]:
                places = self.deck["contracts"].get(contract, {"sections": {"wall-1": ["A"]}})["sections"]
                for names in ("roof-1", "wall-1", "wall-1 wall-1", "wall-2 side-2a", "gable-1 wall-1 roof-1", "tower"):
                    for team in (able, state["workers"], state["workers"][::-1], self.workers):
                        yield _plan(player, contract, names.split(), places, team)
                for built in state["contracts"].get(contract, ())[:1]:
                    yield _plan(player, contract, [built], places, able)
                everything = [name for name in places if name not in state["contracts"].get(contract, ())]
                yield _plan(player, contract, everything[:-1], places, able)
                yield {"do": "plan", "player": player, "work": {contract: {"wall-1": able[:1], "gable-1": able[:1]}}}

    def lending(self) -> Iterator[Json]:
        for owner in self.players:
            for borrower in self.players:
                for worker in self.workers:
                    for price in (0, 500, 90_000):
                        yield {"do": "hire_out", "owner": owner, "worker": worker, "borrower": borrower, "price": price}

    def money(self) -> Iterator[Json]:
        for player in self.players:
            for loan in ("small", "large"):
                yield {"do": "borrow", "player": player, "loan": loan}
                yield {"do": "repay", "player": player, "loan": loan}
            yield {"do": "count_cash", "player": player, "amount": 1_500}

    def correcting(self) -> Iterator[Json]:
        for player in self.players:
            for amount in (0, 500, 1_000, 30_000, 400_000):
                yield _money(player, "bank", amount)
                yield _money(player, player, amount)
            for card in (*self.workers, *self.contracts, *list(self.deck["contracts"])[:3], "E01", "Y01", "X01"):
                for to in (player, "supply", "display", "deck", "removed", NOWHERE):
                    yield {"do": "correct_card", "card": card, "to": to, "reason": REASON}
            yield {"do": "rename_player", "player": player, "name": "x" * 60}
        yield {**_money("bank", self.players[0], 1_000), "reason": " "}


def _money(source: str, to: str, amount: int) -> Json:
    return {"do": "correct_money", "from": source, "to": to, "amount": amount, "reason": REASON}


def _plan(player: str, contract: str, names: list[str], places: Json, team: list[str]) -> Json:
    """Put as many of a team on each section as its code has heads, from the first on."""
    free, work = list(team), {}
    for name in names:
        heads = len(places.get(name, ["A"]))
        work[name], free = free[:heads], free[heads:]
    return {"do": "plan", "player": player, "work": {contract: work}}
