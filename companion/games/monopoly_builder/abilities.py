"""What Monopoly Builder can do besides being played."""

from typing import Any

from companion.gamekit.capabilities import Capabilities, Choices
from companion.games.monopoly_builder.rules.commands import Trade
from companion.games.monopoly_builder.rules.house_rules import values_by_key


class Consent:
    """A trade needs the yes of whom it is with."""

    def needs_consent(self, command: Any) -> str | None:
        """Name the other side of a trade."""
        return command.with_ if isinstance(command, Trade) else None


CAPABILITIES = Capabilities(asks_consent=Consent(), choices=Choices(values_by_key()))
