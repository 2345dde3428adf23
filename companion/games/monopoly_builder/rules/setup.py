"""Setting the table for two to four players."""

from collections.abc import Mapping, Sequence

from companion.engine.errors import Refused
from companion.games.monopoly_builder.rules.catalog import Catalog
from companion.games.monopoly_builder.rules.commands import StartGame
from companion.games.monopoly_builder.rules.events import GameStarted
from companion.games.monopoly_builder.rules.events.start import Own
from companion.games.monopoly_builder.rules.house_rules import Rules, chosen_rules, no_variants
from companion.games.monopoly_builder.rules.kinds import CHIPS_A_KIND, MONEY, START_CASH, START_CHIPS
from companion.games.monopoly_builder.rules.seats import FEWEST, MOST, called
from companion.games.monopoly_builder.rules.state import Player, Site


def start(catalogs: Mapping[str, Catalog], command: StartGame) -> GameStarted:
    """Check who plays, with what and by which rules, and set the table."""
    ids = [seat.id for seat in command.players]
    sound_seats(ids)
    if command.first not in ids:
        raise Refused("unknown_player", player=command.first)
    catalog = known_catalog(catalogs, command.catalog)
    rules = chosen_rules(command.rules)
    no_variants(command.variants)
    return GameStarted(
        catalog_name=command.catalog,
        catalog=catalog,
        rules=rules,
        players=tuple(Player(seat.id, called(seat.id, seat.name)) for seat in command.players),
        first=command.first,
        sites=first_sites(catalog, rules),
        money=MONEY,
        cash=START_CASH,
        chips_a_kind=CHIPS_A_KIND,
        chips=START_CHIPS,
        own=tuple(Own(player, catalog.own_kind(player)) for player in ids),
    )


def sound_seats(ids: Sequence[str]) -> None:
    """Check how many play, and that nobody sits twice; ``Refused``."""
    if not FEWEST <= len(ids) <= MOST:
        raise Refused("number_of_players", least=FEWEST, most=MOST)
    if len(set(ids)) != len(ids):
        raise Refused("colour_taken_twice")


def known_catalog(catalogs: Mapping[str, Catalog], name: str) -> Catalog:
    """Find a catalog; ``Refused``."""
    if name not in catalogs:
        raise Refused("unknown_catalog", name=name)
    return catalogs[name]


def first_sites(catalog: Catalog, rules: Rules) -> tuple[Site, ...]:
    """Lay a deed beside each of its spaces, face down where the table shuffles them."""
    shuffled = rules.deeds == "shuffled"
    return tuple(
        Site(number, None if shuffled else space.deed)
        for number, space in enumerate(catalog.spaces)
        if space.type == "deed"
    )
