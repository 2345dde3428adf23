"""Offers for the holder of the hook, and decisions on commands of play that are expected now."""

from collections.abc import Sequence
from typing import cast

from companion.engine.game import Bag, Field, Offer, OneOf, Refused
from companion.game_api.seating import require_player, require_turn
from companion.games.men_at_work.rules import commands as c
from companion.games.men_at_work.rules import events as e
from companion.games.men_at_work.rules.catalog import BACKS, BOSS, COLOURS, PIECES, Counts
from companion.games.men_at_work.rules.phases import (
    ActionPhase,
    Recorder,
    action_of,
    expects,
    phase_of,
    piece_counts,
    used_up,
)
from companion.games.men_at_work.rules.state import Action, BackShown, ColourAsked, State

# Cards: turning one, seeing the back of the next, shuffling the discard again (rulings MW-D01, D05, D06, D20).


def turn_card(recorder: Recorder, command: c.TurnCard) -> None:
    """Turn the top card of the pile: an instruction onto the discard, the boss aside."""
    state = recorder.state
    phase = phase_of(state)
    _require_card_to_turn(state, command.card, phase)
    under = known_under(state)
    back = _next_back(state, command.back, under)
    if command.card == BOSS:
        recorder.record(e.BossTurned(back, front_stays=phase == "back"))
        return
    printed = state.catalog.back_of(command.card)
    unlike = state.back if state.back not in (None, printed) else None
    recorder.record(e.CardTurned(command.card, back, unlike))


def turnable(state: State, phase: ActionPhase) -> tuple[str, ...]:
    """Return the cards that may lie on top of the pile."""
    if phase == "back":
        return (BOSS,)
    if state.on_pile:
        return state.on_pile[-1:]
    boss = () if state.on_duty else (BOSS,)
    if state.deck == 1 and boss:
        return boss
    return (*(card.id for card in state.catalog.cards if card.id not in state.discard), *boss)


def show_back(recorder: Recorder, command: c.ShowBack) -> None:
    """Record the back on top of the pile."""
    recorder.record(e.BackSeen(command.back))


def reshuffle(recorder: Recorder, command: c.Reshuffle) -> None:
    """Make a pile of all cards of the discard but the top one."""
    recorder.record(e.PileReshuffled(max(0, len(recorder.state.discard) - 1), command.back))


def _require_card_to_turn(state: State, card: str, phase: ActionPhase) -> None:
    if card != BOSS and state.catalog.card(card) is None:
        raise Refused("unknown_card", card=card)
    if card == BOSS and state.on_duty:
        raise Refused("boss_on_duty")
    if card in state.discard:
        raise Refused("in_the_discard", card=card)
    if card in turnable(state, phase):
        return
    if phase == "back":
        raise Refused("not_now", do="turn_card", phase=phase)
    if state.on_pile:
        raise Refused("played_card_on_top", card=state.on_pile[-1])
    raise Refused("must_be_the_boss")


def known_under(state: State) -> BackShown | None:
    """Return the back of a card that was played onto the pile and is on top once another is turned."""
    return state.catalog.back_of(state.on_pile[-2]) if len(state.on_pile) > 1 else None


def _next_back(state: State, said: BackShown | None, under: BackShown | None) -> BackShown | None:
    """Return the back that is on top after a card was turned, as far as it is known."""
    if said is not None and state.deck == 1:
        raise Refused("no_card_left_to_show")
    if said is not None and under is not None and said != under:
        raise Refused("known_back", back=under)
    return said or under


# Placing: the action done, its colour, the highest piece (rulings MW-D07, D13, D15, D16, D18).


def finish_action(recorder: Recorder, command: c.Done) -> None:
    """Move the pieces of the action to the site, and ask for what is not clear yet."""
    state = recorder.state
    action = standing(state)
    validate_colour(state, action, command.colour)
    if command.highest is not None and not state.on_duty:
        raise Refused("boss_not_on_duty")
    if command.highest:
        require_award(state)
    if asks_colour(state, action, command.colour):
        recorder.record(e.ColourWanted(command.player, ColourAsked(action, command.highest)))
        return
    place(recorder, action, command.colour)
    after_done(recorder, command.highest)


def say_colour(recorder: Recorder, command: c.SayColour) -> None:
    """Move the pieces now that the colour is known, and go on as after what asked for it."""
    state = recorder.state
    asked = cast("ColourAsked", state.colour_asked)
    validate_colour(state, asked.action, command.colour)
    recorder.record(e.ColourSaid(command.player, command.colour))
    place(recorder, asked.action, command.colour)
    if asked.accident:
        after_accident(recorder)
    else:
        after_done(recorder, asked.highest)


def claim_highest(recorder: Recorder, command: c.ClaimHighest) -> None:
    """Award the active player, and end the turn."""
    del command
    require_award(recorder.state)
    recorder.award()
    if not recorder.state.finished:
        recorder.end_turn()


