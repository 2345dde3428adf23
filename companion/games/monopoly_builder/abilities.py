"""What Monopoly Builder can do besides being played."""

from typing import Any

from companion.gamekit.capabilities import Capabilities, Choices, Step
from companion.games.monopoly_builder.rules import preparation
from companion.games.monopoly_builder.rules.commands import Trade
from companion.games.monopoly_builder.rules.house_rules import values_by_key
from companion.games.monopoly_builder.rules.state import Here


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


CAPABILITIES = Capabilities(asks_consent=Consent(), sets_table=SetUp(), choices=Choices(values_by_key()))
