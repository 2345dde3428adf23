"""Faults in where cards lie: unknown ones, one in two places, buildings that could not stand so."""

from collections import defaultdict
from collections.abc import Iterator

from companion.engine.errors import Refused
from companion.games.master_builder.rules.building import regulations, section_names, unsound
from companion.games.master_builder.rules.effects import ALL_SECTIONS
from companion.games.master_builder.rules.take_over.setting import Setting
from companion.games.master_builder.rules.taken_position import TakenPlayer, TakenPosition

ROUND_1_MOST = 2


def seen_contracts(said: TakenPosition) -> tuple[str, ...]:
    """List every contract that has come up: before players, on display, out of the game."""
    before_players = [card for one in said.players.values() for card in (*one.contracts, *one.completed)]
    return tuple(sorted({*before_players, *said.display, *said.removed}))


def card_faults(said: TakenPosition, setting: Setting) -> Iterator[Refused]:
    """Name every fault in where cards lie."""
    yield from _unknown(said, setting)
    yield from _twice(said)
    for player, one in said.players.items():
        for worker in one.unavailable:
            if worker not in one.workers:
                yield Refused("not_your_worker", player=player, card=worker)
        if said.round == 1 and len(one.contracts) + len(one.completed) > ROUND_1_MOST:
            yield Refused("two_contracts_in_round_1", player=player)
        yield from _buildings(said, setting, player, one)


def _unknown(said: TakenPosition, setting: Setting) -> Iterator[Refused]:
    """Name cards that this deck has not."""
    catalog = setting.catalog
    workers = [card for one in said.players.values() for card in (*one.workers, *one.unavailable)]
    known = {card.id for card in catalog.workers}
    yield from (Refused("unknown_worker", card=card) for card in sorted({*workers} - known))
    known = {card.id for card in catalog.contracts}
    yield from (Refused("unknown_contract", card=card) for card in seen_contracts(said) if card not in known)
    events = {*said.turned.events, *((said.event.card,) if said.event else ())}
    known = {card.id for card in catalog.events}
    yield from (Refused("unknown_event", card=card) for card in sorted(events - known))
    known = {card.id for card in catalog.economy}
    yield from (Refused("unknown_economy", card=card) for card in sorted({*said.turned.economy} - known))


def _twice(said: TakenPosition) -> Iterator[Refused]:
    """Name cards that would lie in two places."""
    places: defaultdict[str, list[str]] = defaultdict(list)
    for player, one in said.players.items():
        for card in (*one.workers, *one.contracts, *one.completed):
            places[card].append(player)
    for card in said.display:
        places[card].append("display")
    for card in said.removed:
        places[card].append("removed")
    for card, there in sorted(places.items()):
        if len(there) > 1:
            yield Refused("in_two_places", card=card, places=tuple(there))
    for cards in (said.turned.economy, said.turned.events):
        if len(set(cards)) != len(cards):
            yield Refused("named_twice", cards=tuple(sorted({card for card in cards if cards.count(card) > 1})))


def _buildings(said: TakenPosition, setting: Setting, player: str, one: TakenPlayer) -> Iterator[Refused]:
    """Name buildings that could not stand so, or stand where only begun ones do."""
    for contract, built in one.contracts.items():
        card = setting.contract(contract)
        if card is None:
            continue
        strange = sorted({*built} - {*section_names(card.kind)})
        yield from (Refused("no_such_section", card=contract, section=section) for section in strange)
        if len(set(built)) != len(built):
            yield Refused("section_twice", card=contract)
        if strange:
            continue
        rule = unsound(card.kind, built, regulations(setting.rules))
        if rule:
            yield Refused(rule, card=contract)
        if len(set(built)) == ALL_SECTIONS and said.phase != "income":
            yield Refused("finished_but_unpaid", player=player, card=contract)