def record_nobody_highest(recorder: Recorder, command: c.Nobody) -> None:
    """End the turn without an award."""
    recorder.record(e.NobodyHighest(command.player))
    recorder.end_turn()


def after_done(recorder: Recorder, highest: bool | None) -> None:  # noqa: FBT001 - three answers: yes, no, not said
    """Ask for the highest piece where the boss is on duty, and end the turn."""
    state = recorder.state
    if state.rules.two_ends == "stop_first" and used_up(state):
        recorder.stop()
        return
    if state.on_duty and (highest is None or (highest and state.awards_left == 0)):
        recorder.ask_highest()
        return
    if state.on_duty and highest:
        recorder.award()
    if not recorder.state.finished:
        recorder.end_turn()


def after_accident(recorder: Recorder) -> None:
    """Ask for the highest piece where the table does so after an accident, and let the next one clean."""
    state = recorder.state
    if state.rules.award_after_accident == "asked" and state.on_duty and not state.player(state.active).out:
        recorder.ask_highest()
    else:
        recorder.pass_turn(clean=True)


def standing(state: State) -> Action:
    """Return the action of phase ``place`` or ``colour``."""
    return cast("Action", action_of(state))


def place(recorder: Recorder, action: Action, colour: str | None) -> None:
    """Move the pieces of an action out of the reserve, where they are counted."""
    player = recorder.state.active
    if not recorder.state.rules.counts:
        recorder.record(e.ActionDone(player))
        return
    girder = None if action.kind == "worker" else colour or action.colours[0]
    recorder.record(e.PiecesPlaced(player, piece_counts(action, girder)))


def asks_colour(state: State, action: Action, colour: str | None) -> bool:
    """Return whether the colour of the girder is yet to be told."""
    return state.rules.counts and action.kind == "girder" and colour is None and len(action.colours) > 1


def validate_colour(state: State, action: Action, colour: str | None) -> None:
    """Check a colour that was told; ``Refused``."""
    if colour is None:
        return
    if not state.rules.counts or action.kind == "worker":
        raise Refused("no_colour_here")
    if colour not in action.colours:
        raise Refused("colour_does_not_fit", colour=colour, colours=action.colours)


def require_award(state: State) -> None:
    """Check that there is an award to give; ``Refused``."""
    if state.awards_left == 0:
        raise Refused("no_award_left")


# Accidents and the cleaning after them (rulings MW-D11 to D14, D16, D17, D24).


def record_accident(recorder: Recorder, command: c.Accident) -> None:
    """Remove a certificate, and let the next player clean up."""
    phase = phase_of(recorder.state)
    if command.colour is not None:
        if phase not in ("place", "colour"):
            raise Refused("no_colour_here")
        validate_colour(recorder.state, standing(recorder.state), command.colour)
    action = standing(recorder.state) if phase in ("place", "colour") else None
    _certificate(recorder, phase)
    if recorder.state.finished:
        return
    if action is None:
        _without_pieces(recorder, phase)
    elif asks_colour(recorder.state, action, command.colour):
        if phase == "place":
            recorder.record(e.ColourWanted(command.player, ColourAsked(action, accident=True)))
    else:
        if phase == "colour" and command.colour is not None:
            recorder.record(e.ColourSaid(command.player, command.colour))
        if recorder.state.rules.counts:
            place(recorder, action, command.colour)
        after_accident(recorder)


def _certificate(recorder: Recorder, phase: ActionPhase) -> None:
    player = recorder.state.player(recorder.state.active)
    kept = phase == "clean" and recorder.state.rules.cleaning_accident == "turn_only"
    lost = 0 if kept else 1
    recorder.record(e.AccidentHappened(player.id, lost, player.certificates - lost))
    if player.certificates == lost:
        recorder.record(e.PlayerEliminated(player.id))
        recorder.end_if_one_left()


def _without_pieces(recorder: Recorder, phase: ActionPhase) -> None:
    """Go on after an accident at a moment when no piece was under way."""
    state = recorder.state
    still_asked = state.rules.award_after_accident == "asked" and not state.player(state.active).out
    if phase != "highest" or not still_asked:
        recorder.pass_turn(clean=True)


def put_back_fallen(recorder: Recorder, command: c.Fallen) -> None:
    """Put pieces that lie beside the site back into the reserve, or leave them on the floor of the box."""
    state = recorder.state
    if state.finished:
        raise Refused("game_over")
    require_player(state, command.player)
    require_turn(command.player, (state.active,))
    phase = phase_of(state)
    if not state.rules.counts:
        raise Refused("nothing_is_counted")
    if phase == "colour":
        raise Refused("not_now", do="fallen", phase=phase)
    validate_pieces(state.site, command.pieces)
    if phase != "clean" and set(command.pieces) != {"supports"}:
        raise Refused("only_supports_now")
    if command.to == "floor":
        validate_floor(state, command.pieces)
    recorder.record(e.PiecesFell(command.player, dict(command.pieces), command.to))


