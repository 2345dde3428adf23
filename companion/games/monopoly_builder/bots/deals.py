"""Deals of the bots: the traits of each strength, auctions and trades."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from companion.engine.game import NumberSource
from companion.game_api.messages import Command
from companion.games.monopoly_builder.rules import commands as c
from companion.games.monopoly_builder.rules.accounting import cash, free_cash
from companion.games.monopoly_builder.rules.catalog import Deed
from companion.games.monopoly_builder.rules.phases.deeds import least_bid, under_the_hammer
from companion.games.monopoly_builder.rules.state import GamePosition

# What sets the three strengths apart.


@dataclass(frozen=True, slots=True)
class Traits:
    """How a bot plays: ``reserve`` M it keeps, ``worth`` percent of a price that it bids for a deed, and for a set.

    ``idle`` times of a hundred it lets a good chance go; ``trades``: whether it swaps chips; ``climbs``: whether it
    builds upwards, and ends the game only when that wins.
    """

    reserve: int
    worth: int
    worth_of_set: int
    idle: int
    trades: bool
    climbs: bool


STRENGTHS: dict[str, Traits] = {
    "random": Traits(reserve=0, worth=60, worth_of_set=60, idle=50, trades=False, climbs=False),
    "middle": Traits(reserve=150, worth=80, worth_of_set=110, idle=10, trades=True, climbs=False),
    "strong": Traits(reserve=80, worth=100, worth_of_set=160, idle=0, trades=True, climbs=True),
}
"""The weakest first."""


# How bots draw: numbers from outside, and choices made with them.

T = TypeVar("T")


def draw_from(lots: NumberSource, values: Sequence[T]) -> T:
    """Draw one of several."""
    return values[lots(len(values))]


def dice(lots: NumberSource) -> tuple[int, int]:
    """Roll two dice."""
    return 1 + lots(6), 1 + lots(6)


# Deeds: what a bot buys, how far it bids, what it mortgages and lifts again.

RICH = 400
"""Money above what a bot keeps, in M, with which it lifts a mortgage."""


def matters(position: GamePosition, deed: Deed) -> bool:
    """Return whether a deed would make a set for somebody: for oneself, or for another who should not have it."""
    partner = next(other for other in position.state.catalog.set_of(deed.id) if other != deed.id)
    return position.state.owner_of(partner) is not None


def buying(position: GamePosition, player: str, traits: Traits, lots: NumberSource) -> Command:
    """Buy what can be paid and leaves something in hand."""
    deed = position.state.catalog.deed_of(position.state.offered or "")
    left = free_cash(position, player) - deed.price
    keeps = 0 if matters(position, deed) else traits.reserve
    if left >= keeps and lots(100) >= traits.idle:
        return c.Buy(player)
    return c.Decline(player)


def bidding(position: GamePosition, player: str, traits: Traits, lots: NumberSource) -> Command:
    """Bid the least that is possible, up to what the deed is worth."""
    auction = under_the_hammer(position.state)
    deed = position.state.catalog.deed_of(auction.deed)
    percent = traits.worth_of_set if matters(position, deed) else traits.worth
    most = min(deed.price * percent // 100, cash(position, player) - traits.reserve // 2)
    least = least_bid(auction)
    return c.Bid(player, least) if least <= most and lots(100) >= traits.idle // 2 else c.Pass(player)


def paying(position: GamePosition, player: str) -> Command:
    """Mortgage the cheapest deed, as long as there is one; then give up."""
    holder = position.state.player(player)
    free = [deed for deed in holder.deeds if deed not in holder.mortgaged]
    if not free:
        return c.DeclareBankrupt(player)
    return c.Mortgage(player, min(free, key=lambda deed: position.state.catalog.deed_of(deed).rent))


def lifting(position: GamePosition, player: str, traits: Traits) -> Command | None:
    """Lift a mortgage with money that is not needed."""
    for deed in position.state.player(player).mortgaged:
        price = position.state.catalog.deed_of(deed).unmortgage
        if free_cash(position, player) - price >= traits.reserve + RICH:
            return c.Unmortgage(player, deed)
    return None
