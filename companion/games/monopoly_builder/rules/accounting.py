"""Money and chips in double entry: what each event moves, and what everybody holds."""

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias, get_args

from companion.engine.ledger import BANK, BOX, Posting, Transaction, player_account, transfer, transfer_postings
from companion.game_api.messages import Event
from companion.games.monopoly_builder.rules import events as e
from companion.games.monopoly_builder.rules.catalog import KINDS, some, total
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


MoneyEvent: TypeAlias = (
    e.GameStarted
    | e.GameTakenOver
    | e.GoPassed
    | e.MoneyReceived
    | e.DeedMortgaged
    | e.DeedBought
    | e.DeedSold
    | e.DeedRedeemed
    | e.Freed
    | e.DebtPaid
    | e.MoneyCorrected
    | e.WentBankrupt
)
ChipsEvent: TypeAlias = (
    e.ChipsGathered
    | e.ChipsChosen
    | e.ChipsReturned
    | e.FloorBuilt
    | e.ChipsDiscarded
    | e.ChipsPicked
    | e.ChipsCorrected
)
Exchange: TypeAlias = e.ChipStolen | e.ParkingTraded | e.BankTraded | e.ChancePlayed | e.Traded


def account_for(event: Event) -> Transaction | None:
    """Return what an event moves; ``None``: nothing."""
    booked = _BOOKED.get(type(event))
    return None if booked is None else booked(event)


def _money(event: MoneyEvent) -> Transaction | None:
    match event:
        case e.GameStarted() | e.GameTakenOver():
            return Transaction(_dealt(event))
        case e.GoPassed(player, amount) | e.MoneyReceived(player, amount) | e.DeedMortgaged(player, _, amount):
            return transfer(BANK, player_account(player), amount)
        case e.DeedBought(player, _, price) | e.DeedSold(player, _, price):
            return transfer(player_account(player), BANK, price)
        case e.DeedRedeemed(player, _, amount) | e.Freed(player, _, amount):
            return transfer(player_account(player), BANK, amount) if amount else None
        case e.DebtPaid(source, to, amount) | e.MoneyCorrected(source, to, amount):
            return transfer(cash_account(source), cash_account(to), amount)
        case _:
            mine = player_account(event.player)
            given = transfer_postings(mine, heap_account(event.creditor), event.chips)
            money = transfer(mine, cash_account(event.creditor), event.amount).postings
            return Transaction((*money, *given))


def _chips(event: ChipsEvent) -> Transaction:
    match event:
        case e.ChipsGathered(player, chips) | e.ChipsChosen(player, "take", chips):
            return Transaction(transfer_postings(TRAY, player_account(player), chips))
        case e.ChipsDiscarded(player, space, chips):
            return Transaction(transfer_postings(player_account(player), space_account(space), chips))
        case e.ChipsPicked(player, space, chips):
            return Transaction(transfer_postings(space_account(space), player_account(player), chips))
        case e.ChipsCorrected(kind, count, source, to):
            return Transaction(transfer_postings(heap_account(source), heap_account(to), {kind: count}))
        case _:
            return Transaction(transfer_postings(player_account(event.player), TRAY, event.chips))


def _exchange(event: Exchange) -> Transaction | None:
    match event:
        case e.ChipStolen(player, source, kind):
            return Transaction(transfer_postings(player_account(source), player_account(player), {kind: 1}))
        case e.ParkingTraded(player, give, get):
            mine = player_account(player)
            return Transaction((*transfer_postings(mine, TRAY, give), *transfer_postings(TRAY, mine, {get: 1})))
        case e.BankTraded(player, give, get, count):
            mine = player_account(player)
            return Transaction(
                (*transfer_postings(mine, TRAY, {give: count}), *transfer_postings(TRAY, mine, {get: 1}))
            )
        case e.ChancePlayed(player, _, str(source), str(take), str(give)):
            mine, theirs = player_account(player), player_account(source)
            return Transaction(
                (*transfer_postings(theirs, mine, {take: 1}), *transfer_postings(mine, theirs, {give: 1}))
            )
        case e.Traded(player, other, give, get):
            return Transaction((*_handed(player, other, give), *_handed(other, player, get)))
        case _:
            return None


def _handed(giver: str, taker: str, bundle: Bundle) -> tuple[Posting, ...]:
    source, to = player_account(giver), player_account(taker)
    money = transfer(source, to, bundle.money).postings if bundle.money else ()
    return (*money, *transfer_postings(source, to, bundle.chips))


def _dealt(event: e.GameStarted | e.GameTakenOver) -> tuple[Posting, ...]:
    """Return the postings that empty the box: the bank's money and the chips, and from them what players have."""
    out = [Posting(BOX, -event.money), Posting(BANK, event.money)]
    out += transfer_postings(BOX, TRAY, dict.fromkeys(KINDS, event.chips_a_kind))
    if isinstance(event, e.GameStarted):
        for own in event.own:
            out += transfer(BANK, player_account(own.player), event.cash).postings
            out += transfer_postings(TRAY, player_account(own.player), {own.kind: event.chips})
        return tuple(out)
    for player, cash in event.cash.items():
        out += transfer(BANK, player_account(player), cash).postings
        out += transfer_postings(TRAY, player_account(player), event.chips[player])
    for space, chips in event.on_spaces.items():
        out += transfer_postings(TRAY, space_account(int(space)), chips)
    return tuple(out)


_BOOKED: Mapping[type, Callable[[Any], Transaction | None]] = {
    **dict.fromkeys(get_args(MoneyEvent), _money),
    **dict.fromkeys(get_args(ChipsEvent), _chips),
    **dict.fromkeys(get_args(Exchange), _exchange),
}
"""Which part of this page books an event; two thirds of all events move nothing."""


# What players, the tray and the spaces hold, read from the ledger.


def cash(position: GamePosition, player: str) -> int:
    """Return what money a player has."""
    return position.ledger.balance(player_account(player))


def free_cash(position: GamePosition, player: str) -> int:
    """Return what money a player may spend: what he has, less the bid that he leads with."""
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
