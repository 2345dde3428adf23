"""Which moment of the game it is, and what it waits for."""

from typing import Literal, TypeAlias

from companion.engine.errors import Refused
from companion.games.men_at_work.rules.judging import action_of
from companion.games.men_at_work.rules.state import State

Phase: TypeAlias = Literal["turn", "back", "place", "supply", "colour", "highest", "clean", "reshuffle", "finished"]


def phase_of(state: State) -> Phase:
    """Name the moment: the first that fits."""
    if state.finished:
        return "finished"
    if state.colour_asked is not None:
        return "colour"
    if state.highest_asked:
        return "highest"
    if state.clean:
        return "clean"
    if state.deck == 0:
        return "reshuffle"
    if not state.turned:
        return "turn"
    return "back" if state.back is None else _of_action(state)


def _of_action(state: State) -> Phase:
    action = action_of(state)
    match action.status if action else "impossible":
        case "possible":
            return "place"
        case "exhausted":
            return "supply"
        case _:
            return "turn"


def expects(state: State) -> tuple[str, ...]:
    """Name the kinds of commands that the active player may give now."""
    phase = phase_of(state)
    if phase == "finished":
        return ()
    foreman = ("use_foreman_card",) if state.may_play_foreman() else ()
    counts = state.rules.counts
    due: dict[Phase, tuple[str, ...]] = {
        "colour": ("say_colour",),
        "highest": ("claim_highest", "nobody"),
        "clean": ("cleaned", "fallen") if counts else ("cleaned",),
        "reshuffle": ("reshuffle",),
        "back": ("show_back", "turn_card") if state.plain_boss_in_pile else ("show_back",),
        "turn": ("turn_card", *foreman) if state.turned else ("turn_card",),
        "supply": ("use_foreman_card", "pass"),
        "place": ("done", *foreman) if counts else ("done", *foreman, "impossible", "exhausted"),
    }
    return due[phase] if state.accident else (*due[phase], "accident")


def must_expect(state: State, do: str, player: str | None = None) -> Phase:
    """Check that a command may be given now, by that player; ``Refused``."""
    if state.finished:
        raise Refused("game_over")
    if player is not None:
        turn_of(state, player)
    if do not in expects(state):
        raise Refused("not_now", do=do, phase=phase_of(state))
    return phase_of(state)


def turn_of(state: State, player: str) -> None:
    """Check that a player sits here and holds the hook; ``Refused``."""
    if player not in state.seats:
        raise Refused("unknown_player", player=player)
    if player != state.active:
        raise Refused("not_your_turn", player=player, waiting=(state.active,))
