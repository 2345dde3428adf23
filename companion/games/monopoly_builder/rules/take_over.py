"""Going on with a game already begun at the table: whatever does not hold together is said in one refusal."""

from collections.abc import Mapping

from companion.engine.errors import Refused
from companion.games.monopoly_builder.rules.catalog import Catalog
from companion.games.monopoly_builder.rules.commands import TakeOver
from companion.games.monopoly_builder.rules.events import GameTakenOver
from companion.games.monopoly_builder.rules.house_rules import Rules, chosen_rules, no_variants
from companion.games.monopoly_builder.rules.kinds import CHIPS_A_KIND, MONEY, full, some
from companion.games.monopoly_builder.rules.seats import called
from companion.games.monopoly_builder.rules.setup import first_sites, known_catalog, sound_seats
from companion.games.monopoly_builder.rules.state import Building, Player, Site
from companion.games.monopoly_builder.rules.take_over_faults import position_faults
from companion.games.monopoly_builder.rules.taken_position import TakenPlayer, TakenPosition


def taken_over(catalogs: Mapping[str, Catalog], command: TakeOver) -> GameTakenOver:
    """Check a position, and let the game go on with it; ``Refused`` names every fault."""
    said = command.position
    faults: list[Refused] = []
    try:
        catalog, rules = _setting(catalogs, said)
    except Refused as refused:
        raise _faulty([refused]) from refused
    faults.extend(position_faults(said, catalog, rules))
    if faults:
        raise _faulty(faults)
    return GameTakenOver(
        catalog_name=said.catalog,
        catalog=catalog,
        rules=rules,
        players=tuple(_player(player, one) for player, one in said.players.items()),
        turn=said.turn,
        sites=_sites(said, catalog, rules),
        stage=said.phase,
        dice=said.dice,
        doubles=said.doubles,
        board=tuple(Building(cell, one.owner, one.height) for cell, one in said.board.items()),
        money=MONEY,
        cash={player: one.cash for player, one in said.players.items()},
        chips_a_kind=CHIPS_A_KIND,
        chips={player: full(one.chips) for player, one in said.players.items()},
        on_spaces={space: some(chips) for space, chips in said.spaces.items()},
        reason=command.reason,
    )


def _setting(catalogs: Mapping[str, Catalog], said: TakenPosition) -> tuple[Catalog, Rules]:
    """Find out with what and by which rules; without that nothing else can be checked."""
    sound_seats(list(said.players))
    if said.turn not in said.players:
        raise Refused("unknown_player", player=said.turn)
    no_variants(said.variants)
    return known_catalog(catalogs, said.catalog), chosen_rules(said.rules)


def _faulty(faults: list[Refused]) -> Refused:
    """Put faults into one refusal."""
    listed = tuple({"rule": fault.rule, "details": dict(fault.details)} for fault in faults)
    return Refused("position_faulty", faults=listed)


def _player(player: str, said: TakenPlayer) -> Player:
    return Player(
        id=player,
        name=called(player, said.name),
        deeds=tuple(sorted(said.deeds)),
        mortgaged=tuple(sorted(said.mortgaged)),
        cards=tuple(sorted(said.cards)),
        space=said.space,
        in_jail=said.in_jail,
        tries=said.tries,
        bankrupt=said.bankrupt,
    )


def _sites(said: TakenPosition, catalog: Catalog, rules: Rules) -> tuple[Site, ...]:
    if said.sites is None:
        return first_sites(catalog, rules)
    return tuple(Site(site.space, said.sites[str(site.space)]) for site in first_sites(catalog, rules))
