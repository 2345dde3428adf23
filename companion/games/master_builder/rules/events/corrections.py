"""The banker's corrections."""

from dataclasses import dataclass
from typing import Annotated

from companion.game_api.fields import Holds, Person, Text, added
from companion.games.master_builder.rules.state import CardPlace, ContractId, Dollars, Payer, WorkerId


@dataclass(frozen=True, slots=True)
class MoneyCorrected:
    """The banker put the books right."""

    from_: Payer
    to: Payer
    amount: Dollars
    reason: Text


@dataclass(frozen=True, slots=True)
class WorkerCorrected:
    """The banker put a worker to where he belongs; ``to`` a player or ``supply``."""

    worker: WorkerId
    to: CardPlace
    wage: Dollars
    reason: Text


@dataclass(frozen=True, slots=True)
class ContractCorrected:
    """The banker put a contract to where it belongs; ``premium`` on it went to the bank."""

    contract: ContractId
    origin: CardPlace
    to: CardPlace
    premium: Dollars
    reason: Text


@dataclass(frozen=True, slots=True)
class CashCounted:
    """The amount that was counted, and its difference from the books (counted less booked).

    ``secret``: money is hidden, and the count is the business of the player and the banker alone.
    """

    player: Person
    counted: Dollars
    booked: Dollars
    difference: Annotated[int, Holds("record", "difference")]
    secret: bool = added(default=False)


@dataclass(frozen=True, slots=True)
class PlayerReplaced:
    """Somebody else plays on in this seat; ``former`` is what the one before was called."""

    player: Person
    name: Text
    former: Text
