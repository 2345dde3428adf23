"""Recording what the banker put right."""

from dataclasses import replace
from typing import TypeAlias

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
            return replace(state, board=(*others, *stands))
        case e.PositionCorrected(player, space, in_jail, tries):
            return state.with_player(replace(state.player(player), space=space, in_jail=in_jail, tries=tries))
        case e.TurnCorrected(player, phase):
            idle = replace(state, claims=(), debts=(), auction=None, offered=None, effects=(), choosers=())
            return replace(idle, turn=player, stage=phase, doubles=0)
        case _:
            return state.with_player(replace(state.player(event.player), name=event.name))