def finish_cleaning(recorder: Recorder, command: c.Cleaned) -> None:
    """Go on with the turn once everything is cleaned up."""
    recorder.record(e.SiteCleaned(command.player))
    if used_up(recorder.state):
        recorder.stop()


def validate_pieces(lying: Counts, pieces: Counts) -> None:
    """Check that pieces are some, known, at least one of each, and no more than lie there; ``Refused``."""
    if not pieces:
        raise Refused("no_pieces")
    for piece, count in pieces.items():
        if piece not in PIECES:
            raise Refused("unknown_piece", piece=piece)
        if count < 1:
            raise Refused("no_pieces")
        if count > lying[piece]:
            raise Refused("not_so_many", piece=piece, count=count, lying=lying[piece])


def validate_floor(state: State, pieces: Counts) -> None:
    """Check that pieces may lie on the floor of the box; ``Refused``."""
    if "skyscraper" not in state.variants:
        raise Refused("no_floor")
    for piece in pieces:
        if piece in COLOURS or piece == "supports":
            raise Refused("never_on_the_floor", piece=piece)


# Variant ``foreman``, and what players say of an action where nothing is counted (rulings MW-D21, D27).


def use_foreman_card(recorder: Recorder, command: c.UseForemanCard) -> None:
    """Lay a card of the hand on the pile or the discard: the action is another one."""
    state = recorder.state
    card = state.catalog.card(command.card)
    if card is None:
        raise Refused("unknown_card", card=command.card)
    if command.card in state.seen:
        raise Refused("seen_before", card=command.card)
    left = state.player(command.player).hand - 1
    recorder.record(e.ForemanCardPlayed(command.player, card.id, command.on, card.back, left))


def stop(recorder: Recorder, command: c.Pass) -> None:
    """Play no card though one could: the game ends."""
    recorder.record(e.ConstructionStopped(command.player))
    recorder.stop()


def record_impossible(recorder: Recorder, command: c.Impossible) -> None:
    """Record that the site lacks something."""
    recorder.record(e.FoundImpossible(command.player))


def record_exhausted(recorder: Recorder, command: c.Exhausted) -> None:
    """Record that the reserve lacks something."""
    recorder.record(e.FoundExhausted(command.player))


# Offers for the holder of the hook.

UNADDRESSED = frozenset({"turn_card", "show_back", "reshuffle"})
"""Commands that name no player: a card lies there, whoever turned it."""


def offers(state: State, player: str) -> Sequence[Offer]:
    """List what a player may do now; nothing where somebody else holds the hook."""
    if player != state.active:
        return ()
    phase = phase_of(state)
    all_offers: list[Offer] = []
    for do in expects(state):
        if do == "fallen":
            all_offers.extend(_fallen(state))
        elif do == "claim_highest" and state.awards_left == 0:
            continue
        else:
            all_offers.append(_offer(state, do, phase))
    if state.rules.counts and phase not in ("clean", "colour", "finished") and state.site["supports"]:
        supports = Bag((("supports", state.site["supports"]),), 1)
        all_offers.append(Offer("fallen", player, (("to", "reserve"),), (("pieces", supports),), "possible"))
    return tuple(all_offers)


def _offer(state: State, do: str, phase: ActionPhase) -> Offer:
    urgency = "possible" if do in ("accident", "impossible", "exhausted") else "due"
    if do == "use_foreman_card" and phase in ("place", "turn"):
        urgency = "possible"
    return Offer(do, state.active, (), _fields(state, do, phase), urgency, addressed=do not in UNADDRESSED)  # type: ignore[arg-type]


def _fields(state: State, do: str, phase: ActionPhase) -> tuple[tuple[str, Field], ...]:
    match do:
        case "turn_card":
            return (("card", OneOf(turnable(state, phase))),)
        case "show_back":
            return (("back", OneOf(BACKS)),)
        case "say_colour":
            return (("colour", OneOf(_colours(state))),)
        case "done" if len(_colours(state)) > 1:
            return (("colour", OneOf(_colours(state))),)
        case "use_foreman_card":
            unseen = tuple(card.id for card in state.catalog.cards if card.id not in state.seen)
            return (("card", OneOf(unseen)), ("on", OneOf(("deck", "discard"))))
        case _:
            return ()


def _colours(state: State) -> tuple[str, ...]:
    """Return the colours between which a girder's is to be told."""
    action = action_of(state)
    if action is None or action.kind == "worker" or not state.rules.counts:
        return ()
    return action.colours


def _fallen(state: State) -> list[Offer]:
    """Offer what may have fallen: back into the reserve, and in the box what stays on the floor."""
    lying = tuple((piece, state.site[piece]) for piece in PIECES if state.site[piece])
    sources = [("reserve", lying)]
    if "skyscraper" in state.variants:
        sources.append(("floor", tuple(piece for piece in lying if piece[0] not in (*COLOURS, "supports"))))
    return [
        Offer("fallen", state.active, (("to", to),), (("pieces", Bag(bag, 1)),), "possible")
        for to, bag in sources
        if bag
    ]
