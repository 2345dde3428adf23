"""The events, in the past tense.  Every amount is stored in them, so that replay needs no price list.

Class names are stored in journals: renaming one is a migration.
"""

from typing import TypeAlias

from companion.game_api.corrections import PlayerRenamed
from companion.games.master_builder.rules.events.corrections import (
    CashCounted,
    ContractCorrected,
    MoneyCorrected,
    PlayerReplaced,
    WorkerCorrected,
)
from companion.games.master_builder.rules.events.play import (
    AuctionOpened,
    BidderLeft,
    BidRaised,
    BuildPhaseBegan,
    ChoiceDeclined,
    ChoiceReturned,
    ContractRemoved,
    ContractSold,
    ContractsPhaseBegan,
    ContractsRevealed,
    EconomyTurned,
    EffectLeftToBanker,
    EventPaid,
    EventReached,
    EventReceived,
    EventsPhaseBegan,
    EventTurned,
    IncomePhaseBegan,
    LastRoundFixed,
    LoanRepaid,
    LoanTaken,
    NextEventDue,
    OpportunityCame,
    OpportunityLapsed,
    OpportunityPassed,
    PileLookedThrough,
    PlanLocked,
    PlanVoided,
    PremiumLaid,
    PricePaid,
    Razed,
    SectionsBuilt,
    SectionsRazed,
    TurnCorrected,
    WageChange,
    WagesChanged,
    WagesPaid,
    WorkerFired,
    WorkerHired,
    WorkerLent,
    WorkersDismissed,
    WorkersMadeUnavailable,
    WorkersReturned,
)
from companion.games.master_builder.rules.events.start import (
    GameEnded,
    GameStarted,
    GameTakenOver,
    Held,
    RoundBegan,
    Seated,
)

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
