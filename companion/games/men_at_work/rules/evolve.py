"""Recording of events in the state; no rule is asked."""

from typing import TypeAlias

from companion.engine.game import copy_with
from companion.game_api.corrections import PlayerRenamed
from companion.game_api.messages import Event, common_fields
from companion.games.men_at_work.rules import events as e
from companion.games.men_at_work.rules.catalog import all_pieces, together, without
from companion.games.men_at_work.rules.state import State

# Recording what the banker put right.

CorrectionEvent: TypeAlias = (
    e.PlayerCorrected | e.PiecesCorrected | e.CardCorrected | e.BossCorrected | e.TurnCorrected | PlayerRenamed
)


def apply_correction(state: State, event: CorrectionEvent) -> State:
    """Return the state after a correction."""
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
            discard = tuple(other for other in state.discard if other != card)
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


# Recording events. No rule stands here: what an event does not say stays as it is.


def evolve(state: State | None, event: Event) -> State:
    """Return the state after an event."""
    if isinstance(event, e.GameStarted | e.GameTakenOver):
        return _begun(event)
    if state is None:
        message = f"{event} before the start"
        raise ValueError(message)
    match event:
        case e.CardTurned() | e.BossTurned() | e.BackSeen() | e.PileReshuffled() | e.ForemanCardPlayed():
            return _cards(state, event)
        case (
            e.PlayerCorrected()
            | e.PiecesCorrected()
            | e.CardCorrected()
            | e.BossCorrected()
            | e.TurnCorrected()
            | PlayerRenamed()
        ):
            return apply_correction(state, event)
        case e.PiecesPlaced(pieces=pieces):
            return copy_with(state, site=together(state.site, pieces))
        case e.PiecesFell(pieces=pieces, to=to):
            site = without(state.site, pieces)
            return copy_with(state, site=site, floor=together(state.floor, pieces) if to == "floor" else state.floor)
        case e.SiteCleaned():
            return copy_with(state, clean=False)
        case e.TurnPassed(player, turn, clean):
            return begun_turn(state, player, turn, clean=clean)
        case e.GameEnded(by, winner):
            return copy_with(state, ended_by=by, winner=winner, colour_asked=None, highest_asked=False, clean=False)
        case _:
            return _action(state, event)


def _begun(event: e.GameStarted | e.GameTakenOver) -> State:
    begun = common_fields(event, State)
    begun["site"] = all_pieces(event.site)
    if isinstance(event, e.GameStarted):
        return State(**begun, active=event.first)
    begun["floor"] = all_pieces(event.floor)
    return State(**begun, seen=frozenset(event.discard), taken_over=True)


def _cards(
    state: State, event: e.CardTurned | e.BossTurned | e.BackSeen | e.PileReshuffled | e.ForemanCardPlayed
) -> State:
    match event:
        case e.CardTurned(card, back):
            on_pile = state.on_pile[:-1] if state.on_pile[-1:] == (card,) else state.on_pile
            discard, seen = (*state.discard, card), state.seen | {card}
            after = copy_with(state, deck=state.deck - 1, on_pile=on_pile, discard=discard, seen=seen)
            return copy_with(after, back=back, turned=True, said="")
        case e.BossTurned(back, front_stays):
            return copy_with(state, deck=state.deck - 1, on_duty=True, back=back, turned=front_stays, said="")
        case e.BackSeen(back):
            return copy_with(state, back=back)
        case e.PileReshuffled(deck, back):
            return copy_with(state, deck=deck, back=back, discard=state.discard[-1:])
        case _:
            card = event.card
            after = state.with_player(copy_with(state.player(event.player), hand=event.hand))
            after = copy_with(after, played=state.played + 1, seen=state.seen | {card}, said="")
            if event.on == "discard":
                return copy_with(after, discard=(*state.discard, card))
            return copy_with(after, deck=state.deck + 1, on_pile=(*state.on_pile, card), back=event.back)


def _action(state: State, event: Event) -> State:
    match event:
        case e.ColourWanted(asked=asked):
            return copy_with(state, colour_asked=asked)
        case e.ColourSaid():
            return copy_with(state, colour_asked=None)
        case e.HighestWanted():
            return copy_with(state, highest_asked=True)
        case e.AwardWon(player, awards):
            return copy_with(state.with_player(copy_with(state.player(player), awards=awards)), highest_asked=False)
        case e.NobodyHighest():
            return copy_with(state, highest_asked=False)
        case e.AccidentHappened(player, _, certificates):
            question = state.colour_asked
            kept = None if question is None else copy_with(question, accident=True, highest=None)
            after = state.with_player(copy_with(state.player(player), certificates=certificates))
            return copy_with(after, accident=True, colour_asked=kept)
        case e.PlayerEliminated(player):
            return state.with_player(copy_with(state.player(player), out=True))
        case e.FoundImpossible():
            return copy_with(state, said="impossible")
        case e.FoundExhausted():
            return copy_with(state, said="exhausted")
        case _:
            return state
