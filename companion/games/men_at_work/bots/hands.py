"""The moves of a bot: place, let fall, clean, claim.  The strength is how seldom something falls."""

from collections.abc import Sequence
from typing import TypeAlias, TypeVar, cast

from companion.engine.game import NumberSource
from companion.game_api.messages import Command
from companion.games.men_at_work.bots.piles import ShuffledPile, back_of, shows_nothing
from companion.games.men_at_work.rules import commands as c
from companion.games.men_at_work.rules.catalog import BOSS, COLOURS, PIECES, Back, Colour
from companion.games.men_at_work.rules.phases import ActionPhase, action_of, phase_of
from companion.games.men_at_work.rules.state import DISCARD, PILE, PileOrDiscard, State

T = TypeVar("T")
HookMove: TypeAlias = tuple[Command, tuple[str, ...], str | None]
"""A command, the cards that are laid to give it, and the zone of a mat in which they are laid."""

TREMBLING = {"trembling": 30, "middle": 14, "steady": 6}
"""How many times of a hundred what a bot of a strength places falls; the weakest first."""
HIGHEST, FALLEN, FOREMAN, ALWAYS = 30, 60, 15, 100
"""How many times of a hundred a piece is the highest, something lies there to be put back, a foreman card is played."""


def next_act(state: State, piles: ShuffledPile, strength: str, lots: NumberSource) -> HookMove | None:
    """Return what the holder of the hook does, and which card is turned for it; ``None``: the game is over."""
    phase = phase_of(state)
    if phase == "finished":
        return None
    if phase in ("turn", "back", "reshuffle"):
        return _cards(state, piles, phase, lots)
    return _answer(state, piles, phase, TREMBLING[strength], lots), (), None


def _cards(state: State, piles: ShuffledPile, phase: ActionPhase, lots: NumberSource) -> HookMove:
    if phase == "reshuffle":
        return c.Reshuffle(), (), None
    top = piles.pile(state)[0]
    played = _foreman(state, piles, lots, FOREMAN) if state.turned and phase == "turn" else None
    if played is not None:
        return played, (), None
    if phase == "turn" or (top == BOSS and shows_nothing(state.catalog, top)):
        return c.TurnCard(top), (top,), DISCARD
    back = cast("Back", back_of(state.catalog, top))
    return c.ShowBack(back), (back,), PILE


def _answer(state: State, piles: ShuffledPile, phase: ActionPhase, falls: int, lots: NumberSource) -> Command:
    player = state.active
    match phase:
        case "colour":
            return c.SayColour(player, _colour(state, lots))
        case "highest":
            claims = state.awards_left and lots(100) < HIGHEST
            return c.ClaimHighest(player) if claims else c.Nobody(player)
        case "clean":
            return _cleaning(state, lots)
        case "supply":
            return _foreman(state, piles, lots, ALWAYS) or c.Pass(player)
        case _:
            if not state.accident and lots(100) < falls:
                return c.Accident(player)
            return _foreman(state, piles, lots, FOREMAN) or c.Done(player)


def _colour(state: State, lots: NumberSource) -> Colour:
    action = action_of(state)
    return _choose(lots, [colour for colour in COLOURS if action is not None and colour in action.colours])


def _cleaning(state: State, lots: NumberSource) -> Command:
    lying = [piece for piece in PIECES if state.site[piece]]
    if state.rules.counts and lying and lots(100) < FALLEN:
        return c.Fallen(state.active, {_choose(lots, lying): 1})
    return c.Cleaned(state.active)


def _foreman(state: State, piles: ShuffledPile, lots: NumberSource, wish: int) -> c.UseForemanCard | None:
    """Play a card of the hand, if one may be played and the bot likes to."""
    hand = piles.hand(state, state.active)
    if not hand or not state.may_play_foreman() or lots(100) >= wish:
        return None
    return c.UseForemanCard(state.active, _choose(lots, hand), _place(lots))


def _place(lots: NumberSource) -> PileOrDiscard:
    return "deck" if lots(2) else "discard"


def _choose(lots: NumberSource, values: Sequence[T]) -> T:
    return values[lots(len(values))]
