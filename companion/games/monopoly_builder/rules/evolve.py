"""Recording events.  No rule stands here: what an event does not say stays as it is."""

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias, get_args

from companion.engine.copying import copy_with
from companion.games.monopoly_builder.rules import events as e
from companion.games.monopoly_builder.rules.evolve_corrections import Correction, corrected
from companion.games.monopoly_builder.rules.evolve_deeds import DeedEvent, deeds_changed
from companion.games.monopoly_builder.rules.state import Building, State

TurnEvent: TypeAlias = (
    e.TurnBegan | e.StageCame | e.DiceRolled | e.ClaimsLapsed | e.TokenMoved | e.Jailed | e.Freed | e.GameEnded
)

Dealing: TypeAlias = (
    e.ChoicesCame
    | e.ChipsChosen
    | e.ChipStolen
    | e.ParkingTraded
    | e.ParkingLeft
    | e.ChanceDrawn
    | e.EffectCame
    | e.ChancePlayed
    | e.FloorBuilt
)


def evolve(state: State | None, event: e.Event) -> State:
    """Give the state after an event."""
    if isinstance(event, e.GameStarted | e.GameTakenOver):
        return _begun(event)
    if state is None:
        message = f"{event} before the start"
        raise ValueError(message)
    changed = _CHANGED.get(type(event))
    return state if changed is None else changed(state, event)


def _begun(event: e.GameStarted | e.GameTakenOver) -> State:
    state = State(
        catalog_name=event.catalog_name,
        catalog=event.catalog,
        rules=event.rules,
        players=event.players,
        turn=event.first if isinstance(event, e.GameStarted) else event.turn,
        sites=event.sites,
    )
    if isinstance(event, e.GameStarted):
        return state
    return copy_with(state, stage=event.stage, dice=event.dice, doubles=event.doubles, board=event.board)


def _turn(state: State, event: TurnEvent) -> State:
    match event:
        case e.TurnBegan(player, doubles):
            idle = copy_with(state, offered=None, effects=(), choosers=(), auction=None)
            return copy_with(idle, turn=player, doubles=doubles, stage="discard")
        case e.StageCame(stage):
            return copy_with(state, stage=stage)
        case e.DiceRolled(player, dice, doubles, tries):
            rolled = copy_with(state, dice=dice, doubles=doubles)
            return rolled.with_player(copy_with(state.player(player), tries=tries))
        case e.ClaimsLapsed(payers):
            return copy_with(state, claims=tuple(claim for claim in state.claims if claim.payer not in payers))
        case e.TokenMoved(player, to):
            return copy_with(state, stage="landed", landed=to).with_player(copy_with(state.player(player), space=to))
        case e.Jailed(player, space):
            jailed = copy_with(state.player(player), space=space, in_jail=True, tries=0)
            return copy_with(state, doubles=0).with_player(jailed)
        case e.Freed(player):
            return state.with_player(copy_with(state.player(player), in_jail=False, tries=0))
        case _:
            idle = copy_with(state, stage="finished", claims=(), debts=(), auction=None)
            return copy_with(idle, offered=None, effects=(), choosers=())


def after_business(state: State) -> State:
    """Go on with the card under way, or with the rest of the turn."""
    return copy_with(state, stage="card" if state.effects or state.choosers else "act")


def _dealing(state: State, event: Dealing) -> State:
    match event:
        case e.ChoicesCame(choosers):
            return copy_with(state, choosers=choosers, stage="card")
        case e.ChipsChosen():
            return copy_with(state, choosers=state.choosers[1:])
        case e.ChipStolen() | e.ParkingTraded() | e.ParkingLeft():
            return after_business(state)
        case e.ChanceDrawn(player, card, kept, effects):
            if not kept:
                return copy_with(state, effects=effects, stage="card")
            keeper = state.player(player)
            cards = tuple(sorted((*keeper.cards, card)))
            return copy_with(state, stage="act").with_player(copy_with(keeper, cards=cards))
        case e.EffectCame():
            return copy_with(state, effects=state.effects[1:])
        case e.ChancePlayed(player, card):
            keeper = state.player(player)
            return state.with_player(copy_with(keeper, cards=tuple(one for one in keeper.cards if one != card)))
        case _:
            others = tuple(one for one in state.board if one.cell != event.cell)
            return copy_with(state, board=(*others, Building(event.cell, event.player, event.height)))


_CHANGED: Mapping[type, Callable[[State, Any], State]] = {
    **dict.fromkeys(get_args(TurnEvent), _turn),
    **dict.fromkeys(get_args(DeedEvent), deeds_changed),
    **dict.fromkeys(get_args(Correction), corrected),
    **dict.fromkeys(get_args(Dealing), _dealing),
}
"""What an event changes, by its type: a replay has thousands.  Others move money or chips alone."""
