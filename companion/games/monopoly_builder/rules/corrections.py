"""Corrections by the banker: money, cards, chips, names, counts, tokens, blocks and turns."""

from collections.abc import Callable, Mapping
from typing import Any

from companion.engine.game import Refused
from companion.engine.ledger import BANK
from companion.game_api.corrections import RenamePlayer, renamed, require_reason
from companion.game_api.seating import require_player
from companion.games.monopoly_builder.rules import commands as c
from companion.games.monopoly_builder.rules import events as e
from companion.games.monopoly_builder.rules.accounting import cash
from companion.games.monopoly_builder.rules.catalog import MOST_TRIES, PENTHOUSE
from companion.games.monopoly_builder.rules.phases import (
    Recorder,
    require_chance,
    require_chips,
    require_money,
    require_solvent,
    validate_amount,
)
from companion.games.monopoly_builder.rules.state import State

# What stands on a cell, where a token is, whose turn it is: put right by the banker (refusals R50 to R52).


def correct_block(recorder: Recorder, command: c.CorrectBlock) -> None:
    """Put right what stands on a cell."""
    state = recorder.state
    if command.cell not in state.catalog.foundation.cells:
        raise Refused("unknown_cell", cell=command.cell)
    if not 0 <= command.height < PENTHOUSE:
        raise Refused("no_such_height", height=command.height)
    if (command.owner is None) != (command.height == 0):
        raise Refused("say_the_owner")
    stands = state.building(command.cell)
    if stands is not None and stands.height == PENTHOUSE:
        raise Refused("the_penthouse_stands")
    if command.owner is not None:
        require_player(state, command.owner)
        there = stands.height if stands is not None and stands.owner == command.owner else 0
        if command.height > state.blocks(command.owner) + there:
            raise Refused("no_block_left", player=command.owner)
    if ((stands.owner, stands.height) if stands else (None, 0)) == (command.owner, command.height):
        raise Refused("nothing_would_change")
    recorder.record(e.BlockCorrected(command.cell, command.owner, command.height, command.reason))


def correct_position(recorder: Recorder, command: c.CorrectPosition) -> None:
    """Put a token to where it stands; nothing is taken, paid or carried out."""
    player = require_solvent(recorder.state, command.player)
    if not 0 <= command.space < len(recorder.catalog.spaces):
        raise Refused("unknown_space", space=command.space)
    if command.in_jail and command.space != recorder.catalog.jail:
        raise Refused("jail_is_elsewhere", space=recorder.catalog.jail)
    if not 0 <= command.tries <= (MOST_TRIES if command.in_jail else 0):
        raise Refused("no_such_tries", tries=command.tries)
    if (player.space, player.in_jail, player.tries) == (command.space, command.in_jail, command.tries):
        raise Refused("nothing_would_change")
    recorder.record(
        e.PositionCorrected(player.id, command.space, command.in_jail, command.tries, command.reason),
    )


def correct_turn(recorder: Recorder, command: c.CorrectTurn) -> None:
    """Correct whose turn it is and how far it has come, or that the game is over; what was under way is cut short."""
    state = recorder.state
    if command.player is None and command.phase is None:
        raise Refused("say_player_or_phase")
    phase = command.phase or "discard"
    goes_on = phase != "finished" or command.player is not None
    player = require_solvent(state, command.player or state.turn) if goes_on else state.mover
    if state.penthouse:
        raise Refused("the_penthouse_stands")
    if phase == "finished" and state.finished:
        raise Refused("game_over")
    recorder.record(e.TurnCorrected(player.id, phase, command.reason))
    if phase == "finished":
        recorder.record(e.GameEnded("called_off"))


# Money, cards, chips, names, counts.


def _count(recorder: Recorder, command: c.CountCash) -> None:
    player, amount = command.player, command.amount
    require_player(recorder.state, player)
    validate_amount(amount, 0)
    booked = cash(recorder.position, player)
    secret = recorder.state.money_is_hidden
    recorder.record(e.CashCounted(player, amount, booked, amount - booked, secret))


def _rename(recorder: Recorder, command: RenamePlayer) -> None:
    after = renamed(recorder.state.players, command.player, command.name)
    if after.name == recorder.state.player(command.player).name:
        raise Refused("nothing_would_change")
    recorder.record(after)


def _money(recorder: Recorder, command: c.CorrectMoney) -> None:
    for side in (command.from_, command.to):
        if side != BANK:
            require_solvent(recorder.state, side)
    if command.from_ == command.to:
        raise Refused("nothing_would_change")
    validate_amount(command.amount)
    if command.from_ != BANK:
        require_money(recorder.position, command.from_, command.amount)
    recorder.record(e.MoneyCorrected(command.from_, command.to, command.amount, command.reason))


def _card(recorder: Recorder, command: c.CorrectCard) -> None:
    if recorder.catalog.deed(command.card) is not None:
        _deed(recorder, command)
        return
    card = require_chance(recorder.state, command.card)
    if command.mortgaged is not None:
        raise Refused("not_mortgaged_ever", card=card.id)
    if command.to != "deck":
        require_solvent(recorder.state, command.to)
        if not card.keep:
            raise Refused("nobody_keeps_it", card=card.id)
    keeper = next((player.id for player in recorder.state.players if card.id in player.cards), "deck")
    if keeper == command.to:
        raise Refused("nothing_would_change")
    recorder.record(e.ChanceCorrected(card.id, command.to, command.reason))


def _deed(recorder: Recorder, command: c.CorrectCard) -> None:
    state = recorder.state
    if command.to == BANK:
        if command.mortgaged is not None:
            raise Refused("not_mortgaged_ever", card=command.card)
    else:
        require_solvent(state, command.to)
    if _on_offer(state, command.card) or not any(site.deed == command.card for site in state.sites):
        raise Refused("on_offer", card=command.card)
    owner = state.owner_of(command.card)
    before = owner is not None and command.card in owner.mortgaged
    after = before if command.mortgaged is None else command.mortgaged
    if command.to == BANK:
        after = False
    if ((owner.id if owner else BANK), before) == (command.to, after):
        raise Refused("nothing_would_change")
    recorder.record(e.DeedCorrected(command.card, command.to, after, command.reason))


def _on_offer(state: State, deed: str) -> bool:
    return deed == state.offered or (state.auction is not None and state.auction.deed == deed)


def _chips(recorder: Recorder, command: c.CorrectChips) -> None:
    for place in (command.from_, command.to):
        if isinstance(place, int):
            if not 0 <= place < len(recorder.catalog.spaces):
                raise Refused("unknown_space", space=place)
        elif place != BANK:
            require_solvent(recorder.state, place)
    if command.from_ == command.to or command.count == 0:
        raise Refused("nothing_would_change")
    require_chips(recorder.position, command.from_, {command.kind: command.count})
    recorder.record(
        e.ChipsCorrected(command.kind, command.count, command.from_, command.to, command.reason),
    )


CORRECTIONS: Mapping[type, Callable[[Recorder, Any], None]] = {
    c.CorrectMoney: _money,
    c.CorrectCard: _card,
    c.CorrectChips: _chips,
    c.CorrectBlock: correct_block,
    c.CorrectPosition: correct_position,
    c.CorrectTurn: correct_turn,
    c.CountCash: _count,
    RenamePlayer: _rename,
}
"""How each is decided."""


def put_right(recorder: Recorder, command: Any) -> None:
    """Put the books right; ``Refused``."""
    if not isinstance(command, c.CountCash | RenamePlayer):
        require_reason(command.reason)
    CORRECTIONS[type(command)](recorder, command)
