"""Going on with a game already begun at the table, and every fault of a position that does not hold together."""

from collections import Counter
from collections.abc import Iterator, Mapping

from companion.engine.game import Refused
from companion.game_api.corrections import described_faults
from companion.game_api.house_rules import chosen_rules, chosen_variants
from companion.game_api.seating import known_catalog, name_faults, player_name, require_seated, require_seats
from companion.games.monopoly_builder.rules.catalog import (
    BLOCKS,
    CHIPS_A_KIND,
    KINDS,
    MONEY,
    MOST_DOUBLES,
    MOST_TRIES,
    PENTHOUSE,
    UNIT,
    Catalog,
    full,
    some,
)
from companion.games.monopoly_builder.rules.commands import TakenPlayer, TakenPosition, TakeOver
from companion.games.monopoly_builder.rules.events import GameTakenOver
from companion.games.monopoly_builder.rules.house_rules import Rules
from companion.games.monopoly_builder.rules.setup import first_sites
from companion.games.monopoly_builder.rules.state import FEWEST, MOST, Building, Player, Site

# What cannot be in a position that is taken over: sums, ranges, cards in two places (section 8's invariants).


def position_faults(said: TakenPosition, catalog: Catalog, rules: Rules) -> Iterator[Refused]:
    """Find everything that is wrong."""
    yield from name_faults((seat.name, player) for player, seat in said.players.items())
    for player, taken_player in said.players.items():
        yield from _player_faults(player, taken_player, catalog)
    yield from _cards(said, catalog)
    yield from _chips(said, catalog)
    yield from _money(said)
    yield from _board(said, catalog)
    yield from _site_faults(said, catalog, rules)
    yield from _turn(said, rules)


def _player_faults(player: str, taken_player: TakenPlayer, catalog: Catalog) -> Iterator[Refused]:
    if taken_player.cash < 0 or taken_player.cash % UNIT:
        yield Refused("not_a_multiple", amount=taken_player.cash, least=0)
    if not 0 <= taken_player.space < len(catalog.spaces):
        yield Refused("unknown_space", space=taken_player.space)
    if taken_player.in_jail and taken_player.space != catalog.jail:
        yield Refused("jail_is_elsewhere", space=catalog.jail)
    if not 0 <= taken_player.tries <= (MOST_TRIES if taken_player.in_jail else 0):
        yield Refused("no_such_tries", tries=taken_player.tries)
    has_something = (
        taken_player.cash
        or any(taken_player.chips.values())
        or taken_player.deeds
        or taken_player.cards
        or taken_player.in_jail
    )
    if taken_player.bankrupt and has_something:
        yield Refused("bankrupt_has_something", player=player)
    deeds, times = {*taken_player.deeds}, Counter(taken_player.mortgaged)
    for deed in taken_player.mortgaged:
        if deed not in deeds or times[deed] > 1:
            yield Refused("not_held", card=deed, player=player)


def _cards(said: TakenPosition, catalog: Catalog) -> Iterator[Refused]:
    deeds = Counter(deed for player in said.players.values() for deed in player.deeds)
    cards = Counter(card for player in said.players.values() for card in player.cards)
    for deed, times in deeds.items():
        if catalog.deed(deed) is None:
            yield Refused("unknown_deed", card=deed)
        elif times > 1:
            yield Refused("in_two_places", card=deed)
    for card, times in cards.items():
        chance_card = catalog.chance(card)
        if chance_card is None:
            yield Refused("unknown_chance", card=card)
        elif not chance_card.keep:
            yield Refused("nobody_keeps_it", card=card)
        elif times > 1:
            yield Refused("in_two_places", card=card)
    unsold = sorted(deed.id for deed in catalog.deeds if deed.id not in deeds)
    if said.unsold is not None and sorted(said.unsold) != unsold:
        yield Refused("disagrees", field="unsold")
    if said.deck.chance not in (None, len(catalog.chances) - len(cards)):
        yield Refused("disagrees", field="deck")


def _chips(said: TakenPosition, catalog: Catalog) -> Iterator[Refused]:
    known_spaces = {str(number) for number in range(len(catalog.spaces))}
    for space in said.spaces:
        if space not in known_spaces:
            yield Refused("unknown_place", place=space)
    heaps: dict[str | int, Mapping[str, int]] = {player: taken.chips for player, taken in said.players.items()}
    heaps |= {int(space): lying for space, lying in said.spaces.items() if space in known_spaces}
    for place, heap in heaps.items():
        for kind, count in heap.items():
            if kind not in KINDS:
                yield Refused("unknown_kind", kind=kind)
            elif count < 0:
                yield Refused("not_so_many_chips", place=place, kind=kind, count=count, there=0)
    left = {kind: CHIPS_A_KIND - sum(heap.get(kind, 0) for heap in heaps.values()) for kind in KINDS}
    for kind, count in left.items():
        if count < 0:
            yield Refused("tray_is_short", kind=kind, count=CHIPS_A_KIND - count, there=CHIPS_A_KIND)
    if said.tray is not None and (full(said.tray) != left or set(said.tray) - set(KINDS)):
        yield Refused("disagrees", field="tray")


