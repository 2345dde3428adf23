"""Faults of a position that is taken over."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from companion.engine.game import BANKER, Detail, Refused
from companion.game_api.seating import name_faults
from companion.games.master_builder.rules.building import regulations, section_names, unsound
from companion.games.master_builder.rules.catalog import Catalog, ContractCard
from companion.games.master_builder.rules.commands import TakenPlayer, TakenPosition
from companion.games.master_builder.rules.effects import ALL_SECTIONS
from companion.games.master_builder.rules.house_rules import Rules
from companion.games.master_builder.rules.loans import IOUS
from companion.games.master_builder.rules.phases.contracts import PREMIUM
from companion.games.master_builder.rules.setup import BOXED_WITH_TWO, MONEY
from companion.games.master_builder.rules.state import (
    ECONOMY_DECK,
    EVENT_HAND,
    FEWEST,
    LAST_ROUND,
    THOUSAND,
    GamePosition,
)
from companion.games.master_builder.rules.view import view


@dataclass(frozen=True, slots=True)
class GameSetup:
    """Cards, rules, variants, and the players clockwise as they sit."""

    catalog: Catalog
    rules: Rules
    variants: tuple[str, ...]
    seats: tuple[str, ...]

    def contract(self, card: str) -> ContractCard | None:
        """Find a contract's card; ``None``: there is none of that id."""
        return next((contract for contract in self.catalog.contracts if contract.id == card), None)

    def printed_wage(self, card: str) -> int:
        """Return the printed wage of a worker who was found in the catalog, in dollars."""
        return next(worker.wage for worker in self.catalog.workers if worker.id == card)


# What follows from the rest of a position must be said as it follows.

DERIVED = ("on_contracts", "money_in_play", "wage_limit", "loans_late", "finished", "reveal_due", "economy_due")
IN_ANY_ORDER = ("waiting_for", "expects", "planned", "declined")


def disagreements(said: TakenPosition, position: GamePosition) -> Iterator[Refused]:
    """Return each figure that was given, though it follows otherwise."""
    shown = view(position, BANKER)
    for field, given, follows in _pairs(said, shown):
        if given is not None and given != follows:
            yield Refused("disagrees", field=field, said=_described(given), follows=_described(follows))


def _pairs(said: TakenPosition, shown: dict[str, Any]) -> Iterator[tuple[str, object, object]]:
    for name in DERIVED:
        yield name, getattr(said, name), shown.get(name)
    for name in IN_ANY_ORDER:
        given = getattr(said, name)
        yield name, None if given is None else sorted(given), sorted(shown.get(name, ()))
    yield "deck.contracts", said.deck.contracts, shown["deck"]["contracts"]
    if said.hire is not None:
        yield "hire.laps", said.hire.laps, shown["hire"]["laps"]
    for player, taken_player in said.players.items():
        for name in ("wages", "owes"):
            yield f"players.{player}.{name}", getattr(taken_player, name), shown["players"][player][name]
    if said.standings is not None:
        yield "standings", [dict(line) for line in said.standings], shown["standings"] or []


