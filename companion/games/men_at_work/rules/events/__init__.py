"""The events, in the past tense.  Every figure is stored in them, so that replay asks no rule.

Class names are stored in journals: renaming one is a migration.
"""

from typing import TypeAlias

from companion.game_api.corrections import PlayerRenamed
from companion.games.men_at_work.rules.events.corrections import (
    BossCorrected,
    CardCorrected,
    PiecesCorrected,
    PlayerCorrected,
    TurnCorrected,
)
from companion.games.men_at_work.rules.events.play import (
    AccidentHappened,
    ActionDone,
    AwardWon,
    BackSeen,
    BossTurned,
    CardTurned,
    ColourSaid,
    ColourWanted,
    ConstructionStopped,
    ForemanCardPlayed,
    FoundExhausted,
    FoundImpossible,
    HighestWanted,
    NobodyHighest,
    PiecesFell,
    PiecesPlaced,
    PileReshuffled,
    PlayerEliminated,
    SiteCleaned,
    TurnPassed,
)
from companion.games.men_at_work.rules.events.start import GameEnded, GameStarted, GameTakenOver

Event: TypeAlias = (
    GameStarted
    | GameTakenOver
    | CardTurned
    | BossTurned
    | BackSeen
    | PileReshuffled
    | PiecesPlaced
    | ActionDone
    | ColourWanted
    | ColourSaid
    | HighestWanted
    | AwardWon
    | NobodyHighest
    | AccidentHappened
    | PlayerEliminated
    | PiecesFell
    | SiteCleaned
    | FoundImpossible
    | FoundExhausted
    | ConstructionStopped
    | ForemanCardPlayed
    | TurnPassed
    | GameEnded
    | PlayerCorrected
    | PiecesCorrected
    | CardCorrected
    | BossCorrected
    | TurnCorrected
    | PlayerRenamed
)

__all__ = [
    "AccidentHappened",
    "ActionDone",
    "AwardWon",
    "BackSeen",
    "BossCorrected",
    "BossTurned",
    "CardCorrected",
    "CardTurned",
    "ColourSaid",
    "ColourWanted",
    "ConstructionStopped",
    "Event",
    "ForemanCardPlayed",
    "FoundExhausted",
    "FoundImpossible",
    "GameEnded",
    "GameStarted",
    "GameTakenOver",
    "HighestWanted",
    "NobodyHighest",
    "PiecesCorrected",
    "PiecesFell",
    "PiecesPlaced",
    "PileReshuffled",
    "PlayerCorrected",
    "PlayerEliminated",
    "PlayerRenamed",
    "SiteCleaned",
    "TurnCorrected",
    "TurnPassed",
]
