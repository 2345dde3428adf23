"""What happened, in the past tense.  Every amount is written down here, so that replay needs no price list.

Class names are stored in journals: renaming one is a migration.
"""

from typing import TypeAlias

from companion.games.master_builder.rules.events.building import (
    BuildPhaseBegan,
    PlanLocked,
    PlanVoided,
    SectionsBuilt,
    WorkerLent,
    WorkersReturned,
)
from companion.games.master_builder.rules.events.contracts import (
    AuctionOpened,
    BidderLeft,
    BidRaised,
    ChoiceDeclined,
    ChoiceReturned,
    ContractRemoved,
    ContractSold,
    ContractsPhaseBegan,
    ContractsRevealed,
    EconomyTurned,
    LastRoundFixed,
    PremiumLaid,
)
from companion.games.master_builder.rules.events.corrections import (
    CashCounted,
    ContractCorrected,
    MoneyCorrected,
    PlayerRenamed,
    PlayerReplaced,
    WorkerCorrected,
)
from companion.games.master_builder.rules.events.hiring import (
    OpportunityCame,
    OpportunityLapsed,
    OpportunityPassed,
    PileLookedThrough,
    WorkerFired,
    WorkerHired,
)
from companion.games.master_builder.rules.events.misfortunes import (
    EffectLeftToBanker,
    EventPaid,
    EventReached,
    EventReceived,
    EventsPhaseBegan,
    EventTurned,
    NextEventDue,
    Razed,
    SectionsRazed,
    WageChange,
    WagesChanged,
    WorkersDismissed,
    WorkersMadeUnavailable,
)
from companion.games.master_builder.rules.events.money import (
    IncomePhaseBegan,
    LoanRepaid,
    LoanTaken,
    PricePaid,
    WagesPaid,
)
from companion.games.master_builder.rules.events.start import (
    GameEnded,
    GameStarted,
    GameTakenOver,
    Held,
    RoundBegan,
    Seated,
)
from companion.games.master_builder.rules.events.turn import TurnCorrected

Event: TypeAlias = (
    GameStarted
    | GameTakenOver
    | WorkerHired
    | WorkerFired
    | OpportunityPassed
    | PileLookedThrough
    | OpportunityLapsed
    | OpportunityCame
    | ContractsPhaseBegan
    | EconomyTurned
    | ContractsRevealed
    | ChoiceDeclined
    | ChoiceReturned
    | AuctionOpened
    | BidRaised
    | BidderLeft
    | ContractSold
    | PremiumLaid
    | ContractRemoved
    | LastRoundFixed
    | EventsPhaseBegan
    | EventTurned
    | NextEventDue
    | EventReached
    | WorkersMadeUnavailable
    | WorkersDismissed
    | WagesChanged
    | EventPaid
    | EventReceived
    | SectionsRazed
    | EffectLeftToBanker
    | BuildPhaseBegan
    | PlanLocked
    | WorkerLent
    | PlanVoided
    | SectionsBuilt
    | WorkersReturned
    | IncomePhaseBegan
    | PricePaid
    | WagesPaid
    | LoanTaken
    | LoanRepaid
    | RoundBegan
    | GameEnded
    | MoneyCorrected
    | WorkerCorrected
    | ContractCorrected
    | TurnCorrected
    | CashCounted
    | PlayerRenamed
    | PlayerReplaced
)

__all__ = [
    "AuctionOpened",
    "BidRaised",
    "BidderLeft",
    "BuildPhaseBegan",
    "CashCounted",
    "ChoiceDeclined",
    "ChoiceReturned",
    "ContractCorrected",
    "ContractRemoved",
    "ContractSold",
    "ContractsPhaseBegan",
    "ContractsRevealed",
    "EconomyTurned",
    "EffectLeftToBanker",
    "Event",
    "EventPaid",
    "EventReached",
    "EventReceived",
    "EventTurned",
    "EventsPhaseBegan",
    "GameEnded",
    "GameStarted",
    "GameTakenOver",
    "Held",
    "IncomePhaseBegan",
    "LastRoundFixed",
    "LoanRepaid",
    "LoanTaken",
    "MoneyCorrected",
    "NextEventDue",
    "OpportunityCame",
    "OpportunityLapsed",
    "OpportunityPassed",
    "PileLookedThrough",
    "PlanLocked",
    "PlanVoided",
    "PlayerRenamed",
    "PlayerReplaced",
    "PremiumLaid",
    "PricePaid",
    "Razed",
    "RoundBegan",
    "Seated",
    "SectionsBuilt",
    "SectionsRazed",
    "TurnCorrected",
    "WageChange",
    "WagesChanged",
    "WagesPaid",
    "WorkerCorrected",
    "WorkerFired",
    "WorkerHired",
    "WorkerLent",
    "WorkersDismissed",
    "WorkersMadeUnavailable",
    "WorkersReturned",
]
