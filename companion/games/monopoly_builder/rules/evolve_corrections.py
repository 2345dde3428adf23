"""Recording what the banker put right."""

from typing import TypeAlias

from companion.engine.copying import copy_with
from companion.games.monopoly_builder.rules import events as e
from companion.games.monopoly_builder.rules.evolve_deeds import with_card, with_deed
from companion.games.monopoly_builder.rules.state import Building, State

Correction: TypeAlias = (
    e.MoneyCorrected
    | e.DeedCorrected
    | e.ChanceCorrected
    | e.ChipsCorrected
    | e.BlockCorrected
    | e.PositionCorrected
    | e.TurnCorrected
    | e.PlayerRenamed
)


def corrected(state: State, event: Correction) -> State:
    """Give the state after a correction."""
    match event:
        case e.MoneyCorrected() | e.ChipsCorrected():
            return state
        case e.DeedCorrected(card, to, mortgaged):
            return with_deed(state, card, None if to == "bank" else to, mortgaged=mortgaged)
        case e.ChanceCorrected(card, to):
            return with_card(state, card, None if to == "deck" else to)
        case e.BlockCorrected(cell, owner, height):
            others = tuple(one for one in state.board if one.cell != cell)
            stands = (Building(cell, owner, height),) if owner is not None and height else ()
            return copy_with(state, board=(*others, *stands))
        case e.PositionCorrected(player, space, in_jail, tries):
            return state.with_player(copy_with(state.player(player), space=space, in_jail=in_jail, tries=tries))
        case e.TurnCorrected(player, phase):
            idle = copy_with(state, claims=(), debts=(), auction=None, offered=None, effects=(), choosers=())
            return copy_with(idle, turn=player, stage=phase, doubles=0)
        case _:
            return state.with_player(copy_with(state.player(event.player), name=event.name))