def _described(value: object) -> Detail:
    """Write a figure for a sentence."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int):
        return value
    return str(value)


# Faults in where cards lie: unknown ones, one in two places, buildings that could not stand so.

ROUND_1_MOST = 2


def seen_contracts(said: TakenPosition) -> tuple[str, ...]:
    """List every contract that has come up: before players, on display, out of the game."""
    before_players = [card for player in said.players.values() for card in (*player.contracts, *player.completed)]
    return tuple(sorted({*before_players, *said.display, *said.removed}))


def card_faults(said: TakenPosition, setting: GameSetup) -> Iterator[Refused]:
    """Return every fault in where cards lie."""
    yield from _unknown(said, setting)
    yield from _twice(said)
    for player, taken_player in said.players.items():
        employed = {*taken_player.workers}
        for worker in taken_player.unavailable:
            if worker not in employed:
                yield Refused("not_your_worker", player=player, card=worker)
        if said.round == 1 and len(taken_player.contracts) + len(taken_player.completed) > ROUND_1_MOST:
            yield Refused("two_contracts_in_round_1", player=player)
        yield from _buildings(said, setting, player, taken_player)


def _unknown(said: TakenPosition, setting: GameSetup) -> Iterator[Refused]:
    """Return cards that this deck has not."""
    catalog = setting.catalog
    workers = [card for player in said.players.values() for card in (*player.workers, *player.unavailable)]
    worker_ids = {card.id for card in catalog.workers}
    yield from (Refused("unknown_worker", card=card) for card in sorted({*workers} - worker_ids))
    worker_ids = {card.id for card in catalog.contracts}
    yield from (Refused("unknown_contract", card=card) for card in seen_contracts(said) if card not in worker_ids)
    events = {*said.turned.events, *((said.event.card,) if said.event else ())}
    worker_ids = {card.id for card in catalog.events}
    yield from (Refused("unknown_event", card=card) for card in sorted(events - worker_ids))
    worker_ids = {card.id for card in catalog.economy}
    yield from (Refused("unknown_economy", card=card) for card in sorted({*said.turned.economy} - worker_ids))


def _twice(said: TakenPosition) -> Iterator[Refused]:
    """Return cards that would lie in two places."""
    places: defaultdict[str, list[str]] = defaultdict(list)
    for player, taken_player in said.players.items():
        for card in (*taken_player.workers, *taken_player.contracts, *taken_player.completed):
            places[card].append(player)
    for card in said.display:
        places[card].append("display")
    for card in said.removed:
        places[card].append("removed")
    for card, there in sorted(places.items()):
        if len(there) > 1:
            yield Refused("in_two_places", card=card, places=tuple(there))
    for cards in (said.turned.economy, said.turned.events):
        twice = sorted(card for card, times in Counter(cards).items() if times > 1)
        if twice:
            yield Refused("named_twice", cards=tuple(twice))


def _buildings(said: TakenPosition, setting: GameSetup, player: str, taken_player: TakenPlayer) -> Iterator[Refused]:
    """Return buildings that could not stand so, or stand where only begun ones do."""
    for contract, built in taken_player.contracts.items():
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


# Faults in rounds and decks, and what they leave to be reckoned.

HAND = "selective_events"


def contracts_in_game(catalog: Catalog, players: int) -> int:
    """Return how many contracts are played with: with two players some stay in the box."""
    all_of_them = len(catalog.contracts)
    return all_of_them - BOXED_WITH_TWO if players == FEWEST else all_of_them


def economy_left(said: TakenPosition) -> int:
    """Return how many economic situations lie face down: as given, else by those turned, else by the round."""
    if said.deck.economy is not None:
        return said.deck.economy
    if said.turned.economy:
        return ECONOMY_DECK - len(said.turned.economy)
    to_come = said.phase == "hire" or (said.phase == "contracts" and said.economy_due is not False)
    return max(0, ECONOMY_DECK - max(0, said.round - (2 if to_come else 1)))


def last_round(said: TakenPosition, setting: GameSetup) -> int:
    """Return which round is the last: as given, else the sixth."""
    del setting
    return LAST_ROUND if said.last_round is None else said.last_round


def round_faults(said: TakenPosition, setting: GameSetup) -> Iterator[Refused]:
    """Return faults in the round, in names and in hands of events."""
    if not 1 <= said.round <= LAST_ROUND:
        yield Refused("no_such_round", round=said.round, last=LAST_ROUND)
    elif not said.round <= last_round(said, setting) <= LAST_ROUND:
        yield Refused("last_round_cannot_be", last=last_round(said, setting), round=said.round)
    elif said.last_round is None and nothing_left(said, setting):
        yield Refused("say_the_last_round")
    yield from name_faults((seat.name, player.capitalize()) for player, seat in said.players.items())
    for player, taken_player in said.players.items():
        most = EVENT_HAND if HAND in setting.variants else 0
        if taken_player.event_hand is not None and not 0 <= taken_player.event_hand <= most:
            yield Refused("event_hand_cannot_be", player=player, count=taken_player.event_hand, largest=most)


def nothing_left(said: TakenPosition, setting: GameSetup) -> bool:
    """Return whether the end has come near already, so that nobody but the table knows which round is the last.

    In phase 2 as well: the last contract left in this round or in an earlier one.
    """
    gone = len(seen_contracts(said)) >= contracts_in_game(setting.catalog, len(setting.seats)) and not said.display
    counts = setting.rules.removed_counts_for_end or not said.removed
    return gone and counts and said.round < LAST_ROUND and said.phase != "finished"


def deck_faults(said: TakenPosition, setting: GameSetup) -> Iterator[Refused]:
    """Return faults in how many cards are left."""
    seen, playing = len(seen_contracts(said)), contracts_in_game(setting.catalog, len(setting.seats))
    if seen > playing:
        yield Refused("more_contracts_than_there_are", count=seen, playing=playing)
    left = economy_left(said)
    if not 0 <= left <= ECONOMY_DECK - len(said.turned.economy):
        yield Refused("economy_deck_cannot_be", count=left, turned=len(said.turned.economy), playing=ECONOMY_DECK)


# Faults in money, wages and loans.


def money_faults(said: TakenPosition, setting: GameSetup) -> Iterator[Refused]:
    """Return every fault in what players hold, owe and pay, and in what lies on contracts."""
    for player, taken_player in said.players.items():
        if not _in_notes(taken_player.cash):
            yield Refused("cash_cannot_be", player=player, amount=taken_player.cash)
        if taken_player.loans.small < 0 or taken_player.loans.large < 0:
            yield Refused("loans_cannot_be", player=player)
    for card, lying in said.display.items():
        if lying not in (0, PREMIUM):
            yield Refused("premium_cannot_be", card=card, amount=lying, premium=PREMIUM)
    if (
        setting.rules.iou_supply == "limited"
        and sum(player.loans.large for player in said.players.values()) > IOUS["large"]
    ):
        yield Refused("loan_sold_out", loan="large")
    yield from _sum_faults(said)
    yield from _wage_faults(said, setting)


def _in_notes(amount: int) -> bool:
    return amount >= 0 and amount % THOUSAND == 0


def held_money(said: TakenPosition) -> int:
    """Add up what lies before players and on contracts, in dollars."""
    return sum(player.cash for player in said.players.values()) + sum(said.display.values())


def _sum_faults(said: TakenPosition) -> Iterator[Refused]:
    """Compare what is held with the notes of the box; what the bank holds follows, or was counted too."""
    money_taken = held_money(said)
    if said.bank is not None and said.bank + money_taken != MONEY:
        yield Refused(
            "money_does_not_add_up",
            money=MONEY,
            amount=said.bank + money_taken,
            missing=abs(MONEY - money_taken - said.bank),
        )
    if said.bank is None and money_taken > MONEY:
        yield Refused("more_money_than_in_the_box", money=MONEY, amount=money_taken)


def _wage_faults(said: TakenPosition, setting: GameSetup) -> Iterator[Refused]:
    employed = {worker for player in said.players.values() for worker in player.workers}
    worker_ids = {card.id for card in setting.catalog.workers}
    for worker in sorted({*said.workers, *said.round_wages}):
        if worker not in employed or worker not in worker_ids:
            yield Refused("wage_of_nobody", card=worker)
            continue
        extra = said.round_wages.get(worker, 0)
        due = said.workers.get(worker, setting.printed_wage(worker) + extra)
        if not (_in_notes(due) and _in_notes(due - extra)):
            yield Refused("wage_cannot_be", card=worker, wage=due)


# What a position leaves in the box, while somebody is still entering it.


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
        wages={
            player: sum(printed.get(worker, 0) for worker in taken_player.workers)
            for player, taken_player in said.players.items()
        },
    )
