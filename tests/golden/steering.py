"""Plays a golden game as a recipe says: commands that are offered, and now and then one that must be refused."""

import json
import random
from collections.abc import Iterator, Sequence
from typing import Any

from companion.engine.game import Refused
from companion.engine.timeline import decide_and_settle as answered
from companion.games.master_builder.rules.catalog import RANK
from companion.service.table.table import Request
from tests.golden.deciding import new_table
from tests.golden.raising import TYPES, in_building_order, staffed
from tests.golden.recipes import Recipe
from tests.golden.stored import CATALOG, Json
from tests.golden.wrong_commands import wrong_answers, wrong_commands, wrong_starts
from tests.strategies import command_of

TRIED_AT_ONCE = 60
"""How many wrong commands are tried at one moment."""
TOLD_IN_A_GAME = 10
NAMES = {"blue": "Ada", "yellow": "Ben", "red": "Cleo", "green": "Dan"}
MISHAPS = ("count", "undo", "worker", "undo and redo", "rename", "money", "contract")


def play_all(recipes: Sequence[Recipe]) -> Iterator[tuple[str, list[str]]]:
    """Play every recipe: name and the lines of its play file.  Each rule is broken in one game only."""
    broken_rules: set[str] = set()
    for recipe in recipes:
        session = SteeredGame(recipe, broken_rules)
        session.play()
        yield recipe.name, session.lines


