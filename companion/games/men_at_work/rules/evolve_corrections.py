"""Recording what the banker put right."""

from typing import TypeAlias

from companion.engine.copying import copy_with
from companion.games.men_at_work.rules import events as e
from companion.games.men_at_work.rules.pieces import together, without
from companion.games.men_at_work.rules.state import State

Correction: TypeAlias = (
    e.PlayerCorrected | e.PiecesCorrected | e.CardCorrected | e.BossCorrected | e.TurnCorrected | e.PlayerRenamed
)


def corrected(state: State, event: Correction) -> State:
    """Give the state after a correction."""
    match event:
        case e.PlayerCorrected(player, certificates, awards, hand, deck, out):
            before = state.player(player)
            after = copy_with(before, certificates=certificates, awards=awards, hand=hand, out=out)
            return _pile(state.with_player(after), deck)
        case e.PiecesCorrected(origin, to, pieces):
            heaps = {"site": state.site, "floor": state.floor}
            if origin in heaps:
                heaps[origin] = without(heaps[origin], pieces)
            if to in heaps:
                heaps[to] = together(heaps[to], pieces)
            return copy_with(state, site=heaps["site"], floor=heaps["floor"])
        case e.CardCorrected(card, to, deck):
            if to == "discard":
                return _pile(copy_with(state, discard=(card, *state.discard), seen=state.seen | {card}), deck)
            discard = tuple(one for one in state.discard if one != card)
            return _pile(copy_with(state, discard=discard, seen=state.seen - {card}), deck)
        case e.BossCorrected(on_duty, deck):
            return _pile(copy_with(state, on_duty=on_duty), deck)
        case e.TurnCorrected(player, turn, clean):
            return begun_turn(state, player, turn, clean=clean)
        case _:
            return state.with_player(copy_with(state.player(event.player), name=event.name))


def begun_turn(state: State, player: str, turn: int, *, clean: bool) -> State:
    """Let a turn begin: whatever was under way is gone."""
    return copy_with(
        state,
        active=player,
        turn=turn,
        clean=clean,
        turned=False,
        accident=False,
        said="",
        played=0,
        colour_asked=None,
        highest_asked=False,
    )


def _pile(state: State, deck: int) -> State:
    """Put the number of cards in the pile right; an empty one shows no back, nor does one that was empty."""
    return copy_with(state, deck=deck, back=state.back if deck and state.deck else None)
