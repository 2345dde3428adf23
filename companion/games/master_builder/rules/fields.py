"""Master Builder's own field types."""

from typing import Annotated, Literal, TypeAlias

from companion.game_api.fields import Holds
from companion.games.master_builder.rules.catalog import WorkerType
from companion.games.master_builder.rules.state import PhaseName

Loan: TypeAlias = Literal["small", "large"]

Dollars: TypeAlias = Annotated[int, Holds("money", "1000")]
"""Money of this game, in its smallest notes."""
WorkerId: TypeAlias = Annotated[str, Holds("card", "workers")]
ContractId: TypeAlias = Annotated[str, Holds("card", "contracts")]
EventId: TypeAlias = Annotated[str, Holds("card", "events")]
EconomyId: TypeAlias = Annotated[str, Holds("card", "economy")]
SectionId: TypeAlias = Annotated[str, Holds("choice", "section")]
TypeOfWorker: TypeAlias = Annotated[WorkerType, Holds("choice", "workers")]
NameOfPhase: TypeAlias = Annotated[PhaseName, Holds("choice", "phase")]
KindOfLoan: TypeAlias = Annotated[Loan, Holds("choice", "loan")]
Payer: TypeAlias = Annotated[str, Holds("place", "bank")]
"""A player, or the bank."""
CardPlace: TypeAlias = Annotated[str, Holds("place", "supply display deck removed")]
"""Where a card lies: with a player, or at one of the places on the table."""
