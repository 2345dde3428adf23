"""Money and chips in double entry: what each event moves, and what everybody holds."""

from collections.abc import Callable, Mapping
from typing import Any

from companion.engine.ledger import BANK, BOX, Posting, Transaction, player_account, transfer, transfer_postings
from companion.game_api.event_recorder import payment
from companion.game_api.messages import Event
from companion.games.monopoly_builder.rules import events as e
from companion.games.monopoly_builder.rules.catalog import KINDS, Chips, some, total
from companion.games.monopoly_builder.rules.commands import Bundle
from companion.games.monopoly_builder.rules.state import GamePosition

# Which money and chips an event moves, in double entry: the only page that does. Accounts are ``bank``,
# ``player:<id>`` and, for chips, ``tray`` and ``space:<n>``; chips are booked kind by kind.

TRAY = "tray"
ON_SPACE = "@space:"
"""In the name of an account of chips on a space, between their kind and the space's number."""


def space_account(space: int) -> str:
    """Return the account of the chips that lie on a space."""
    return f"space:{space}"


def cash_account(owner: str) -> str:
    """Return the account of a player's money, or the bank's."""
    return BANK if owner == BANK else player_account(owner)


def heap_account(place: str | int) -> str:
    """Return the account of chips with a player, in the tray (``bank``), or on a space by its number."""
    if isinstance(place, int):
        return space_account(place)
    return TRAY if place == BANK else player_account(place)


def account_for(event: Event) -> Transaction | None:
    """Return what an event moves; ``None``: nothing."""
    booked = BOOKED.get(type(event))
    return None if booked is None else booked(event)


def _moved(source: str, to: str, things: Chips) -> Transaction:
    return Transaction(transfer_postings(source, to, things))


def _from_tray(event: Any) -> Transaction:
    return _moved(TRAY, player_account(event.player), event.chips)


def _to_tray(event: Any) -> Transaction:
    return _moved(player_account(event.player), TRAY, event.chips)


def _swapped(mine: str, theirs: str, give: Chips, get: Chips) -> Transaction:
    return Transaction((*transfer_postings(mine, theirs, give), *transfer_postings(theirs, mine, get)))


def _forced(event: e.ChancePlayed) -> Transaction | None:
    if event.from_ is None or event.take is None or event.give is None:
        return None
    return _swapped(player_account(event.from_), player_account(event.player), {event.take: 1}, {event.give: 1})


def _left(event: e.WentBankrupt) -> Transaction:
    mine = player_account(event.player)
    money = transfer(mine, cash_account(event.creditor), event.amount).postings
    return Transaction((*money, *transfer_postings(mine, heap_account(event.creditor), event.chips)))


def _traded(event: e.Traded) -> Transaction:
    there, back = _handed(event.player, event.with_, event.give), _handed(event.with_, event.player, event.get)
    return Transaction((*there, *back))


def _handed(giver: str, taker: str, bundle: Bundle) -> tuple[Posting, ...]:
    source, to = player_account(giver), player_account(taker)
    money = transfer(source, to, bundle.money).postings if bundle.money else ()
    return (*money, *transfer_postings(source, to, bundle.chips))


def _dealt(event: e.GameStarted | e.GameTakenOver) -> Transaction:
    """Return what empties the box: the bank's money and the chips, and from them what players have."""
    out = [Posting(BOX, -event.money), Posting(BANK, event.money)]
    out += transfer_postings(BOX, TRAY, dict.fromkeys(KINDS, event.chips_a_kind))
    if isinstance(event, e.GameStarted):
        for own in event.own:
            out += transfer(BANK, player_account(own.player), event.cash).postings
            out += transfer_postings(TRAY, player_account(own.player), {own.kind: event.chips})
        return Transaction(tuple(out))
    for player, cash in event.cash.items():
        out += transfer(BANK, player_account(player), cash).postings
        out += transfer_postings(TRAY, player_account(player), event.chips[player])
    for space, chips in event.on_spaces.items():
        out += transfer_postings(TRAY, space_account(int(space)), chips)
    return Transaction(tuple(out))


BOOKED: Mapping[type, Callable[[Any], Transaction | None]] = {
    e.GameStarted: _dealt,
    e.GameTakenOver: _dealt,
    e.GoPassed: payment(BANK, "player", "amount"),
    e.MoneyReceived: payment(BANK, "player", "amount"),
    e.DeedMortgaged: payment(BANK, "player", "amount"),
    e.DeedBought: payment("player", BANK, "price"),
    e.DeedSold: payment("player", BANK, "price"),
    e.DeedRedeemed: payment("player", BANK, "amount", if_any=True),
    e.Freed: payment("player", BANK, "fee", if_any=True),
    e.DebtPaid: payment("debtor", "creditor", "amount"),
    e.MoneyCorrected: payment("from_", "to", "amount"),
    e.WentBankrupt: _left,
    e.ChipsGathered: _from_tray,
    e.ChipsChosen: lambda event: _from_tray(event) if event.what == "take" else _to_tray(event),
    e.ChipsReturned: _to_tray,
    e.FloorBuilt: _to_tray,
    e.ChipsDiscarded: lambda event: _moved(player_account(event.player), space_account(event.space), event.chips),
    e.ChipsPicked: lambda event: _moved(space_account(event.space), player_account(event.player), event.chips),
    e.ChipsCorrected: lambda event: _moved(
        heap_account(event.from_), heap_account(event.to), {event.kind: event.count}
    ),
    e.ChipStolen: lambda event: _moved(player_account(event.from_), player_account(event.player), {event.kind: 1}),
    e.ParkingTraded: lambda event: _swapped(player_account(event.player), TRAY, event.give, {event.get: 1}),
    e.BankTraded: lambda event: _swapped(player_account(event.player), TRAY, {event.give: event.count}, {event.get: 1}),
    e.ChancePlayed: _forced,
    e.Traded: _traded,
}
"""How each event is booked; two thirds of all events move nothing."""


# What players, the tray and the spaces hold, read from the ledger.


def cash(position: GamePosition, player: str) -> int:
    """Return what money a player has."""
    return position.ledger.balance(player_account(player))


def free_cash(position: GamePosition, player: str) -> int:
    """Return what money a player may spend: what they have, less the bid that they lead with."""
    auction = position.state.auction
    bound = auction.bid if auction is not None and auction.leader == player else None
    return cash(position, player) - (bound or 0)


def chips(position: GamePosition, player: str) -> dict[str, int]:
    """Count a player's chips, kind by kind."""
    return _heap(position, player_account(player))


def chips_at(position: GamePosition, place: str | int) -> dict[str, int]:
    """Return the number of chips of a player, the tray (``bank``), or a space by its number."""
    return _heap(position, heap_account(place))


def tray(position: GamePosition) -> dict[str, int]:
    """Return the number of chips of the bank."""
    return _heap(position, TRAY)


def on_spaces(position: GamePosition) -> dict[int, dict[str, int]]:
    """Return the chips that lie on spaces: one look at the ledger, for there are many spaces."""
    moved_by_kind: dict[int, dict[str, int]] = {}
    for account, count in position.ledger.balances:
        if ON_SPACE in account:
            kind, _, number = account.partition(ON_SPACE)
            moved_by_kind.setdefault(int(number), {})[kind] = count
    return {number: some(moved_by_kind[number]) for number in sorted(moved_by_kind)}


def count_of(position: GamePosition, player: str) -> int:
    """Count a player's chips."""
    return total(chips(position, player))


def _heap(position: GamePosition, account: str) -> dict[str, int]:
    return {kind: position.ledger.balance(account, kind) for kind in KINDS}
