"""Accidents and the cleaning after them (rulings MW-D11 to D14, D16, D17, D24)."""

from companion.engine.errors import Refused
from companion.games.men_at_work.rules import commands as c
from companion.games.men_at_work.rules import events as e
from companion.games.men_at_work.rules.course import Course
from companion.games.men_at_work.rules.judging import used_up
from companion.games.men_at_work.rules.moments import Phase, must_expect, phase_of, turn_of
from companion.games.men_at_work.rules.pieces import COLOURS, PIECES, Counts
from companion.games.men_at_work.rules.placing import after_accident, asks_colour, place, sound_colour, standing
from companion.games.men_at_work.rules.state import ColourAsked, State


def accident(course: Course, command: c.Accident) -> None:
    """Take a certificate, and let the next player clean up."""
    phase = must_expect(course.state, "accident", command.player)
    if command.colour is not None:
        if phase not in ("place", "colour"):
            raise Refused("no_colour_here")
        sound_colour(course.state, standing(course.state), command.colour)
    action = standing(course.state) if phase in ("place", "colour") else None
    _certificate(course, phase)
    if course.state.finished:
        return
    if action is None:
        _without_pieces(course, phase)
    elif asks_colour(course.state, action, command.colour):
        if phase == "place":
            course.happens(e.ColourWanted(command.player, ColourAsked(action, accident=True)))
    else:
        if phase == "colour" and command.colour is not None:
            course.happens(e.ColourSaid(command.player, command.colour))
        if course.state.rules.counts:
            place(course, action, command.colour)
        after_accident(course)


def _certificate(course: Course, phase: Phase) -> None:
    player = course.state.player(course.state.active)
    kept = phase == "clean" and course.state.rules.cleaning_accident == "turn_only"
    lost = 0 if kept else 1
    course.happens(e.AccidentHappened(player.id, lost, player.certificates - lost))
    if player.certificates == lost:
        course.happens(e.PlayerEliminated(player.id))
        course.test_last_standing()


def _without_pieces(course: Course, phase: Phase) -> None:
    """Go on after an accident at a moment when no piece was under way."""
    state = course.state
    still_asked = state.rules.award_after_accident == "asked" and not state.player(state.active).out
    if phase != "highest" or not still_asked:
        course.pass_on(clean=True)


def fallen(course: Course, command: c.Fallen) -> None:
    """Put pieces that lie beside the site back into the reserve, or leave them on the floor of the box."""
    state = course.state
    if state.finished:
        raise Refused("game_over")
    turn_of(state, command.player)
    phase = phase_of(state)
    if not state.rules.counts:
        raise Refused("nothing_is_counted")
    if phase == "colour":
        raise Refused("not_now", do="fallen", phase=phase)
    sound_pieces(state.site, command.pieces)
    if phase != "clean" and set(command.pieces) != {"supports"}:
        raise Refused("only_supports_now")
    if command.to == "floor":
        sound_floor(state, command.pieces)
    course.happens(e.PiecesFell(command.player, dict(command.pieces), command.to))


def cleaned(course: Course, command: c.Cleaned) -> None:
    """Go on with the turn once everything is cleaned up."""
    must_expect(course.state, "cleaned", command.player)
    course.happens(e.SiteCleaned(command.player))
    if used_up(course.state):
        course.stop()


def sound_pieces(lying: Counts, pieces: Counts) -> None:
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


def sound_floor(state: State, pieces: Counts) -> None:
    """Check that pieces may lie on the floor of the box; ``Refused``."""
    if "skyscraper" not in state.variants:
        raise Refused("no_floor")
    for piece in pieces:
        if piece in COLOURS or piece == "supports":
            raise Refused("never_on_the_floor", piece=piece)
