"""What players, the tray and the spaces hold, read from the ledger."""

from companion.engine.ledger import player_account
from companion.games.monopoly_builder.rules.accounting import ON_SPACE, TRAY, heap_account
from companion.games.monopoly_builder.rules.kinds import KINDS, some, total
from companion.games.monopoly_builder.rules.state import Here


def cash(here: Here, player: str) -> int:
    """Say what money a player has."""
    return here.ledger.balance(player_account(player))


def free_cash(here: Here, player: str) -> int:
    """Say what money a player may spend: what he has, less the bid that he leads with."""
    auction = here.state.auction
    bound = auction.bid if auction is not None and auction.leader == player else None
    return cash(here, player) - (bound or 0)


def chips(here: Here, player: str) -> dict[str, int]:
    """Count a player's chips, kind by kind."""
    return _heap(here, player_account(player))


def chips_at(here: Here, place: str | int) -> dict[str, int]:
    """Count the chips of a player, the tray (``bank``), or a space by its number."""
    return _heap(here, heap_account(place))


def tray(here: Here) -> dict[str, int]:
    """Count the chips of the bank."""
    return _heap(here, TRAY)


def on_spaces(here: Here) -> dict[int, dict[str, int]]:
    """Give the chips that lie on spaces: one look at the ledger, for there are many spaces."""
    found: dict[int, dict[str, int]] = {}
    for account, count in here.ledger.balances:
        if ON_SPACE in account:
            kind, _, number = account.partition(ON_SPACE)
            found.setdefault(int(number), {})[kind] = count
    return {number: some(found[number]) for number in sorted(found)}


def count_of(here: Here, player: str) -> int:
    """Count a player's chips."""
    return total(chips(here, player))


def _heap(here: Here, account: str) -> dict[str, int]:
    return {kind: here.ledger.balance(account, kind) for kind in KINDS}
