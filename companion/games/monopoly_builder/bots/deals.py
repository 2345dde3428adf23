"""Deeds: what a bot buys, how far it bids, what it mortgages and lifts again."""

from companion.games.monopoly_builder.bots.chance_of import Lots
from companion.games.monopoly_builder.bots.traits import Traits
from companion.games.monopoly_builder.rules import commands as c
from companion.games.monopoly_builder.rules.auction import least_bid, under_the_hammer
from companion.games.monopoly_builder.rules.catalog import Deed
from companion.games.monopoly_builder.rules.holdings import cash, free_cash
from companion.games.monopoly_builder.rules.state import Here

RICH = 400
"""With so much above what it keeps a bot lifts a mortgage."""


def matters(here: Here, deed: Deed) -> bool:
    """Say whether a deed would make a set for somebody: for oneself, or for another who should not have it."""
    partner = next(one for one in here.state.catalog.set_of(deed.id) if one != deed.id)
    return here.state.owner_of(partner) is not None


def buying(here: Here, player: str, traits: Traits, lots: Lots) -> c.Command:
    """Buy what can be paid and leaves something in hand."""
    deed = here.state.catalog.deed_of(here.state.offered or "")
    left = free_cash(here, player) - deed.price
    keeps = 0 if matters(here, deed) else traits.reserve
    if left >= keeps and lots(100) >= traits.idle:
        return c.Buy(player)
    return c.Decline(player)


def bidding(here: Here, player: str, traits: Traits, lots: Lots) -> c.Command:
    """Bid the least that is possible, up to what the deed is worth."""
    auction = under_the_hammer(here.state)
    deed = here.state.catalog.deed_of(auction.deed)
    percent = traits.worth_of_set if matters(here, deed) else traits.worth
    most = min(deed.price * percent // 100, cash(here, player) - traits.reserve // 2)
    least = least_bid(auction)
    return c.Bid(player, least) if least <= most and lots(100) >= traits.idle // 2 else c.Pass(player)


def paying(here: Here, player: str) -> c.Command:
    """Mortgage the cheapest deed, as long as there is one; then give up."""
    holder = here.state.player(player)
    free = [deed for deed in holder.deeds if deed not in holder.mortgaged]
    if not free:
        return c.DeclareBankrupt(player)
    return c.Mortgage(player, min(free, key=lambda deed: here.state.catalog.deed_of(deed).rent))


def lifting(here: Here, player: str, traits: Traits) -> c.Command | None:
    """Lift a mortgage with money that is not needed."""
    for deed in here.state.player(player).mortgaged:
        price = here.state.catalog.deed_of(deed).unmortgage
        if free_cash(here, player) - price >= traits.reserve + RICH:
            return c.Unmortgage(player, deed)
    return None
