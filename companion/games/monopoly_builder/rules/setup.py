"""Setting the table for two to four players."""

from collections.abc import Mapping

from companion.game_api.house_rules import chosen_rules, chosen_variants
from companion.game_api.seating import known_catalog, player_name, require_distinct_names, require_seated, require_seats
from companion.games.monopoly_builder.rules.catalog import CHIPS_A_KIND, MONEY, START_CASH, START_CHIPS, Catalog
from companion.games.monopoly_builder.rules.commands import StartGame
from companion.games.monopoly_builder.rules.events import GameStarted, Own
from companion.games.monopoly_builder.rules.house_rules import Rules
from companion.games.monopoly_builder.rules.state import FEWEST, MOST, Player, Site


def start(catalogs: Mapping[str, Catalog], command: StartGame) -> GameStarted:
    """Check who plays, with what and by which rules, and set the table."""
    ids = [seat.id for seat in command.players]
    require_seats(ids, FEWEST, MOST)
    require_seated(ids, command.first)
    catalog = known_catalog(catalogs, command.catalog)
    rules = chosen_rules(Rules, command.rules)
    chosen_variants((), command.variants)
    players = tuple(Player(seat.id, player_name(seat.name, seat.id)) for seat in command.players)
    require_distinct_names(player.name for player in players)
    return GameStarted(
        catalog_name=command.catalog,
        catalog=catalog,
        rules=rules,
        players=players,
        first=command.first,
        sites=first_sites(catalog, rules),
        money=MONEY,
        cash=START_CASH,
        chips_a_kind=CHIPS_A_KIND,
        chips=START_CHIPS,
        own=tuple(Own(player, catalog.own_kind(player)) for player in ids),
    )


def first_sites(catalog: Catalog, rules: Rules) -> tuple[Site, ...]:
    """Lay a deed beside each of its spaces, face down where the table shuffles them."""
    shuffled = rules.deeds == "shuffled"
    return tuple(
        Site(number, None if shuffled else space.deed)
        for number, space in enumerate(catalog.spaces)
        if space.type == "deed"
    )
