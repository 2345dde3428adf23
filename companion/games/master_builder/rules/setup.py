"""Setting the table for two, three or four players (rules, preparation)."""

from collections.abc import Mapping

from companion.game_api.house_rules import chosen_rules, chosen_variants
from companion.game_api.seating import known_catalog, player_name, require_distinct_names, require_seated, require_seats
from companion.games.master_builder.rules.catalog import Catalog
from companion.games.master_builder.rules.commands import StartGame
from companion.games.master_builder.rules.events import GameStarted, StartingPlayer
from companion.games.master_builder.rules.house_rules import VARIANTS, Rules
from companion.games.master_builder.rules.state import ECONOMY_DECK, EVENT_HAND, FEWEST, FIRST_LAPS, MOST

NOTES: Mapping[int, int] = {1_000: 20, 5_000: 15, 10_000: 20, 50_000: 8}
"""How many notes of each denomination the box holds, smallest first (facts on the published edition)."""
MONEY = sum(note * count for note, count in NOTES.items())
START_CASH = 40_000
BOXED_WITH_TWO = 4
"""Number of contracts that stay in the box unseen, with two players."""


def start(catalogs: Mapping[str, Catalog], command: StartGame) -> GameStarted:
    """Check who plays, with what and by which rules, and set the table."""
    ids = [seat.id for seat in command.players]
    require_seats(ids, FEWEST, MOST)
    require_seated(ids, command.first)
    catalog = known_catalog(catalogs, command.catalog)
    contracts = len(catalog.contracts)
    players = tuple(StartingPlayer(seat.id, player_name(seat.name, seat.id.capitalize())) for seat in command.players)
    require_distinct_names(player.name for player in players)
    return GameStarted(
        catalog_name=command.catalog,
        catalog=catalog,
        rules=chosen_rules(Rules, command.rules),
        variants=chosen_variants(VARIANTS, command.variants),
        players=players,
        first=command.first,
        money=MONEY,
        cash=START_CASH,
        contracts=contracts - BOXED_WITH_TWO if len(ids) == FEWEST else contracts,
        economy=ECONOMY_DECK,
        laps=FIRST_LAPS,
        event_hand=EVENT_HAND if "selective_events" in command.variants else 0,
    )
