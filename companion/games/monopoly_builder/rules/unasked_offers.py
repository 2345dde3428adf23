"""What a player may do at any moment: rents, mortgages, kept cards, trades, giving up."""

from collections.abc import Iterator

from companion.engine.game import Amount, Bag, Field, Offer, OneOf, Parts, SomeOf
from companion.games.monopoly_builder.rules.holdings import chips, free_cash
from companion.games.monopoly_builder.rules.kinds import UNIT, some
from companion.games.monopoly_builder.rules.moments import kept_verb
from companion.games.monopoly_builder.rules.state import Here


def unasked_offers(here: Here, player: str) -> Iterator[Offer]:
    """List what a player may do besides what the game waits for."""
    state, holder = here.state, here.state.player(player)
    owes = player in state.debtors
    if not state.debts and state.auction is None:
        for deed in sorted({claim.deed for claim in state.claims if claim.owner == player}):
            yield Offer("claim_rent", player, (("deed", deed),), urgency="possible")
    free = tuple(deed for deed in holder.deeds if deed not in holder.mortgaged)
    if free and (owes or state.rules.mortgage == "any_time"):
        yield Offer("mortgage", player, fields=(("deed", OneOf(free)),), urgency="due" if owes else "possible")
    if owes and not free:
        yield Offer("declare_bankrupt", player)
    if not owes:
        cash = free_cash(here, player)
        redeemed = tuple(deed for deed in holder.mortgaged if state.catalog.deed_of(deed).unmortgage <= cash)
        if redeemed:
            yield Offer("unmortgage", player, fields=(("deed", OneOf(redeemed)),), urgency="possible")
    yield from _cards(here, player)
    yield from _trades(here, player)


def _trades(here: Here, player: str) -> Iterator[Offer]:
    """Offer a trade with each other player; his hidden money is not asked for, for the offer would tell how much."""
    mine = _tradable(here, player, money=True)
    for other in here.state.others(player):
        theirs = _tradable(here, other, money=here.state.rules.money == "open")
        if mine or theirs:
            sides = (("give", Parts(mine)), ("get", Parts(theirs)))
            yield Offer("trade", player, (("with", other),), sides, "possible")


def _tradable(here: Here, player: str, *, money: bool) -> tuple[tuple[str, Field], ...]:
    """List what a player could give, kind by kind."""
    holder, cash = here.state.player(player), free_cash(here, player)
    jail_only = here.state.rules.trade_cards == "jail_only"
    cards = tuple(one for one in holder.cards if not jail_only or kept_verb(here.state, one) == "out_of_jail")
    held = tuple(some(chips(here, player)).items())
    found: list[tuple[str, Field]] = []
    if money and cash >= UNIT:
        found.append(("money", Amount(0, cash, UNIT)))
    if held:
        found.append(("chips", Bag(held, 0)))
    if holder.deeds:
        found.append(("deeds", SomeOf(holder.deeds, 0, len(holder.deeds))))
    if cards:
        found.append(("cards", SomeOf(cards, 0, len(cards))))
    return tuple(found)


def _cards(here: Here, player: str) -> Iterator[Offer]:
    state = here.state
    for card in state.player(player).cards:
        verb = kept_verb(state, card)
        if verb == "manual":
            yield Offer("play_chance", player, (("card", card),), urgency="possible")
        elif verb == "forced_trade" and (player == state.turn or state.rules.forced_trade == "any_time"):
            yield from _exchanges(here, player, card)


def _exchanges(here: Here, player: str, card: str) -> Iterator[Offer]:
    """Offer each chip of each other player for one of another kind."""
    mine = some(chips(here, player))
    for other in here.state.others(player):
        for kind in some(chips(here, other)):
            gives = tuple(one for one in mine if one != kind)
            if gives:
                named = (("card", card), ("from", other), ("take", kind))
                yield Offer("play_chance", player, named, (("give", OneOf(gives)),), "possible")
