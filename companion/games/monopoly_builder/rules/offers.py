"""What a player may do now, as offers."""

from collections.abc import Iterator, Sequence

from companion.engine.game import BANKER, Amount, Bag, Dice, Field, Offer, OneOf
from companion.games.monopoly_builder.rules.auction import least_bid, may_raise, under_the_hammer
from companion.games.monopoly_builder.rules.holdings import chips, count_of, free_cash, tray
from companion.games.monopoly_builder.rules.kinds import JAIL_FEE, LIMIT, UNIT, some
from companion.games.monopoly_builder.rules.moments import jail_cards, phase_of, waiting_for
from companion.games.monopoly_builder.rules.state import Here
from companion.games.monopoly_builder.rules.turn_offers import act_offers
from companion.games.monopoly_builder.rules.unasked_offers import unasked_offers


def offers(here: Here, player: str) -> Sequence[Offer]:
    """List what a player may do now, first what the game waits for."""
    state = here.state
    if state.finished or state.player(player).bankrupt:
        return ()
    due = tuple(_due(here, player)) if _concerns(here, player) else ()
    return (*due, *_hammer(here, player), *unasked_offers(here, player))


def _concerns(here: Here, player: str) -> bool:
    """Say whether what is under way is a player's business: who has passed may still raise."""
    return player in waiting_for(here.state) or may_raise(here, player)


def _due(here: Here, player: str) -> Iterator[Offer]:
    state, phase = here.state, phase_of(here.state)
    match phase:
        case "discard":
            surplus = count_of(here, player) - LIMIT
            yield Offer("discard", player, fields=(("chips", _bag(chips(here, player), surplus)),))
        case "roll":
            yield from _roll_offers(here, player)
        case "turn_deed":
            unseen = {deed.id for deed in state.catalog.deeds} - {site.deed for site in state.sites}
            yield Offer("turn_deed", player, fields=(("deed", OneOf(tuple(sorted(unseen)))),))
        case "buy":
            if free_cash(here, player) >= state.catalog.deed_of(state.offered or "").price:
                yield Offer("buy", player)
            yield Offer("decline", player)
        case "auction":
            yield from _auction_offers(here, player)
        case "chance":
            free = tuple(card.id for card in state.catalog.chances if card.id not in state.kept)
            yield Offer("draw_chance", player, fields=(("card", OneOf(free)),))
        case "resources":
            yield Offer("roll_for_resources", player, fields=(("dice", Dice()),))
        case "take" | "return_chips":
            heap = tray(here) if phase == "take" else chips(here, player)
            yield Offer(phase, player, fields=(("chips", _bag(heap, state.choosers[0].count)),))
        case _:
            yield from act_offers(here, player)


def _roll_offers(here: Here, player: str) -> Iterator[Offer]:
    yield Offer("roll", player, fields=(("dice", Dice()),))
    if not here.state.player(player).in_jail:
        return
    if free_cash(here, player) >= JAIL_FEE:
        yield Offer("leave_jail", player)
    for card in jail_cards(here.state, player):
        yield Offer("play_chance", player, (("card", card),))


def _auction_offers(here: Here, player: str) -> Iterator[Offer]:
    auction = under_the_hammer(here.state)
    if may_raise(here, player):
        most = free_cash(here, player)
        bid: tuple[tuple[str, Field], ...] = (("amount", Amount(least_bid(auction), most - most % UNIT, UNIT)),)
        yield Offer("bid", player, fields=bid, urgency="due" if player in waiting_for(here.state) else "possible")
    if player in waiting_for(here.state):
        yield Offer("pass", player)


def _hammer(here: Here, player: str) -> Iterator[Offer]:
    """Let the banker close the auction; listed once, with what the player on turn may do."""
    if phase_of(here.state) == "auction" and player == here.state.turn:
        yield Offer("hammer", BANKER, urgency="possible", addressed=False)


def _bag(heap: dict[str, int], count: int) -> Bag:
    return Bag(tuple(some(heap).items()), count, count)