def _money(said: TakenPosition) -> Iterator[Refused]:
    bank = MONEY - sum(player.cash for player in said.players.values())
    if said.bank not in (None, bank):
        yield Refused("disagrees", field="bank")
    if said.money_in_play not in (None, MONEY):
        yield Refused("disagrees", field="money_in_play")


def _board(said: TakenPosition, catalog: Catalog) -> Iterator[Refused]:
    used: Counter[str] = Counter()
    for cell, taken_building in said.board.items():
        if cell not in catalog.foundation.cells:
            yield Refused("unknown_cell", cell=cell)
        if taken_building.owner not in said.players:
            yield Refused("unknown_player", player=taken_building.owner)
        if not 1 <= taken_building.height <= PENTHOUSE:
            yield Refused("no_such_height", height=taken_building.height, most=PENTHOUSE)
        used[taken_building.owner] += min(taken_building.height, PENTHOUSE - 1)
    for player, taken in said.players.items():
        if used[player] > BLOCKS:
            yield Refused("no_block_left", player=player)
        elif taken.blocks not in (None, BLOCKS - used[player]):
            yield Refused("disagrees", field="blocks")
    penthouses = sum(building.height == PENTHOUSE for building in said.board.values())
    if penthouses > (1 if said.phase == "finished" else 0):
        yield Refused("the_penthouse_stands")


def _site_faults(said: TakenPosition, catalog: Catalog, rules: Rules) -> Iterator[Refused]:
    if said.sites is None:
        if rules.deeds == "shuffled":
            yield from _face_down(said, frozenset())
        return
    printed = {str(site.space): site.deed for site in first_sites(catalog, rules)}
    deed_ids = {deed.id for deed in catalog.deeds}
    open_ = [deed for deed in said.sites.values() if deed is not None]
    strange = set(said.sites) != set(printed) or not set(open_) <= deed_ids or len(set(open_)) != len(open_)
    if strange or (rules.deeds == "beside" and dict(said.sites) != printed):
        yield Refused("disagrees", field="sites")
    yield from _face_down(said, frozenset(open_))


def _face_down(said: TakenPosition, turned_up: frozenset[str]) -> Iterator[Refused]:
    for taken_player in said.players.values():
        for deed in taken_player.deeds:
            if deed not in turned_up:
                yield Refused("face_down", card=deed)


def _turn(said: TakenPosition, rules: Rules) -> Iterator[Refused]:
    solvent = sum(not player.bankrupt for player in said.players.values())
    needed = 2 if rules.last_solvent == "ends" else 1
    if solvent < needed and said.phase != "finished":
        yield Refused("disagrees", field="phase", solvent=solvent, needed=needed)
    if said.players[said.turn].bankrupt and said.phase != "finished":  # type: ignore[index]  # a player, as was checked
        yield Refused("bankrupt", player=said.turn, turn=said.turn)
    if not 0 <= said.doubles <= MOST_DOUBLES:
        yield Refused("disagrees", field="doubles")
    if said.dice is not None and any(die not in range(1, 7) for die in said.dice):
        yield Refused("no_such_dice")
    if said.auction is not None or said.claims or said.debts:
        yield Refused("nothing_under_way")


# Going on with a game already begun at the table: whatever does not hold together is said in one refusal.


def taken_over(catalogs: Mapping[str, Catalog], command: TakeOver) -> GameTakenOver:
    """Check a position, and let the game go on with it; ``Refused`` names every fault."""
    said = command.position
    faults: list[Refused] = []
    try:
        catalog, rules = _setting(catalogs, said)
    except Refused as refused:
        raise Refused("position_faulty", faults=described_faults([refused])) from refused
    faults.extend(position_faults(said, catalog, rules))
    if faults:
        raise Refused("position_faulty", faults=described_faults(faults))
    return GameTakenOver(
        catalog_name=said.catalog,
        catalog=catalog,
        rules=rules,
        players=tuple(_player(player, taken_player) for player, taken_player in said.players.items()),
        turn=said.turn,
        sites=_sites(said, catalog, rules),
        stage=said.phase,
        dice=said.dice,
        doubles=0 if said.players[said.turn].in_jail else said.doubles,  # type: ignore[index]  # a player, as was checked
        board=tuple(Building(cell, building.owner, building.height) for cell, building in said.board.items()),
        money=MONEY,
        cash={player: taken_player.cash for player, taken_player in said.players.items()},
        chips_a_kind=CHIPS_A_KIND,
        chips={player: full(taken_player.chips) for player, taken_player in said.players.items()},
        on_spaces={space: some(chips) for space, chips in said.spaces.items()},
        reason=command.reason,
    )


def _setting(catalogs: Mapping[str, Catalog], said: TakenPosition) -> tuple[Catalog, Rules]:
    """Find out with what and by which rules; without that nothing else can be checked."""
    require_seats(list(said.players), FEWEST, MOST)
    require_seated(tuple(said.players), said.turn)
    chosen_variants((), said.variants)
    return known_catalog(catalogs, said.catalog), chosen_rules(Rules, said.rules)


def _player(player: str, said: TakenPlayer) -> Player:
    return Player(
        id=player,
        name=player_name(said.name, player),
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
