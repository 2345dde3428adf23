"""What the banker puts right: a player's cards, pieces, cards of the pile, the boss, the hook, names."""

from typing import TypeAlias

from companion.engine.errors import Refused
from companion.games.men_at_work.rules import commands as c
from companion.games.men_at_work.rules import events as e
from companion.games.men_at_work.rules.accidents import sound_floor, sound_pieces
from companion.games.men_at_work.rules.course import Course
from companion.games.men_at_work.rules.player_corrections import correct_player
from companion.games.men_at_work.rules.seats import sound_name
from companion.games.men_at_work.rules.state import State

Correction: TypeAlias = (
    c.CorrectPlayer | c.CorrectPieces | c.CorrectCard | c.CorrectBoss | c.CorrectTurn | c.RenamePlayer
)
CORRECTIONS = (c.CorrectPlayer, c.CorrectPieces, c.CorrectCard, c.CorrectBoss, c.CorrectTurn, c.RenamePlayer)


def put_right(course: Course, command: Correction) -> None:
    """Put the books right; ``Refused``."""
    if course.state.finished and not isinstance(command, c.CorrectPlayer | c.RenamePlayer):
        raise Refused("game_over")
    if not isinstance(command, c.RenamePlayer) and not command.reason.strip():
        raise Refused("reason_missing")
    match command:
        case c.CorrectPlayer():
            correct_player(course, command)
        case c.CorrectPieces():
            _pieces(course, command)
        case c.CorrectCard():
            _card(course, command)
        case c.CorrectBoss():
            _boss(course, command)
        case c.CorrectTurn():
            _turn(course, command)
        case _:
            seated(course.state, command.player)
            course.happens(e.PlayerRenamed(command.player, sound_name(command.name)))


def seated(state: State, player: str) -> None:
    """Check that a player sits here; ``Refused``."""
    if player not in state.seats:
        raise Refused("unknown_player", player=player)


def _pieces(course: Course, command: c.CorrectPieces) -> None:
    state = course.state
    if not state.rules.counts:
        raise Refused("nothing_is_counted")
    if state.colour_asked is not None:
        raise Refused("not_now", do="correct_pieces", phase="colour")
    if command.from_ == command.to:
        raise Refused("same_place")
    if "floor" in (command.from_, command.to):
        sound_floor(state, command.pieces)
    lying = {"reserve": state.reserve, "site": state.site, "floor": state.floor}[command.from_]
    sound_pieces(lying, command.pieces)
    course.happens(e.PiecesCorrected(command.from_, command.to, dict(command.pieces), command.reason))


def _card(course: Course, command: c.CorrectCard) -> None:
    state, card = course.state, command.card
    if state.catalog.card(card) is None:
        raise Refused("unknown_card", card=card)
    if card in state.on_pile:
        raise Refused("played_onto_the_pile", card=card)
    if state.discard[-1:] == (card,):
        raise Refused("top_of_the_discard", card=card)
    if (command.to == "discard") == (card in state.discard):
        raise Refused("lies_there_already", card=card)
    if command.to == "discard" and state.free_in_pile < 1:
        raise Refused("not_in_the_pile", card=card)
    deck = state.deck - 1 if command.to == "discard" else state.deck + 1
    course.happens(e.CardCorrected(card, command.to, deck, command.reason))


def _boss(course: Course, command: c.CorrectBoss) -> None:
    state = course.state
    if command.on_duty == state.on_duty:
        raise Refused("nothing_would_change")
    deck = state.deck - 1 if command.on_duty else state.deck + 1
    course.happens(e.BossCorrected(command.on_duty, deck, command.reason))
    if not command.on_duty and course.state.highest_asked:
        course.happens(e.NobodyHighest(course.state.active))
        course.pass_on(clean=course.state.accident)


def _turn(course: Course, command: c.CorrectTurn) -> None:
    state = course.state
    seated(state, command.player)
    if state.player(command.player).out:
        raise Refused("player_is_out", player=command.player)
    clean = command.clean if command.clean is not None else state.clean or state.accident
    course.happens(e.TurnCorrected(command.player, state.turn + 1, clean, command.reason))
