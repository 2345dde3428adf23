"""What one player has, put right (refusals R11): certificates, awards, cards of the hand."""

from companion.engine.errors import Refused
from companion.games.men_at_work.rules import commands as c
from companion.games.men_at_work.rules import events as e
from companion.games.men_at_work.rules.course import Course
from companion.games.men_at_work.rules.setup import HAND
from companion.games.men_at_work.rules.state import Player, State


def correct_player(course: Course, command: c.CorrectPlayer) -> None:
    """Put a player right; whoever loses the last certificate is out, whoever has one again is in."""
    state = course.state
    if command.player not in state.seats:
        raise Refused("unknown_player", player=command.player)
    before = state.player(command.player)
    certificates = before.certificates if command.certificates is None else command.certificates
    awards = before.awards if command.awards is None else command.awards
    hand = before.hand if command.hand is None else command.hand
    if (certificates, awards, hand) == (before.certificates, before.awards, before.hand):
        raise Refused("nothing_would_change")
    _sound(state, before, certificates, awards)
    _sound_hand(state, before, hand)
    deck = state.deck + before.hand - hand
    course.happens(
        e.PlayerCorrected(before.id, certificates, awards, hand, deck, certificates == 0, command.reason),
    )
    if state.finished:
        return
    if before.certificates and not certificates and state.active == before.id:
        course.pass_on(clean=state.clean or state.accident)
    course.test_awards()
    course.test_last_standing()


def _sound(state: State, before: Player, certificates: int, awards: int) -> None:
    if not 0 <= certificates <= before.dealt:
        raise Refused("certificates_cannot_be", player=before.id, most=before.dealt)
    most = before.awards + state.awards_left
    if not 0 <= awards <= most:
        raise Refused("awards_cannot_be", player=before.id, most=most)


def _sound_hand(state: State, before: Player, hand: int) -> None:
    if hand == before.hand:
        return
    if "foreman" not in state.variants:
        raise Refused("no_hands")
    most = min(HAND, before.hand + max(0, state.free_in_pile))
    if not 0 <= hand <= most:
        raise Refused("hand_cannot_be", player=before.id, most=most)
