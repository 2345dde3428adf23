"""What a card that is laid down means now."""

from companion.engine.game import Question
from companion.engine.placement import Placement
from companion.games.men_at_work.rules import commands as c
from companion.games.men_at_work.rules.catalog import BOSS
from companion.games.men_at_work.rules.moments import phase_of
from companion.games.men_at_work.rules.pieces import BACKS
from companion.games.men_at_work.rules.state import Here


def read(here: Here, placement: Placement) -> c.Command | Question | None:
    """Read a front as turned, a back as what lies on the pile; at any other moment a card is a question."""
    state, card = here.state, placement.card
    phase = phase_of(state)
    if phase == "finished":
        return None
    if card in BACKS:
        if phase == "back":
            return c.ShowBack(card)
        if phase == "reshuffle":
            return c.Reshuffle(card)
        return None
    if card != BOSS and state.catalog.card(card) is None:
        return Question(card, "unknown_card", (("card", card),))
    if phase == "turn" or (phase == "back" and card == BOSS and state.plain_boss_in_pile):
        return c.TurnCard(card)
    return Question(card, "card_means_nothing", (("card", card), ("phase", phase)))
