"""Corrections by the banker: players, pieces, cards, the boss, the hook, names."""

from collections.abc import Callable, Mapping
from typing import Any

from companion.engine.game import Refused
from companion.game_api.corrections import RenamePlayer, renamed, require_reason
from companion.game_api.seating import require_seated
from companion.games.men_at_work.rules import commands as c
from companion.games.men_at_work.rules import events as e
from companion.games.men_at_work.rules.decide import validate_floor, validate_pieces
from companion.games.men_at_work.rules.phases import Recorder
from companion.games.men_at_work.rules.state import HAND, Player, State

# What one player has, put right (refusals R11): certificates, awards, cards of the hand.


def correct_player(recorder: Recorder, command: c.CorrectPlayer) -> None:
    """Put a player right; whoever loses the last certificate is out, whoever has one again is in."""
    state = recorder.state
    require_seated(state.seats, command.player)
    before = state.player(command.player)
    certificates = before.certificates if command.certificates is None else command.certificates
    awards = before.awards if command.awards is None else command.awards
    hand = before.hand if command.hand is None else command.hand
    if (certificates, awards, hand) == (before.certificates, before.awards, before.hand):
        raise Refused("nothing_would_change")
    _validate_figures(state, before, certificates, awards)
    _validate_hand(state, before, hand)
    deck = state.deck + before.hand - hand
    recorder.record(
        e.PlayerCorrected(before.id, certificates, awards, hand, deck, certificates == 0, command.reason),
    )
    if state.finished:
        return
    if before.certificates and not certificates and state.active == before.id:
        recorder.pass_turn(clean=state.clean or state.accident)
    recorder.end_if_awards_won()
    recorder.end_if_one_left()


def _validate_figures(state: State, before: Player, certificates: int, awards: int) -> None:
    if not 0 <= certificates <= before.dealt:
        raise Refused("certificates_cannot_be", player=before.id, most=before.dealt)
    most = before.awards + state.awards_left
    if not 0 <= awards <= most:
        raise Refused("awards_cannot_be", player=before.id, most=most)


def _validate_hand(state: State, before: Player, hand: int) -> None:
    if hand == before.hand:
        return
    if "foreman" not in state.variants:
        raise Refused("no_hands")
    most = min(HAND, before.hand + max(0, state.free_in_pile))
    if not 0 <= hand <= most:
        raise Refused("hand_cannot_be", player=before.id, most=most)


# Pieces, cards of the pile, the boss, the hook.


def _correct_pieces(recorder: Recorder, command: c.CorrectPieces) -> None:
    state = recorder.state
    if not state.rules.counts:
        raise Refused("nothing_is_counted")
    if state.colour_asked is not None:
        raise Refused("not_now", do="correct_pieces", phase="colour")
    if command.from_ == command.to:
        raise Refused("same_place")
    if "floor" in (command.from_, command.to):
        validate_floor(state, command.pieces)
    lying = {"reserve": state.reserve, "site": state.site, "floor": state.floor}[command.from_]
    validate_pieces(lying, command.pieces)
    recorder.record(e.PiecesCorrected(command.from_, command.to, dict(command.pieces), command.reason))


def _correct_card(recorder: Recorder, command: c.CorrectCard) -> None:
    state, card = recorder.state, command.card
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
    recorder.record(e.CardCorrected(card, command.to, deck, command.reason))


def _correct_boss(recorder: Recorder, command: c.CorrectBoss) -> None:
    state = recorder.state
    if command.on_duty == state.on_duty:
        raise Refused("nothing_would_change")
    deck = state.deck - 1 if command.on_duty else state.deck + 1
    recorder.record(e.BossCorrected(command.on_duty, deck, command.reason))
    if not command.on_duty and recorder.state.highest_asked:
        recorder.record(e.NobodyHighest(recorder.state.active))
        recorder.pass_turn(clean=recorder.state.accident)


def _correct_turn(recorder: Recorder, command: c.CorrectTurn) -> None:
    state = recorder.state
    require_seated(state.seats, command.player)
    if state.player(command.player).out:
        raise Refused("player_is_out", player=command.player)
    clean = command.clean if command.clean is not None else state.clean or state.accident
    recorder.record(e.TurnCorrected(command.player, state.turn + 1, clean, command.reason))


def _renamed(recorder: Recorder, command: RenamePlayer) -> None:
    recorder.record(renamed(recorder.state.players, command.player, command.name))


CORRECTIONS: Mapping[type, Callable[[Recorder, Any], None]] = {
    c.CorrectPlayer: correct_player,
    c.CorrectPieces: _correct_pieces,
    c.CorrectCard: _correct_card,
    c.CorrectBoss: _correct_boss,
    c.CorrectTurn: _correct_turn,
    RenamePlayer: _renamed,
}
"""How each is decided; after the end only players are put right."""


def put_right(recorder: Recorder, command: Any) -> None:
    """Put the books right; ``Refused``."""
    if recorder.state.finished and not isinstance(command, c.CorrectPlayer | RenamePlayer):
        raise Refused("game_over")
    if not isinstance(command, RenamePlayer):
        require_reason(command.reason)
    CORRECTIONS[type(command)](recorder, command)
