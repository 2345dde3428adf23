"""Offers: what a player may do now, in their turn and out of it."""

from collections.abc import Iterator, Sequence

from companion.engine.game import BANKER, Amount, Bag, Dice, Field, Offer, OneOf, Parts, SomeOf
from companion.games.monopoly_builder.rules.accounting import chips, count_of, free_cash, tray
from companion.games.monopoly_builder.rules.catalog import (
    BANK_RATE,
    JAIL_FEE,
    KINDS,
    LIMIT,
    MONEY,
    PENTHOUSE,
    UNIT,
    some,
    total,
)
from companion.games.monopoly_builder.rules.phases import expects, jail_cards, kept_verb, phase_of, waiting_for
from companion.games.monopoly_builder.rules.phases.chips import PARKING_CHIPS, cost
from companion.games.monopoly_builder.rules.phases.deeds import least_bid, may_raise, under_the_hammer
from companion.games.monopoly_builder.rules.state import GamePosition

# What the player on turn may do on a space and after it.


def act_offers(position: GamePosition, player: str) -> Iterator[Offer]:
    """List what may be done in phases ``steal``, ``parking`` and ``act``."""
    match phase_of(position.state):
        case "steal":
            for other in position.state.others(player):
                kinds = tuple(some(chips(position, other)))
                if kinds:
                    yield Offer("steal", player, (("from", other),), (("kind", OneOf(kinds)),))
        case "parking":
            yield from _parking(position, player)
            yield Offer("pass", player)
        case "act":
            yield Offer("end_turn", player)
            if "build" in expects(position.state):
                yield from _building(position, player)
            if "bank_trade" in expects(position.state):
                yield from _bank(position, player)
        case _:
            return


def _parking(position: GamePosition, player: str) -> Iterator[Offer]:
    """Offer each kind that the tray has, for two chips of other kinds."""
    mine, there = chips(position, player), some(tray(position))
    for kind in there:
        others = {other: count for other, count in some(mine).items() if other != kind}
        if total(others) >= PARKING_CHIPS:
            bag = Bag(tuple(others.items()), PARKING_CHIPS, PARKING_CHIPS)
            yield Offer("free_parking", player, (("get", kind),), (("give", bag),), "possible")


def _building(position: GamePosition, player: str) -> Iterator[Offer]:
    state, mine = position.state, chips(position, player)
    by_height: dict[int, list[str]] = {}
    for cell in state.catalog.foundation.cells:
        stands = state.building(cell)
        if stands is None or stands.owner == player:
            by_height.setdefault((stands.height if stands else 0) + 1, []).append(cell)
    for height, cells in sorted(by_height.items()):
        if height > PENTHOUSE or (height < PENTHOUSE and not state.blocks(player)):
            continue
        price = cost(state.catalog, height)
        if total(mine) < total(price) or any(mine[kind] < price.get(kind, 0) for kind in KINDS):
            continue
        bag = Bag(tuple(some(mine).items()), total(price), total(price))
        fields = (("cell", OneOf(tuple(cells))),)
        yield Offer("build", player, (), (*fields, ("chips", bag)) if price.get("any", 0) else fields, "possible")


def _bank(position: GamePosition, player: str) -> Iterator[Offer]:
    mine, there = chips(position, player), some(tray(position))
    for give, count in mine.items():
        gets = tuple(kind for kind in there if kind != give)
        if count >= BANK_RATE and gets:
            yield Offer("bank_trade", player, (("give", give),), (("get", OneOf(gets)),), "possible")


def _early_bank(position: GamePosition, player: str) -> Iterator[Offer]:
    """Offer trades with the bank before the roll, where the table has them in the whole turn (MO-D16)."""
    rules = position.state.rules
    if rules.bank_trade == "whole_turn" and (rules.jail_bank_trade or not position.state.player(player).in_jail):
        yield from _bank(position, player)


# What a player may do at any moment: rents, mortgages, kept cards, trades, giving up.


def unasked_offers(position: GamePosition, player: str) -> Iterator[Offer]:
    """List what a player may do besides what the game waits for."""
    state, holder = position.state, position.state.player(player)
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
        cash = free_cash(position, player)
        redeemed = tuple(deed for deed in holder.mortgaged if state.catalog.deed_of(deed).unmortgage <= cash)
        if redeemed:
            yield Offer("unmortgage", player, fields=(("deed", OneOf(redeemed)),), urgency="possible")
    yield from _cards(position, player)
    yield from _trades(position, player)


def _trades(position: GamePosition, player: str) -> Iterator[Offer]:
    """Offer a trade with each other player.

    Hidden money is asked for up to all that there is: any lower limit would tell how much somebody has.
    """
    mine, hidden = _tradable(position, player, free_cash(position, player)), position.state.money_is_hidden
    for other in position.state.others(player):
        theirs = _tradable(position, other, MONEY if hidden else free_cash(position, other))
        if mine or theirs:
            sides = (("give", Parts(mine)), ("get", Parts(theirs)))
            yield Offer("trade", player, (("with", other),), sides, "possible")


