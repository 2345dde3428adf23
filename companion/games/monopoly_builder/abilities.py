"""What Monopoly Builder can do besides being played."""

from dataclasses import replace
from typing import Any

from companion.engine.game import BANKER, Place
from companion.game_api.capabilities import Capabilities, Choices, Step
from companion.games.monopoly_builder.rules import preparation
from companion.games.monopoly_builder.rules.commands import Trade
from companion.games.monopoly_builder.rules.house_rules import values_by_key
from companion.games.monopoly_builder.rules.scoring import figures, points, ranked
from companion.games.monopoly_builder.rules.state import Here

SECRET = ("billionaire", "cash")
"""What a hidden purse would be told by."""


class Consent:
    """A trade needs the yes of whom it is with."""

    def needs_consent(self, command: Any) -> str | None:
        """Name the other side of a trade."""
        return command.with_ if isinstance(command, Trade) else None


class SetUp:
    """Knows what is laid ready."""

    def is_due(self, position: Here) -> bool:
        """Say whether the table still waits for the first throw."""
        return preparation.is_due(position.state)

    def steps(self, position: Here, seen: frozenset[str]) -> list[Step]:
        """List what is laid ready; cards in view say nothing of it."""
        del seen
        return [Step(name, count) for name, count in preparation.steps(position.state)]


class Scoring:
    """Counts everybody's points at any time; whose money is hidden has neither cash nor a bonus for it."""

    def scores(self, position: Here, viewer: str) -> list[Place]:
        """Rank the players as if the game ended now."""
        state = position.state
        if state.rules.money != "hidden" or state.finished or viewer == BANKER:
            return [Place(one.player, rank, figures(one)) for one, rank in ranked(position)]
        known = [replace(one, billionaire=0, cash=0) for one in points(position)]
        shown = [(one, tuple(held for held in figures(one) if held[0] not in SECRET)) for one in known]
        shown.sort(key=lambda one: one[0].points, reverse=True)
        return [Place(one.player, 1 + sum(other.points > one.points for other in known), held) for one, held in shown]


CAPABILITIES = Capabilities(
    scores=Scoring(), asks_consent=Consent(), sets_table=SetUp(), choices=Choices(values_by_key())
)
