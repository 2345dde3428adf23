"""Faults in rounds and decks, and what they leave to be reckoned."""

from collections.abc import Iterator

from companion.engine.errors import Refused
from companion.games.master_builder.rules.catalog import Catalog
from companion.games.master_builder.rules.seats import FEWEST, UNNAMED, sound_name
from companion.games.master_builder.rules.setup import BOXED_WITH_TWO, ECONOMY_DECK, EVENT_HAND
from companion.games.master_builder.rules.state import LAST_ROUND
from companion.games.master_builder.rules.take_over.cards import seen_contracts
from companion.games.master_builder.rules.take_over.setting import Setting
from companion.games.master_builder.rules.taken_position import TakenPosition

HAND = "selective_events"


def contracts_in_game(catalog: Catalog, players: int) -> int:
    """Say how many contracts are played with: with two players some stay in the box."""
    all_of_them = len(catalog.contracts)
    return all_of_them - BOXED_WITH_TWO if players == FEWEST else all_of_them


def economy_left(said: TakenPosition) -> int:
    """Say how many economic situations lie face down: as given, else by those turned, else by the round."""
    if said.deck.economy is not None:
        return said.deck.economy
    if said.turned.economy:
        return ECONOMY_DECK - len(said.turned.economy)
    to_come = said.phase == "hire" or (said.phase == "contracts" and said.economy_due is not False)
    return max(0, ECONOMY_DECK - max(0, said.round - (2 if to_come else 1)))


def last_round(said: TakenPosition, setting: Setting) -> int:
    """Say which round is the last: as given, else the sixth."""
    del setting
    return LAST_ROUND if said.last_round is None else said.last_round


def round_faults(said: TakenPosition, setting: Setting) -> Iterator[Refused]:
    """Name faults in the round, in names and in hands of events."""
    if not 1 <= said.round <= LAST_ROUND:
        yield Refused("no_such_round", round=said.round, last=LAST_ROUND)
    elif not said.round <= last_round(said, setting) <= LAST_ROUND:
        yield Refused("last_round_cannot_be", last=last_round(said, setting), round=said.round)
    elif said.last_round is None and _nothing_left(said, setting):
        yield Refused("say_the_last_round")
    for player, one in said.players.items():
        if one.name != UNNAMED:
            try:
                sound_name(one.name)
            except Refused as refused:
                yield refused
        most = EVENT_HAND if HAND in setting.variants else 0
        if one.event_hand is not None and not 0 <= one.event_hand <= most:
            yield Refused("event_hand_cannot_be", player=player, count=one.event_hand, largest=most)


def _nothing_left(said: TakenPosition, setting: Setting) -> bool:
    """Say whether the end has come near already, so that nobody but the table knows which round is the last."""
    gone = len(seen_contracts(said)) >= contracts_in_game(setting.catalog, len(setting.seats)) and not said.display
    counts = setting.rules.removed_counts_for_end or not said.removed
    return gone and counts and said.round < LAST_ROUND and said.phase not in {"contracts", "finished"}


def deck_faults(said: TakenPosition, setting: Setting) -> Iterator[Refused]:
    """Name faults in how many cards are left."""
    seen, playing = len(seen_contracts(said)), contracts_in_game(setting.catalog, len(setting.seats))
    if seen > playing:
        yield Refused("more_contracts_than_there_are", count=seen, playing=playing)
    left = economy_left(said)
    if not 0 <= left <= ECONOMY_DECK - len(said.turned.economy):
        yield Refused("economy_deck_cannot_be", count=left, turned=len(said.turned.economy), playing=ECONOMY_DECK)
