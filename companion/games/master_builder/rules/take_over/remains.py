"""What a position leaves in the box, while somebody is still entering it."""

from collections.abc import Mapping
from dataclasses import dataclass

from companion.games.master_builder.rules.catalog import Catalog
from companion.games.master_builder.rules.setup import MONEY
from companion.games.master_builder.rules.take_over.cards import seen_contracts
from companion.games.master_builder.rules.take_over.decks import contracts_in_game
from companion.games.master_builder.rules.take_over.money import held_money
from companion.games.master_builder.rules.taken_position import TakenPosition


@dataclass(frozen=True, slots=True)
class Remains:
    """``bank``, in dollars, and ``contracts`` of the deck: below 0 where more lies there than the box has.

    ``wages``: those printed on each player's workers, in dollars, by player.
    """

    bank: int
    contracts: int
    wages: Mapping[str, int]


def remains(catalog: Catalog, said: TakenPosition) -> Remains:
    """Reckon what follows from what was entered so far, whatever else is wrong with it."""
    printed = {card.id: card.wage for card in catalog.workers}
    return Remains(
        bank=MONEY - held_money(said),
        contracts=contracts_in_game(catalog, len(said.players)) - len(seen_contracts(said)),
        wages={player: sum(printed.get(worker, 0) for worker in one.workers) for player, one in said.players.items()},
    )
