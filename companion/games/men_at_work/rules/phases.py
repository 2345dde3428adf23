"""The phase of a turn, what its action asks for, and the recorder of what a command leads to."""

from typing import Literal, TypeAlias

from companion.engine.game import Refused
from companion.game_api.event_recorder import EventRecorder
from companion.game_api.messages import Event
from companion.game_api.seating import require_player, require_turn
from companion.games.men_at_work.rules import events as e
from companion.games.men_at_work.rules.catalog import (
    COLOURS,
    GIRDERS,
    MATERIALS,
    Back,
    Counts,
    Instruction,
    Kind,
    Need,
    colours_on_back,
)
from companion.games.men_at_work.rules.evolve import evolve
from companion.games.men_at_work.rules.state import Action, GamePosition, State, Status

# What an action is, and whether it can be done: by what the site lacks, and by what the reserve lacks.


def action_of(state: State) -> Action | None:
    """Return the action that stands there, or whose colour is asked, even where a correction empties the pile then.

    ``None`` before a card was turned and a back seen, and in every other question.
    """
    if state.colour_asked is not None:
        return state.colour_asked.action
    if state.finished or state.clean or state.highest_asked or not state.turned or not state.deck:
        return None
    if state.back is None or not state.discard:
        return None
    return _judged(state, state.back, state.discard[-1])


def _judged(state: State, back: Back, top: str) -> Action:
    """Rule on the action of a back and a front (rulings MW-D08 to D10; D27 where nothing is counted)."""
    card = next(card for card in state.catalog.cards if card.id == top)
    kind: Kind = "girder" if back[0] == "G" else "worker"
    how = state.catalog.instruction(card.girder if kind == "girder" else card.worker)
    taken = _taken(how)
    status, colours = _judgement(state, how, colours_on_back(back), taken)
    on_highest = kind == "worker" and "foreman" in state.variants
    return Action(top, back, kind, how.id, colours, taken, status, on_highest)


def _taken(how: Instruction) -> dict[str, int]:
    """Return what an action takes from the reserve: the girder or the worker, and what it uses besides."""
    uses: dict[str, int] = dict(how.uses)
    if how.kind == "girder":
        return {GIRDERS: 1, **uses}
    return {"workers": 1 + uses.pop("workers", 0), **uses}


def _judgement(
    state: State, how: Instruction, colours: tuple[str, ...], taken: Counts
) -> tuple[Status, tuple[str, ...]]:
    if not state.rules.counts:
        return (state.said, ()) if state.said else ("possible", colours)
    suiting = tuple(colour for colour in colours if _suits(how, colour, state.site))
    if not suiting:
        return "impossible", ()
    reserve = state.reserve
    there = colours if how.kind == "worker" else tuple(colour for colour in colours if reserve[colour] > 0)
    if not there or any(reserve[piece] < taken.get(piece, 0) for piece in MATERIALS):
        return "exhausted", ()
    usable = tuple(colour for colour in suiting if colour in there)
    return ("possible", usable) if usable else ("impossible", ())


def _suits(how: Instruction, colour: str, site: Counts) -> bool:
    """Return whether the site has what an instruction wants for a colour; a helmet stands on a girder of it."""
    on_a_girder = how.kind == "girder" or site[colour] > 0
    return on_a_girder and all(_holds(need, colour, site) for need in how.needs)


def _holds(need: Need, colour: str, site: Counts) -> bool:
    others = sum(site[other] > 0 for other in COLOURS if other != colour)
    match need:
        case "girder":
            return any(site[colour] for colour in COLOURS)
        case "same_colour":
            return site[colour] > 0
        case "other_colour":
            return others >= 1
        case "two_other_colours":
            return others >= 2  # noqa: PLR2004 - as its name says
        case "worker":
            return site["workers"] > 0
        case _:
            return site["supports"] > 0


def piece_counts(action: Action, colour: str | None) -> dict[str, int]:
    """Return the pieces of an action kind by kind, its girder being of a colour."""
    counts = {piece: count for piece, count in action.pieces.items() if piece != GIRDERS}
    return {colour: 1, **counts} if colour is not None else counts


def used_up(state: State) -> bool:
    """Return whether the reserve is down to nothing as the table ends its game by (ruling MW-D09)."""
    rules = state.rules
    if not rules.counts or rules.exhausted == "needed":
        return False
    reserve = state.reserve
    girders = sum(reserve[colour] for colour in COLOURS)
    others = (girders, reserve["supports"], reserve["beams"], reserve["bricks"])
    if rules.exhausted == "one_kind":
        return reserve["workers"] == 0 or 0 in others
    return reserve["workers"] == 0 or not any(others)


# Which moment of the game it is, and what it waits for.

ActionPhase: TypeAlias = Literal[
    "turn", "back", "place", "supply", "colour", "highest", "clean", "reshuffle", "finished"
]


def phase_of(state: State) -> ActionPhase:
    """Return the moment: the first that fits."""
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


def _of_action(state: State) -> ActionPhase:
    action = action_of(state)
    match action.status if action else "impossible":
        case "possible":
            return "place"
        case "exhausted":
            return "supply"
        case _:
            return "turn"


def expects(state: State) -> tuple[str, ...]:
    """Return the kinds of commands that the active player may give now."""
    phase = phase_of(state)
    if phase == "finished":
        return ()
    foreman = ("use_foreman_card",) if state.may_play_foreman() else ()
    counts = state.rules.counts
    due: dict[ActionPhase, tuple[str, ...]] = {
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


def require_expected(state: State, do: str, player: str | None = None) -> None:
    """Check that a command may be given now, by that player; ``Refused``."""
    if state.finished:
        raise Refused("game_over")
    if player is not None:
        require_player(state, player)
        require_turn(player, (state.active,))
    if do not in expects(state):
        raise Refused("not_now", do=do, phase=phase_of(state))


# What a command leads to, with the steps that several commands share.


class Recorder(EventRecorder[State, Event]):
    """The events of one command so far, and the position after them."""

    def __init__(self, position: GamePosition) -> None:
        """Begin with a position; no event of this game moves money."""
        super().__init__(position, evolve, lambda _: None)

    def pass_turn(self, *, clean: bool) -> None:
        """Pass the hook to the next player who is not out."""
        self.record(e.TurnPassed(self.state.next_player(), self.state.turn + 1, clean))

    def end_turn(self) -> None:
        """End a turn that had no accident, or pass on what is to be cleaned up."""
        if not self.state.accident and used_up(self.state):
            self.stop()
        else:
            self.pass_turn(clean=self.state.accident)

    def stop(self) -> None:
        """End the game: the reserve is exhausted."""
        self.record(e.GameEnded("exhausted"))

    def ask_highest(self) -> None:
        """Ask whether a piece of this turn is the highest now."""
        self.record(e.HighestWanted(self.state.active))

    def award(self) -> None:
        """Record an award of the active player; enough of them end the game."""
        player = self.state.player(self.state.active)
        self.record(e.AwardWon(player.id, player.awards + 1))
        self.end_if_awards_won()

    def end_if_awards_won(self) -> None:
        """End the game where somebody who still plays has the awards needed, from the active player on."""
        state = self.state
        at = state.seats.index(state.active)
        around = (*state.seats[at:], *state.seats[:at])
        for player in map(state.player, around):
            if not player.out and player.awards >= state.awards_needed:
                self.record(e.GameEnded("awards", player.id))
                return

    def end_if_one_left(self) -> None:
        """End the game where one player alone has certificates left."""
        if not self.state.finished and len(self.state.left_in) == 1:
            self.record(e.GameEnded("last_standing", self.state.left_in[0]))
