"""The events, in the past tense.  Every figure is stored in them, so that replay asks no rule.

Class names are stored in journals: renaming one is a migration.
"""

from typing import TypeAlias

from companion.game_api.corrections import PlayerRenamed
from companion.games.monopoly_builder.rules.events.corrections import (
    BlockCorrected,
    ChanceCorrected,
    ChipsCorrected,
    DeedCorrected,
    MoneyCorrected,
    PositionCorrected,
    TurnCorrected,
)
from companion.games.monopoly_builder.rules.events.play import (
    AuctionOpened,
    BankTraded,
    BidderPassed,
    BidMade,
    CashCounted,
    ChanceDrawn,
    ChancePlayed,
    ChipsChosen,
    ChipsDiscarded,
    ChipsGathered,
    ChipsPicked,
    ChipsReturned,
    ChipStolen,
    ChoicesCame,
    ClaimsLapsed,
    DebtIncurred,
    DebtPaid,
    DeedBought,
    DeedMortgaged,
    DeedOffered,
    DeedRedeemed,
    DeedSold,
    DeedTurnedUp,
    DeedUnsold,
    DiceRolled,
    EffectCame,
    FloorBuilt,
    Freed,
    GoPassed,
    Jailed,
    MoneyReceived,
    ParkingLeft,
    ParkingTraded,
    RentClaimed,
    RentFell,
    StageCame,
    TokenMoved,
    Traded,
    TurnBegan,
    WentBankrupt,
)
from companion.games.monopoly_builder.rules.events.start import GameEnded, GameStarted, GameTakenOver

Event: TypeAlias = (
    GameStarted
    | GameTakenOver
    | GameEnded
    | TurnBegan
    | StageCame
    | ChipsDiscarded
    | DiceRolled
    | ClaimsLapsed
    | ChipsGathered
    | ChipsPicked
    | GoPassed
    | TokenMoved
    | Jailed
    | Freed
    | DeedTurnedUp
    | DeedOffered
    | DeedBought
    | AuctionOpened
    | BidMade
    | BidderPassed
    | DeedSold
    | DeedUnsold
    | RentFell
    | RentClaimed
    | DebtIncurred
    | DebtPaid
    | DeedMortgaged
    | DeedRedeemed
    | WentBankrupt
    | ChoicesCame
    | ChipsChosen
    | ChipsReturned
    | ChipStolen
    | ParkingTraded
    | ParkingLeft
    | BankTraded
    | Traded
    | ChanceDrawn
    | EffectCame
    | MoneyReceived
    | ChancePlayed
    | FloorBuilt
    | CashCounted
    | MoneyCorrected
    | DeedCorrected
    | ChanceCorrected
    | ChipsCorrected
    | BlockCorrected
    | PositionCorrected
    | TurnCorrected
    | PlayerRenamed
)

__all__ = [
    "AuctionOpened",
    "BankTraded",
    "BidMade",
    "BidderPassed",
    "BlockCorrected",
    "CashCounted",
    "ChanceCorrected",
    "ChanceDrawn",
    "ChancePlayed",
    "ChipStolen",
    "ChipsChosen",
    "ChipsCorrected",
    "ChipsDiscarded",
    "ChipsGathered",
    "ChipsPicked",
    "ChipsReturned",
    "ChoicesCame",
    "ClaimsLapsed",
    "DebtIncurred",
    "DebtPaid",
    "DeedBought",
    "DeedCorrected",
    "DeedMortgaged",
    "DeedOffered",
    "DeedRedeemed",
    "DeedSold",
    "DeedTurnedUp",
    "DeedUnsold",
    "DiceRolled",
    "EffectCame",
    "Event",
    "FloorBuilt",
    "Freed",
    "GameEnded",
    "GameStarted",
    "GameTakenOver",
    "GoPassed",
    "Jailed",
    "MoneyCorrected",
    "MoneyReceived",
    "ParkingLeft",
    "ParkingTraded",
    "PlayerRenamed",
    "PositionCorrected",
    "RentClaimed",
    "RentFell",
    "StageCame",
    "TokenMoved",
    "Traded",
    "TurnBegan",
    "TurnCorrected",
    "WentBankrupt",
]
