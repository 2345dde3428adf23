"""The meaning of each command card of Men at Work, by phase, for the active player."""

from collections.abc import Callable, Mapping, Sequence

from companion.engine.game import Offer, Position, Question
from companion.game_api.messages import Command, verb_of
from companion.games.men_at_work.rules import commands as c
from companion.games.men_at_work.rules.catalog import COLOURS, Colour
from companion.games.men_at_work.rules.phases import ActionPhase, action_of, phase_of
from companion.games.men_at_work.rules.state import State

CardReading = Command | Question | None
_COLOURS: Mapping[str, Colour] = {colour: colour for colour in COLOURS}
_PIECES: Mapping[str, str] = {
    "worker": "workers",
    "support": "supports",
    "beam": "beams",
    "brick": "bricks",
    **{colour: colour for colour in COLOURS},
}
_STAY = ("workers", "beams", "bricks")
"""What fell onto the floor of the box stays there, and what fell from it does not: then it is asked."""


def command_card(position: Position[State], offers: Sequence[Offer], word: str) -> CardReading:
    """Return the command that a word stands for now and that is offered, or a question first; else ``None``."""
    state = position.state
    phase = phase_of(state)
    if word == "accident":
        reading: CardReading = c.Accident(state.active)
    else:
        reading = _BY_PHASE[phase](state, word) if phase in _BY_PHASE else None
    if reading is None:
        return None
    given: object = reading.yes if isinstance(reading, Question) else reading
    verb = verb_of(type(given))
    return reading if any(offer.do == verb and offer.player == state.active for offer in offers) else None


def _placing(state: State, word: str) -> CardReading:
    player, action = state.active, action_of(state)
    if word in _COLOURS:
        colour = _COLOURS[word]
        return c.Done(player, colour=colour) if action is not None and colour in action.colours else None
    if word == "support":
        return _fallen(state, word)
    simple: Mapping[str, Command] = {
        "done": c.Done(player),
        "highest": c.Done(player, highest=True),
        "impossible": c.Impossible(player),
        "exhausted": c.Exhausted(player),
    }
    return simple.get(word)


def _supplying(state: State, word: str) -> CardReading:
    return c.Pass(state.active) if word == "pass" else None


def _colouring(state: State, word: str) -> CardReading:
    action = action_of(state)
    colours = () if action is None else action.colours
    if word in ("yes", "no"):
        at = ("yes", "no").index(word)
        return c.SayColour(state.active, _COLOURS[colours[at]]) if at < len(colours) else None
    return c.SayColour(state.active, _COLOURS[word]) if word in _COLOURS else None


def _cleaning(state: State, word: str) -> CardReading:
    if word == "done":
        return c.Cleaned(state.active)
    return _fallen(state, word) if word in _PIECES else None


def _comparing(state: State, word: str) -> CardReading:
    if word in ("yes", "highest"):
        return c.ClaimHighest(state.active)
    return c.Nobody(state.active) if word in ("no", "done") else None


def _shuffling(state: State, word: str) -> CardReading:
    del state
    return c.Reshuffle() if word == "done" else None


def _fallen(state: State, word: str) -> CardReading:
    """Put one piece back into the reserve; of a skyscraper some stay where they fell."""
    piece = _PIECES[word]
    if not state.site[piece]:
        return None
    back = c.Fallen(state.active, {piece: 1}, "reserve")
    if "skyscraper" not in state.variants or piece not in _STAY:
        return back
    stays = c.Fallen(state.active, {piece: 1}, "floor")
    return Question("", "fell_to_the_floor", (("piece", piece),), yes=stays, no=back)


_BY_PHASE: Mapping[ActionPhase, Callable[[State, str], CardReading]] = {
    "place": _placing,
    "supply": _supplying,
    "colour": _colouring,
    "clean": _cleaning,
    "highest": _comparing,
    "reshuffle": _shuffling,
}
