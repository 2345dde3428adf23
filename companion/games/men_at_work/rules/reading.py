"""The meaning of a card that is laid down.

On a mat a front counts on the discard, and a back on the pile alone; on a tray both do, the front first.
"""

from companion.engine.game import Placement, Question
from companion.game_api.messages import Command
from companion.games.men_at_work.rules import commands as c
from companion.games.men_at_work.rules.catalog import BACKS, BOSS
from companion.games.men_at_work.rules.decide import known_under
from companion.games.men_at_work.rules.phases import expects, phase_of
from companion.games.men_at_work.rules.state import DISCARD, PILE, BackShown, GamePosition, State

Reading = Command | Question | None


def read(position: GamePosition, placement: Placement) -> Reading:
    """Read a front as turned, with the back that lies on the pile then; a back as what lies on the pile."""
    state, card = position.state, placement.card
    if state.finished:
        return None
    if card in BACKS:
        return _back(state, card, placement.zone)
    if card != BOSS and state.catalog.card(card) is None:
        return Question(card, "unknown_card", (("card", card),))
    expected = expects(state)
    turn = "turn_card" in expected
    due = turn and phase_of(state) == "turn"
    laid = placement.zone in (PILE, DISCARD)
    if "use_foreman_card" in expected and card != BOSS and card not in state.seen and (laid or not turn):
        return _foreman(state, placement, turn=turn)
    if placement.zone == PILE or (card in state.discard and (placement.zone == DISCARD or due)):
        return None  # it lies there already, as after a restart or a hand that covered it
    if card == BOSS and state.on_duty and turn:
        return None  # she lies aside, wherever that is
    if due or (turn and card == BOSS):
        return _turned(state, placement)
    return Question(card, "card_means_nothing", (("card", card), ("phase", phase_of(state))))


def _back(state: State, back: BackShown, zone: str) -> Reading:
    if zone == DISCARD:
        return Question(back, "wrong_way_up", (("card", back),))
    match phase_of(state):
        case "back":
            return c.ShowBack(back)
        case "reshuffle":
            return c.Reshuffle(back)
        case _:
            return None


def _turned(state: State, placement: Placement) -> Reading:
    """Turn a card; where it should have had another back, somebody says that it was this one."""
    card = placement.card
    top = placement.top(PILE)
    back: BackShown | None = next((back for back in BACKS if back == top), None)
    nameable = state.deck > 1 and known_under(state) in (None, back)
    turned = c.TurnCard(card, back if nameable else None)
    printed = state.catalog.boss.back if card == BOSS else state.catalog.back_of(card)
    if state.back in (None, printed):
        return turned
    return Question(card, "unlike_back", (("card", card), ("back", state.back)), yes=turned)


def _foreman(state: State, placement: Placement, *, turn: bool) -> Reading:
    """Ask whether a card that nobody has seen comes from a hand; what lies on a tray lies on neither pile."""
    card, zone = placement.card, placement.zone
    if zone not in (PILE, DISCARD):
        return Question(card, "foreman_card_where", (("card", card),))
    turned = _turned(state, placement) if turn and zone == DISCARD else None
    played = c.UseForemanCard(state.active, card, "deck" if zone == PILE else "discard")
    no = turned.yes if isinstance(turned, Question) else turned
    return Question(card, "foreman_card", (("card", card),), yes=played, no=no)
