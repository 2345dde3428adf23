"""Trades that two players have agreed on, and cards that are kept and played (rulings MO-D15, D28)."""

from companion.engine.game import Refused
from companion.games.monopoly_builder.rules import commands as c
from companion.games.monopoly_builder.rules import events as e
from companion.games.monopoly_builder.rules.catalog import some
from companion.games.monopoly_builder.rules.event_recorder import Recorder
from companion.games.monopoly_builder.rules.guards import (
    at_stage,
    can_spend,
    chance_named,
    deed_named,
    has_chips,
    kept_verb,
    running,
    solvent,
    validate_chips,
    whole_amount,
)
from companion.games.monopoly_builder.rules.phases.chips import other_has


def trade(recorder: Recorder, command: c.Trade) -> None:
    """Exchange what both have agreed on."""
    running(recorder.state)
    solvent(recorder.state, command.player)
    solvent(recorder.state, command.with_)
    if command.player == command.with_:
        raise Refused("not_with_oneself", player=command.player)
    give, get = _sound(recorder, command.player, command.give), _sound(recorder, command.with_, command.get)
    if give == c.Bundle() == get:
        raise Refused("nothing_to_trade")
    recorder.record(e.Traded(command.player, command.with_, give, get))


def _sound(recorder: Recorder, giver: str, bundle: c.Bundle) -> c.Bundle:
    """Check that a side has what it gives; chips without the kinds of which it gives none."""
    whole_amount(bundle.money, 0)
    can_spend(recorder.position, giver, bundle.money)
    chips = validate_chips(bundle.chips)
    has_chips(recorder.position, giver, chips)
    holder = recorder.state.player(giver)
    for deed in bundle.deeds:
        deed_named(recorder.state, deed)
        _held(giver, deed, holder.deeds, bundle.deeds)
    for card in bundle.cards:
        chance_named(recorder.state, card)
        _held(giver, card, holder.cards, bundle.cards)
        if recorder.rules.trade_cards == "jail_only" and kept_verb(recorder.state, card) != "out_of_jail":
            raise Refused("only_jail_cards", card=card)
    return c.Bundle(bundle.money, some(chips), bundle.deeds, bundle.cards)


def _held(giver: str, card: str, cards_of_giver: tuple[str, ...], named: tuple[str, ...]) -> None:
    if card not in cards_of_giver or named.count(card) > 1:
        raise Refused("not_held", card=card, player=giver)


def play_chance(recorder: Recorder, command: c.PlayChance) -> None:
    """Play a kept card: out of jail before rolling, a forced trade at any moment, or one that the banker settles."""
    state = recorder.state
    running(state)
    player = solvent(state, command.player)
    chance_named(state, command.card)
    if command.card not in player.cards:
        raise Refused("not_held", card=command.card, player=player.id)
    named = (command.from_, command.take, command.give)
    verb = kept_verb(state, command.card)
    if verb == "forced_trade":
        if None in named:
            raise Refused("say_the_exchange", card=command.card)
        _forced_trade(recorder, command)
        return
    if named != (None, None, None):
        raise Refused("no_exchange_by_this_card", card=command.card)
    if verb == "out_of_jail":
        if not player.in_jail:
            raise Refused("not_in_jail", player=player.id)
        at_stage(state, player.id, "roll")
        recorder.record(e.ChancePlayed(player.id, command.card), e.Freed(player.id, "card"))
    else:
        recorder.record(e.ChancePlayed(player.id, command.card))


def _forced_trade(recorder: Recorder, command: c.PlayChance) -> None:
    player, other = command.player, command.from_ or ""
    if recorder.rules.forced_trade == "own_turn" and player != recorder.state.turn:
        raise Refused("only_in_your_turn", card=command.card, player=player)
    other_has(recorder, player, other, command.take or "")
    if command.take == command.give:
        raise Refused("a_kind_that_is_given", kind=command.take or "")
    has_chips(recorder.position, player, {command.give or "": 1})
    recorder.record(e.ChancePlayed(player, command.card, other, command.take, command.give))
