"""The values of a page: position, offers and cards of a table in the shapes that templates draw."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from companion.engine.journal import Json
from companion.game_api.house_rules import chosen_rules
from companion.game_api.ui import TableView
from companion.games.master_builder.rules.building import (
    GABLES,
    ROOFS,
    WALLS,
    Regulations,
    regulations,
    section_names,
    unsound,
)
from companion.games.master_builder.rules.house_rules import Rules
from companion.games.master_builder.rules.scoring import MISSING_SECTION
from companion.games.master_builder.rules.setup import MONEY
from companion.games.master_builder.rules.state import THOUSAND, WAGE_LIMIT
from companion.words import Words

RANKING = ("MC", "F", "T", "A")


@dataclass(frozen=True)
class Scene(TableView):
    """One version of one table of Master Builder, seen by one viewer, told in one language."""

    words: Words

    @property
    def players(self) -> Json:
        """The players in turn order from the start player."""
        all_players: Json = self.position["players"]
        return all_players

    @property
    def players_by_seat(self) -> Json:
        """The players as they sit, clockwise: each has one place on a screen for the whole evening."""
        return {player: self.players[player] for player in self.position["seats"]}

    @cached_property
    def names(self) -> dict[str, str]:
        """Return what the players are called."""
        return {player: str(seen.get("name") or player) for player, seen in self.players.items()}

    @property
    def waiting(self) -> list[str]:
        """Return who must act."""
        return list(self.position["waiting_for"])

    @property
    def phase(self) -> str:
        """The phase now."""
        return str(self.position["phase"])

    @property
    def limit(self) -> int:
        """The end of the wage track, in dollars."""
        return int(self.position.get("wage_limit", WAGE_LIMIT))

    step = THOUSAND
    """The smallest amount of money."""
    off_for_missing = MISSING_SECTION
    """What each missing section takes off the price of an unfinished building."""

    @property
    def box(self) -> int:
        """All the money that there is."""
        return int(self.position.get("money_in_play", MONEY))

    def wages_then(self, player: str, worker: Json, do: str) -> int:
        """Return a player's wages with a worker who is hired, or without one who is fired."""
        wages = int(self.players[player]["wages"])
        wage = int(worker["wage"])
        return wages + wage if do == "hire_worker" else wages - wage

    @cached_property
    def rules(self) -> Rules:
        """The house rules at this table; what the position does not name is as printed."""
        return chosen_rules(Rules, self.position.get("rules", {}))

    @cached_property
    def regulations(self) -> Regulations:
        """Return what may stand, under these rules."""
        return regulations(self.rules)

    @property
    def looked(self) -> str | None:
        """The type of worker whose pile was looked through in this opportunity."""
        looked_at: str | None = (self.position.get("hire") or {}).get("looked")
        return looked_at

    def lent(self, worker: str) -> Json | None:
        """Return who lends a worker to whom in this phase."""
        return next((loan for loan in self.position.get("lent", ()) if loan["worker"] == worker), None)

    def purse(self, player: str) -> str:
        """Write a player's cash; where the rules hide it from this viewer, say so."""
        cash = self.players[player]["cash"]
        return self.words.say("covered") if cash is None else self.words.money(cash)

    def worker(self, card: str) -> Json:
        """Return a worker's card, with the present wage."""
        printed = self.catalog["workers"][card]
        changed = self.position.get("workers", {}).get(card)
        wage = changed.get("wage") if isinstance(changed, Mapping) else changed
        return {**printed, "id": card, "wage": printed["wage"] if wage is None else wage, "printed": printed["wage"]}

    def sorted_workers(self, cards: Any) -> list[Json]:
        """Return workers by rank from the top, then by number."""
        return sorted((self.worker(card) for card in cards), key=lambda card: (RANKING.index(card["type"]), card["id"]))

    def by_type(self, cards: Any) -> list[tuple[str, list[Json]]]:
        """Group workers by type, the highest first."""
        crew = self.sorted_workers(cards)
        groups = [(rank, [employed for employed in crew if employed["type"] == rank]) for rank in RANKING]
        return [(rank, group) for rank, group in groups if group]

    def describe_worker(self, worker: Json) -> str:
        """Describe a worker in words for those who cannot see the card."""
        words = self.words
        quirks = words.listed(words.say_in("quirk", quirk) for quirk in worker["quirks"])
        return words.say(
            "{card}: {quirks}; wages {wage}",
            card=words.card(worker["id"], self.catalog),
            quirks=quirks,
            wage=worker["wage"] // 1000,
        )

    def contract(self, card: str) -> Json:
        """Return a contract's card with its name in this language."""
        return {**self.catalog["contracts"][card], "id": card, "title": self.words.card(card, self.catalog)}

    def titles(self, cards: Iterable[str]) -> str:
        """Return several contracts."""
        return ", ".join(self.contract(card)["title"] for card in cards)

    def states(self, card: str, built: Any, planned: Any = ()) -> dict[str, str]:
        """Return of each section whether it is ``built``, ``planned``, ``open`` now or ``waits`` for others."""
        kind = self.catalog["contracts"][card]["kind"]
        standing, coming = set(built), set(planned)
        titles: dict[str, str] = {}
        for section in section_names(kind):
            if section in standing:
                titles[section] = "built"
            elif section in coming:
                titles[section] = "planned"
            else:
                early = self.rules.roof_timing == "next_phase" and section in ROOFS and not standing >= WALLS | GABLES
                begins = not early and could_begin(kind, standing | coming, section, self.regulations)
                titles[section] = "open" if begins else "waits"
        return titles

    def building_label(self, card: str, built: Any) -> str:
        """Describe a building for those who cannot see it."""
        words = self.words
        named = words.listed(words.say_in("section", section) for section in built)
        title = words.card(card, self.catalog)
        if not named:
            return words.say("{title}: nothing built yet", title=title)
        return words.say("{title}: built are {sections}", title=title, sections=named)


def could_begin(kind: Any, standing: set[str], section: str, by: Regulations) -> bool:
    """Return whether a section could be the next, alone or together with one other."""
    others = [frozenset({section})] + [frozenset({section, other}) for other in section_names(kind)]
    return any(unsound(kind, standing | some, by) is None for some in others)
