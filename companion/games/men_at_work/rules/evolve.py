"""Recording events.  No rule stands here: what an event does not say stays as it is."""

from dataclasses import replace

from companion.games.men_at_work.rules import events as e
from companion.games.men_at_work.rules.evolve_corrections import begun_turn, corrected
from companion.games.men_at_work.rules.pieces import counted, together, without
from companion.games.men_at_work.rules.state import State


def evolve(state: State | None, event: e.Event) -> State:
    """Give the state after an event."""
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
            | e.PlayerRenamed()
        ):
            return corrected(state, event)
        case e.PiecesPlaced(pieces=pieces):
            return replace(state, site=together(state.site, pieces))
        case e.PiecesFell(pieces=pieces, to=to):
            site = without(state.site, pieces)
            return replace(state, site=site, floor=together(state.floor, pieces) if to == "floor" else state.floor)
        case e.SiteCleaned():
            return replace(state, clean=False)
        case e.TurnPassed(player, turn, clean):
            return begun_turn(state, player, turn, clean=clean)
        case e.GameEnded(by, winner):
            return replace(state, ended_by=by, winner=winner, colour_asked=None, highest_asked=False, clean=False)
        case _:
            return _action(state, event)


def _begun(event: e.GameStarted | e.GameTakenOver) -> State:
    state = State(
        catalog_name=event.catalog_name,
        catalog=event.catalog,
        rules=event.rules,
        variants=event.variants,
        players=event.players,
        awards_needed=event.awards_needed,
        about_after=event.about_after,
        active=event.first if isinstance(event, e.GameStarted) else event.active,
        deck=event.deck,
        site=counted(event.site),
    )
    if isinstance(event, e.GameStarted):
        return state
    return replace(
        state,
        floor=counted(event.floor),
        turn=event.turn,
        clean=event.clean,
        discard=event.discard,
        seen=frozenset(event.discard),
        on_duty=event.on_duty,
    )


def _cards(
    state: State, event: e.CardTurned | e.BossTurned | e.BackSeen | e.PileReshuffled | e.ForemanCardPlayed
) -> State:
    match event:
        case e.CardTurned(card, back):
            on_pile = state.on_pile[:-1] if state.on_pile[-1:] == (card,) else state.on_pile
            discard, seen = (*state.discard, card), state.seen | {card}
            after = replace(state, deck=state.deck - 1, on_pile=on_pile, discard=discard, seen=seen)
            return replace(after, back=back, turned=True, said="")
        case e.BossTurned(back, front_stays):
            return replace(state, deck=state.deck - 1, on_duty=True, back=back, turned=front_stays, said="")
        case e.BackSeen(back):
            return replace(state, back=back)
        case e.PileReshuffled(deck, back):
            return replace(state, deck=deck, back=back, discard=state.discard[-1:])
        case _:
            card = event.card
            after = state.with_player(replace(state.player(event.player), hand=event.hand))
            after = replace(after, played=state.played + 1, seen=state.seen | {card}, said="")
            if event.on == "discard":
                return replace(after, discard=(*state.discard, card))
            return replace(after, deck=state.deck + 1, on_pile=(*state.on_pile, card), back=event.back)


def _action(state: State, event: e.Event) -> State:
    match event:
        case e.ColourWanted(asked=asked):
            return replace(state, colour_asked=asked)
        case e.ColourSaid():
            return replace(state, colour_asked=None)
        case e.HighestWanted():
            return replace(state, highest_asked=True)
        case e.AwardWon(player, awards):
            return replace(state.with_player(replace(state.player(player), awards=awards)), highest_asked=False)
        case e.NobodyHighest():
            return replace(state, highest_asked=False)
        case e.AccidentHappened(player, _, certificates):
            question = state.colour_asked
            kept = None if question is None else replace(question, accident=True, highest=None)
            after = state.with_player(replace(state.player(player), certificates=certificates))
            return replace(after, accident=True, colour_asked=kept)
        case e.PlayerEliminated(player):
            return state.with_player(replace(state.player(player), out=True))
        case e.FoundImpossible():
            return replace(state, said="impossible")
        case e.FoundExhausted():
            return replace(state, said="exhausted")
        case _:
            return state
