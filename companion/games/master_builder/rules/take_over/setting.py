"""What a position taken over is played with."""

from dataclasses import dataclass

from companion.games.master_builder.rules.catalog import Catalog, ContractCard
from companion.games.master_builder.rules.house_rules import Rules


@dataclass(frozen=True, slots=True)
class Setting:
    """Cards, rules, variants, and the players clockwise as they sit."""

    catalog: Catalog
    rules: Rules
    variants: tuple[str, ...]
    seats: tuple[str, ...]

    def contract(self, card: str) -> ContractCard | None:
        """Find a contract's card; ``None``: there is none of that id."""
        return next((one for one in self.catalog.contracts if one.id == card), None)

    def printed_wage(self, card: str) -> int:
        """Give the printed wage of a worker who was found in the catalog, in dollars."""
        return next(one.wage for one in self.catalog.workers if one.id == card)
