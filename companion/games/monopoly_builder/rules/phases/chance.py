"""Chance cards: kept, or carried out effect by effect (rulings MO-D27, section 4)."""

from companion.engine.game import Refused
from companion.games.monopoly_builder.rules import commands as c
from companion.games.monopoly_builder.rules import events as e
from companion.games.monopoly_builder.rules.accounting import chips, count_of, tray
from companion.games.monopoly_builder.rules.catalog import Effect, Per, some, total
from companion.games.monopoly_builder.rules.event_recorder import Recorder
from companion.games.monopoly_builder.rules.guards import at_stage, chance_named
from companion.games.monopoly_builder.rules.phases.chips import deal
from companion.games.monopoly_builder.rules.phases.turn import move, move_to, to_jail
from companion.games.monopoly_builder.rules.state import Choice, Chooser, GamePosition


def draw_chance(recorder: Recorder, command: c.DrawChance) -> None:
    """Keep the card that was drawn, or begin to carry it out."""
    player = at_stage(recorder.state, command.player, "chance")
    card = chance_named(recorder.state, command.card)
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