def _tradable(position: GamePosition, player: str, most: int) -> tuple[tuple[str, Field], ...]:
    """List what a player could give, kind by kind; ``most``: as much money can be named."""
    holder = position.state.player(player)
    jail_only = position.state.rules.trade_cards == "jail_only"
    cards = tuple(card for card in holder.cards if not jail_only or kept_verb(position.state, card) == "out_of_jail")
    chips_left = tuple(some(chips(position, player)).items())
    open_fields: list[tuple[str, Field]] = []
    if most >= UNIT:
        open_fields.append(("money", Amount(0, most, UNIT)))
    if chips_left:
        open_fields.append(("chips", Bag(chips_left, 0)))
    if holder.deeds:
        open_fields.append(("deeds", SomeOf(holder.deeds, 0, len(holder.deeds))))
    if cards:
        open_fields.append(("cards", SomeOf(cards, 0, len(cards))))
    return tuple(open_fields)


def _cards(position: GamePosition, player: str) -> Iterator[Offer]:
    state = position.state
    for card in state.player(player).cards:
        verb = kept_verb(state, card)
        if verb == "manual":
            yield Offer("play_chance", player, (("card", card),), urgency="possible")
        elif verb == "forced_trade" and (player == state.turn or state.rules.forced_trade == "any_time"):
            yield from _exchanges(position, player, card)


def _exchanges(position: GamePosition, player: str, card: str) -> Iterator[Offer]:
    """Offer each chip of each other player for one of another kind."""
    mine = some(chips(position, player))
    for other in position.state.others(player):
        for kind in some(chips(position, other)):
            gives = tuple(other for other in mine if other != kind)
            if gives:
                named = (("card", card), ("from", other), ("take", kind))
                yield Offer("play_chance", player, named, (("give", OneOf(gives)),), "possible")


# What a player may do now, as offers.


def offers(position: GamePosition, player: str) -> Sequence[Offer]:
    """List what a player may do now, first what the game waits for."""
    state = position.state
    if state.finished or state.player(player).bankrupt:
        return ()
    due = tuple(_due(position, player)) if _concerns(position, player) else ()
    return (*due, *_hammer(position, player), *unasked_offers(position, player))


def _concerns(position: GamePosition, player: str) -> bool:
    """Return whether what is under way is a player's business: who has passed may still raise."""
    return player in waiting_for(position.state) or may_raise(position, player)


def _due(position: GamePosition, player: str) -> Iterator[Offer]:
    state, phase = position.state, phase_of(position.state)
    match phase:
        case "discard":
            surplus = count_of(position, player) - LIMIT
            yield Offer("discard", player, fields=(("chips", _bag(chips(position, player), surplus)),))
            yield from _early_bank(position, player)
        case "roll":
            yield from _roll_offers(position, player)
            yield from _early_bank(position, player)
        case "turn_deed":
            unseen = {deed.id for deed in state.catalog.deeds} - {site.deed for site in state.sites}
            yield Offer("turn_deed", player, fields=(("deed", OneOf(tuple(sorted(unseen)))),))
        case "buy":
            if free_cash(position, player) >= state.catalog.deed_of(state.offered or "").price:
                yield Offer("buy", player)
            yield Offer("decline", player)
        case "auction":
            yield from _auction_offers(position, player)
        case "chance":
            free = tuple(card.id for card in state.catalog.chances if card.id not in state.kept)
            yield Offer("draw_chance", player, fields=(("card", OneOf(free)),))
        case "resources":
            yield Offer("roll_for_resources", player, fields=(("dice", Dice()),))
        case "take" | "return_chips":
            heap = tray(position) if phase == "take" else chips(position, player)
            yield Offer(phase, player, fields=(("chips", _bag(heap, state.choosers[0].count)),))
        case _:
            yield from act_offers(position, player)


def _roll_offers(position: GamePosition, player: str) -> Iterator[Offer]:
    yield Offer("roll", player, fields=(("dice", Dice()),))
    if not position.state.player(player).in_jail:
        return
    if free_cash(position, player) >= JAIL_FEE:
        yield Offer("leave_jail", player)
    for card in jail_cards(position.state, player):
        yield Offer("play_chance", player, (("card", card),))


def _auction_offers(position: GamePosition, player: str) -> Iterator[Offer]:
    auction = under_the_hammer(position.state)
    if may_raise(position, player):
        most = free_cash(position, player)
        bid: tuple[tuple[str, Field], ...] = (("amount", Amount(least_bid(auction), most - most % UNIT, UNIT)),)
        yield Offer("bid", player, fields=bid, urgency="due" if player in waiting_for(position.state) else "possible")
    if player in waiting_for(position.state):
        yield Offer("pass", player)


def _hammer(position: GamePosition, player: str) -> Iterator[Offer]:
    """Let the banker close the auction; listed once, with what the player on turn may do."""
    if phase_of(position.state) == "auction" and player == position.state.turn:
        yield Offer("hammer", BANKER, urgency="possible", addressed=False)


def _bag(heap: dict[str, int], count: int) -> Bag:
    return Bag(tuple(some(heap).items()), count, count)
