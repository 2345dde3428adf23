"""Chance cards: kept and played, or carried out effect by effect (rulings MO-D15, D27, section 4)."""

from companion.engine.game import Refused
from companion.games.monopoly_builder.rules import commands as c
from companion.games.monopoly_builder.rules import events as e
from companion.games.monopoly_builder.rules.accounting import chips, count_of, tray
from companion.games.monopoly_builder.rules.catalog import Effect, Per, some, total
from companion.games.monopoly_builder.rules.phases import (
    Recorder,
    kept_verb,
    require_chance,
    require_chips,
    require_playing,
    require_stage,
)
from companion.games.monopoly_builder.rules.phases.chips import deal, require_chip_elsewhere
from companion.games.monopoly_builder.rules.phases.turn import move, move_to, to_jail
from companion.games.monopoly_builder.rules.state import Choice, Chooser, GamePosition

# Chance cards: kept, or carried out effect by effect (rulings MO-D27, section 4).


def draw_chance(recorder: Recorder, command: c.DrawChance) -> None:
    """Keep the card that was drawn, or begin to carry it out."""
    player = require_stage(recorder.state, command.player, "chance")
    card = require_chance(recorder.state, command.card)
    if command.card in recorder.state.kept:
        raise Refused("somebody_keeps_it", card=command.card)
    recorder.record(e.ChanceDrawn(player.id, card.id, card.keep, () if card.keep else card.effects))


def next_effect(recorder: Recorder) -> None:
    """Carry out the next effect of the card, for all whom it concerns."""
    effect = recorder.state.effects[0]
    recorder.record(e.EffectCame(len(recorder.state.effects) - 1))
    match effect.do:
        case "receive" | "pay":
            _money(recorder, effect)
        case "gain" | "lose":
            _chips(recorder, effect)
        case "steal":
            recorder.enter_stage("steal")
        case "move":
            move(recorder, effect.by)
        case "move_to":
            move_to(recorder, effect)
        case "go_to_jail":
            to_jail(recorder)
        case _:
            pass  # what the banker settles


def _concerned(recorder: Recorder, effect: Effect) -> tuple[str, ...]:
    state = recorder.state
    if effect.who == "drawer":
        return (state.turn,)
    return state.others(state.turn) if effect.who == "others" else state.turn_order


def _money(recorder: Recorder, effect: Effect) -> None:
    drawer, others = recorder.state.turn, recorder.state.others(recorder.state.turn)
    if effect.players:
        for other in others:
            debtor, creditor = (other, drawer) if effect.do == "receive" else (drawer, other)
            recorder.incur_debt(debtor, creditor, effect.amount)
        return
    for player in _concerned(recorder, effect):
        amount = effect.amount * _number(recorder.position, player, effect.per)
        if effect.do == "pay":
            recorder.incur_debt(player, "bank", amount)
        elif amount:
            recorder.record(e.MoneyReceived(player, amount))


def _number(position: GamePosition, player: str, per: Per | None) -> int:
    buildings = [building for building in position.state.board if building.owner == player]
    match per:
        case None:
            return 1
        case "deed":
            return len(position.state.player(player).deeds)
        case "building":
            return len(buildings)
        case "floor":
            return sum(building.height for building in buildings)
        case _:
            return count_of(position, player)


def _chips(recorder: Recorder, effect: Effect) -> None:
    players = _concerned(recorder, effect)
    if effect.kind == "any":
        what: Choice = "take" if effect.do == "gain" else "return_chips"
        recorder.record(e.ChoicesCame(tuple(Chooser(player, what, effect.count) for player in players)))
    elif effect.do == "gain":
        own = recorder.catalog.own_kind
        deal(
            recorder,
            [(player, {own(player) if effect.kind == "own" else effect.kind: effect.count}) for player in players],
        )
    else:
        for player in players:
            lost: dict[str, int] = {effect.kind: min(effect.count, chips(recorder.position, player)[effect.kind])}
            if some(lost):
                recorder.record(e.ChipsReturned(player, some(lost)))


def settle_choice(recorder: Recorder) -> None:
    """Settle a choice that is none: no more chips are there than are due."""
    chooser = recorder.state.choosers[0]
    there = tray(recorder.position) if chooser.what == "take" else chips(recorder.position, chooser.player)
    if total(there) <= chooser.count:
        recorder.record(e.ChipsChosen(chooser.player, chooser.what, some(there)))


# Cards that are kept and played (rulings MO-D15, D28).


def play_chance(recorder: Recorder, command: c.PlayChance) -> None:
    """Play a kept card: out of jail before rolling, a forced trade at any moment, or one that the banker settles."""
    state = recorder.state
    player = require_playing(state, command.player)
    require_chance(state, command.card)
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
        require_stage(state, player.id, "roll")
        recorder.record(e.ChancePlayed(player.id, command.card), e.Freed(player.id, "card"))
    else:
        recorder.record(e.ChancePlayed(player.id, command.card))


def _forced_trade(recorder: Recorder, command: c.PlayChance) -> None:
    player, other = command.player, command.from_ or ""
    if recorder.rules.forced_trade == "own_turn" and player != recorder.state.turn:
        raise Refused("only_in_your_turn", card=command.card, player=player)
    require_chip_elsewhere(recorder, player, other, command.take or "")
    if command.take == command.give:
        raise Refused("a_kind_that_is_given", kind=command.take or "")
    require_chips(recorder.position, player, {command.give or "": 1})
    recorder.record(e.ChancePlayed(player, command.card, other, command.take, command.give))
