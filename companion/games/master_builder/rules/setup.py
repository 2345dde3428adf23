"""Setting the table for two, three or four players (rules, preparation)."""

from collections.abc import Mapping

from companion.engine.errors import Refused
from companion.games.master_builder.rules.catalog import Catalog
from companion.games.master_builder.rules.commands import StartGame
from companion.games.master_builder.rules.events import GameStarted, Seated
from companion.games.master_builder.rules.house_rules import chosen_rules, chosen_variants
from companion.games.master_builder.rules.phases.hire import FIRST_LAPS
from companion.games.master_builder.rules.seats import FEWEST, MOST, UNNAMED, sound_name

MONEY = 695_000
"""All notes of the box: 20 x 1,000, 15 x 5,000, 20 x 10,000, 8 x 50,000."""
START_CASH = 40_000
BOXED_WITH_TWO = 4
"""With two players so many contracts stay in the box unseen."""
ECONOMY_DECK = 5
EVENT_HAND = 2
"""Event cards dealt to each player in the variant ``selective_events``."""


def start(catalogs: Mapping[str, Catalog], command: StartGame) -> GameStarted:
    """Check who plays, with what and by which rules, and set the table."""
    ids = [seat.id for seat in command.players]
    if not FEWEST <= len(ids) <= MOST:
        raise Refused("number_of_players", least=FEWEST, most=MOST)
    if len(set(ids)) != len(ids):
        raise Refused("colour_taken_twice")
    if command.first not in ids:
        raise Refused("unknown_player", player=command.first)
    if command.catalog not in catalogs:
        raise Refused("unknown_catalog", name=command.catalog)
    catalog = catalogs[command.catalog]
    contracts = len(catalog.contracts)
    return GameStarted(
        catalog_name=command.catalog,
        catalog=catalog,
        rules=chosen_rules(command.rules),
        variants=chosen_variants(command.variants),
        players=tuple(
            Seated(seat.id, seat.id.capitalize() if seat.name == UNNAMED else sound_name(seat.name))
            for seat in command.players
        ),
        first=command.first,
        money=MONEY,
        cash=START_CASH,
        contracts=contracts - BOXED_WITH_TWO if len(ids) == FEWEST else contracts,
        economy=ECONOMY_DECK,
        laps=FIRST_LAPS,
        event_hand=EVENT_HAND if "selective_events" in command.variants else 0,
    )
