"""Cards: turning one, seeing the back of the next, shuffling the discard again (rulings MW-D01, D05, D06, D20)."""

from companion.engine.errors import Refused
from companion.games.men_at_work.rules import commands as c
from companion.games.men_at_work.rules import events as e
from companion.games.men_at_work.rules.catalog import BOSS
from companion.games.men_at_work.rules.course import Course
from companion.games.men_at_work.rules.fields import BackShown
from companion.games.men_at_work.rules.moments import Phase, must_expect
from companion.games.men_at_work.rules.state import State


def turn_card(course: Course, command: c.TurnCard) -> None:
    """Turn the top card of the pile: an instruction onto the discard, the boss aside."""
    state = course.state
    phase = must_expect(state, "turn_card")
    _can_be_turned(state, command.card, phase)
    under = known_under(state)
    back = _next_back(state, command.back, under)
    if command.card == BOSS:
        course.happens(e.BossTurned(back, front_stays=phase == "back"))
        return
    printed = state.catalog.back_of(command.card)
    unlike = state.back if state.back not in (None, printed) else None
    course.happens(e.CardTurned(command.card, back, unlike))


def turnable(state: State, phase: Phase) -> tuple[str, ...]:
    """List the cards that may lie on top of the pile."""
    if phase == "back":
        return (BOSS,)
    if state.on_pile:
        return state.on_pile[-1:]
    boss = () if state.on_duty else (BOSS,)
    if state.deck == 1 and boss:
        return boss
    return (*(card.id for card in state.catalog.cards if card.id not in state.discard), *boss)


def show_back(course: Course, command: c.ShowBack) -> None:
    """Record the back on top of the pile."""
    must_expect(course.state, "show_back")
    course.happens(e.BackSeen(command.back))


def reshuffle(course: Course, command: c.Reshuffle) -> None:
    """Make a pile of all cards of the discard but the top one."""
    must_expect(course.state, "reshuffle")
    course.happens(e.PileReshuffled(max(0, len(course.state.discard) - 1), command.back))


def _can_be_turned(state: State, card: str, phase: Phase) -> None:
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
    """Give the back of a card that was played onto the pile and is on top once another is turned."""
    return state.catalog.back_of(state.on_pile[-2]) if len(state.on_pile) > 1 else None


def _next_back(state: State, said: BackShown | None, under: BackShown | None) -> BackShown | None:
    """Give the back that is on top after a card was turned, as far as it is known."""
    if said is not None and state.deck == 1:
        raise Refused("no_card_left_to_show")
    if said is not None and under is not None and said != under:
        raise Refused("known_back", back=under)
    return said or under