class SteeredGame:
    """One game being steered; ``broken_rules`` are the rules that some game has broken already."""

    def __init__(self, recipe: Recipe, broken_rules: set[str]) -> None:
        self.recipe = recipe
        self.chance = random.Random(recipe.seed)
        self.chance_of_wrong = random.Random(recipe.seed)  # of its own, so that what is refused changes no play
        self.table = new_table()
        self.broken_rules = broken_rules
        self.most_told = len(broken_rules) + TOLD_IN_A_GAME
        self.lines = [f"# {recipe.says}."]
        self.moment = ""
        self.mishaps = 0

    def play(self) -> None:
        """Play from the start to the end."""
        for wrong in wrong_starts(self._start()):
            self._try_wrong(wrong)
        self.give(self._start())
        while not (position := self.table.position_json("banker") or {})["finished"]:
            self._say_moment(position)
            self._break_rules(position)
            self._mishap(position)
            self.give(self._next(self.table.position_json("banker") or {}))
        self._break_rules(position)
        if self.recipe.levelled:
            self._level(position["standings"])

    def _level(self, standings: list[Json]) -> None:
        first, second, *_ = standings
        if first["worth"] > second["worth"]:
            self.lines.append("# put right: money found under the box")
            missing = first["worth"] - second["worth"]
            transfer = {"from": "bank", "to": second["player"], "amount": missing, "reason": "found under the box"}
            self.give({"do": "correct_money", **transfer})

    def _start(self) -> Json:
        recipe = self.recipe
        return {
            "do": "start_game",
            "game": "master_builder",
            "catalog": CATALOG,
            "first": recipe.seats[recipe.seed % len(recipe.seats)],
            "players": [{"id": seat, "name": NAMES[seat]} for seat in recipe.seats],
            **({"rules": dict(recipe.rules)} if recipe.rules else {}),
            **({"variants": list(recipe.variants)} if recipe.variants else {}),
        }

    def give(self, command: Json) -> None:
        """Submit a command that is accepted, and write it down."""
        self.table.submit(Request(command, "banker", "play"))
        self.lines.append(json.dumps(command, ensure_ascii=False))

    def _say_moment(self, position: Json) -> None:
        moment = f"# Round {position['round']}, {position['phase']}"
        if moment != self.moment:
            self.lines.append(moment)
            self.moment = moment

    # ------------------------------------------------------------------------------------ what is refused
    def _break_rules(self, position: Json) -> None:
        wrong = wrong_commands(self.table, position)
        some = self.chance_of_wrong.sample(wrong, min(TRIED_AT_ONCE, len(wrong)))
        for command in [*wrong_answers(self.table, position), *some]:
            self._try_wrong(command)

    def _try_wrong(self, command: Json) -> None:
        """Write a command down if it is refused by a rule that no game has broken yet."""
        rule = self._refusal(command)
        if rule is not None and rule not in self.broken_rules and len(self.broken_rules) < self.most_told:
            self.broken_rules.add(rule)
            self.lines += [f"# refused: {rule}", json.dumps(command, ensure_ascii=False)]

    def _refusal(self, command: Json) -> str | None:
        try:
            answered(self.table.game.rules, self.table.position, self.table.game.codec.command(command))
        except Refused as refused:
            return refused.rule
        return None

    # ------------------------------------------------------------------------------------ what is put right
    def _mishap(self, position: Json) -> None:
        if self.chance.random() >= self.recipe.mishaps:
            return
        player = self.chance.choice(self.recipe.seats)
        wrong = MISHAPS[self.mishaps % len(MISHAPS)]
        self.mishaps += 1
        self.lines.append(f"# put right: {wrong}")
        match wrong:
            case "undo":
                self.give({"do": "undo"})
            case "undo and redo":
                self.give({"do": "undo"})
                self.give({"do": "redo"})
            case "count":
                self.give({"do": "count_cash", "player": player, "amount": self.chance.randrange(40) * 1_000})
            case "rename":
                self.give({"do": "rename_player", "player": player, "name": f"{NAMES[player]} B."})
            case "worker":
                self._put(self.chance.choice(sorted(TYPES)), player, "wrong worker scanned")
            case "money":
                self.give(
                    {"do": "correct_money", "from": "bank", "to": player, "amount": 1_000, "reason": "a lost note"}
                )
            case _:
                removed = [card for card, lying in position["display"].items() if not lying]
                if removed:
                    self._put(removed[0], "deck", "turned too early")

    def _put(self, card: str, to: str, reason: str) -> None:
        command = {"do": "correct_card", "card": card, "to": to, "reason": reason}
        if self._refusal(command) is None:
            self.give(command)

    # ------------------------------------------------------------------------------------ what is played
    def _next(self, position: Json) -> Json:
        offers = [offer for offer in self.table.show("banker")["offers"] if offer["do"] not in {"undo", "redo"}]
        extra = self._unforced([offer for offer in offers if offer["urgency"] == "possible"], position)
        if extra:
            return extra
        player = self.chance.choice(position["waiting_for"])
        due = [
            offer for offer in offers if offer["urgency"] == "due" and player in (offer.get("player"), offer.get("by"))
        ]
        by_verb: dict[str, list[Json]] = {}
        for offer in due:
            by_verb.setdefault(offer["do"], []).append(offer)
        return self._chosen(player, position, by_verb)

    def _unforced(self, possible: list[Json], position: Json) -> Json | None:
        for offer in possible:
            spare = position["players"][offer["player"]]["cash"] > 50_000
            if offer["do"] == "repay" and spare:
                return _filled(offer)
            if offer["do"] == "borrow" and self.chance.random() < self.recipe.free_loans / len(position["players"]):
                return _filled(offer, loan=self.chance.choice(offer["fields"]["loan"]["values"]))
        return None

    def _chosen(self, player: str, position: Json, by_verb: dict[str, list[Json]]) -> Json:
        match position["phase"]:
            case "hire":
                return self._hire(position, by_verb)
            case "contracts" if "open_auction" in by_verb or "bid" in by_verb or "pass" in by_verb:
                return self._bid(player, position, by_verb)
            case "build":
                return self._build(player, by_verb)
            case "income" if "pass" in by_verb:
                borrow = by_verb["borrow"][0]
                wanted = self.chance.random() < self.recipe.free_loans
                return (
                    _filled(borrow, loan=borrow["fields"]["loan"]["values"][0])
                    if wanted
                    else _filled(by_verb["pass"][0])
                )
        verb, (offer, *_) = next(iter(by_verb.items()))
        return _filled(offer, **{name: self._drawn(verb, field, position) for name, field in offer["fields"].items()})

    def _drawn(self, verb: str, field: Json, position: Json) -> Any:
        """Draw a card as the recipe says, or one of what may stand in a field."""
        values = field["values"]
        wanted = {"turn_economy": self.recipe.economy, "turn_event": self.recipe.events}.get(verb, ())
        first = [card for card in wanted if card in values]
        if first:
            return first[0]
        if verb == "reveal_contracts" and self.recipe.contracts and position["round"] == 1:
            return list(self.recipe.contracts)
        if verb == "reveal_contracts":
            return self.chance.sample(values, min(position["reveal_due"], len(values)))
        if field["kind"] == "some_of":
            return self.chance.sample(values, field["most"])
        return self.chance.choice(values)

    def _hire(self, position: Json, by_verb: dict[str, list[Json]]) -> Json:
        peek = by_verb.pop("look_through", None)
        if peek and self.chance.random() < self.recipe.stir:
            return _filled(peek[0], type=self.chance.choice(peek[0]["fields"]["type"]["values"]))
        if position["round"] == 1 or ("fire_worker" not in by_verb and "hire_worker" in by_verb and peek is None):
            wanted = self.recipe.crew[(position["hire"]["lap"] - 1) % len(self.recipe.crew)]
            free = by_verb["hire_worker"][0]["fields"]["worker"]["values"]
            worker = next((card for card in self.chance.sample(free, len(free)) if TYPES[card] == wanted), free[0])
            return _filled(by_verb["hire_worker"][0], worker=worker)
        stirring = [verb for verb in ("hire_worker", "hire_worker", "fire_worker") if verb in by_verb]
        if stirring and self.chance.random() < self.recipe.stir:
            offer = by_verb[self.chance.choice(stirring)][0]
            return _filled(offer, worker=self.chance.choice(offer["fields"]["worker"]["values"]))
        return _filled(by_verb["pass"][-1])

    def _bid(self, player: str, position: Json, by_verb: dict[str, list[Json]]) -> Json:
        if "open_auction" in by_verb:
            must = "pass" not in by_verb or not position["players"][player]["contracts"]
            if must or self.chance.random() < self.recipe.keen:
                offer = self._lot(by_verb["open_auction"])
                bid = offer["fields"]["bid"]
                return _filled(offer, bid=min(bid["most"], bid["least"] + self.recipe.opening * 1_000))
        if "bid" in by_verb and self.chance.random() < self.recipe.raises:
            amount = by_verb["bid"][0]["fields"]["amount"]
            return _filled(by_verb["bid"][0], amount=min(amount["most"], amount["least"] + 1_000))
        return _filled(by_verb["pass"][0])

    def _lot(self, offers: list[Json]) -> Json:
        """Choose a contract: by lot, or by who buys only because they must, the cheapest."""
        if self.recipe.keen:
            return self.chance.choice(offers)
        return min(offers, key=lambda offer: (offer["fields"]["bid"]["least"], offer["contract"]))

    def _build(self, player: str, by_verb: dict[str, list[Json]]) -> Json:
        lend = by_verb.get("hire_out")
        if lend and self.chance.random() < 0.3:
            offer = self.chance.choice(lend)
            field = offer["fields"]
            price = field["price"]["least"] + 1_000 * self.chance.randrange(3)
            return _filled(
                offer,
                worker=self.chance.choice(field["worker"]["values"]),
                price=min(price, field["price"]["most"]),
            )
        return {"do": "plan", "player": player, "work": self._work(player) if self.recipe.builds else {}}

    def _work(self, player: str) -> Json:
        """Raise as much as there are hands for, what is nearly finished first; the rules say what may stand."""
        plan = next(offer for offer in self.table.show(player)["offers"] if offer["do"] == "plan")["fields"]["work"]
        free = sorted(plan["workers"], key=lambda worker: (RANK[TYPES[worker]], worker))
        work: Json = {}
        for contract, places in sorted(plan["sites"].items(), key=lambda site: (len(site[1]), site[0])):
            for number in range(len(places), 0, -1):
                some = {name: places[name] for name in in_building_order(places)[:number]}
                teams = staffed(some, free)
                more = {**work, contract: teams}
                if teams and self._refusal({"do": "plan", "player": player, "work": more}) is None:
                    work = more
                    free = [worker for worker in free if not any(worker in team for team in teams.values())]
                    break
        return work


def _filled(offer: Json, **fields: Any) -> Json:
    return {
        **command_of(offer),
        **{name: fields.get(name, field.get("values", [None])[0]) for name, field in offer["fields"].items()},
    }
