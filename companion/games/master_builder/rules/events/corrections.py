"""The banker's corrections."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class MoneyCorrected:
    """The banker put the books right."""

    from_: str
    to: str
    amount: int
    reason: str


@dataclass(frozen=True, slots=True)
class WorkerCorrected:
    """The banker put a worker to where he belongs; ``to`` a player or ``supply``."""

    worker: str
    to: str
    wage: int
    reason: str


@dataclass(frozen=True, slots=True)
class ContractCorrected:
    """The banker put a contract to where it belongs; ``premium`` on it went to the bank."""

    contract: str
    origin: str
    to: str
    premium: int
    reason: str


@dataclass(frozen=True, slots=True)
class CashCounted:
    """What was counted, and by how much it differs from the books (counted less booked)."""

    player: str
    counted: int
    booked: int
    difference: int


@dataclass(frozen=True, slots=True)
class PlayerRenamed:
    """A player is called otherwise."""

    player: str
    name: str


@dataclass(frozen=True, slots=True)
class PlayerReplaced:
    """Somebody else plays on in this seat; ``former`` is what the one before was called."""

    player: str
    name: str
    former: str
