"""Chance cards: kept, or carried out effect by effect (rulings MO-D27, section 4)."""

from companion.engine.errors import Refused
from companion.games.monopoly_builder.rules import commands as c
from companion.games.monopoly_builder.rules import events as e
from companion.games.monopoly_builder.rules.catalog import Effect, Per
from companion.games.monopoly_builder.rules.course import Course
from companion.games.monopoly_builder.rules.gathering import deal
from companion.games.monopoly_builder.rules.guards import at_stage, chance_named
from companion.games.monopoly_builder.rules.holdings import chips, count_of, tray
from companion.games.monopoly_builder.rules.kinds import some, total
from companion.games.monopoly_builder.rules.moving import move, move_to, to_jail
from companion.games.monopoly_builder.rules.state import Choice, Chooser, Here


def draw_chance(course: Course, command: c.DrawChance) -> None:
    """Keep the card that was drawn, or begin to carry it out."""
    player = at_stage(course.state, command.player, "chance")
    card = chance_named(course.state, command.card)
    if command.card in course.state.kept:
        raise Refused("somebody_keeps_it", card=command.card)
    course.happens(e.ChanceDrawn(player.id, card.id, card.keep, () if card.keep else card.effects))


def next_effect(course: Course) -> None:
    """Carry out the next effect of the card, for all whom it concerns."""
    effect = course.state.effects[0]
    course.happens(e.EffectCame(len(course.state.effects) - 1))
    match effect.do:
        case "receive" | "pay":
            _money(course, effect)
        case "gain" | "lose":
            _chips(course, effect)
        case "steal":
            course.stage("steal")
        case "move":
            move(course, effect.by)
        case "move_to":
            move_to(course, effect)
        case "go_to_jail":
            to_jail(course)
        case _:
            pass  # what the banker settles


def _concerned(course: Course, effect: Effect) -> tuple[str, ...]:
    state = course.state
    if effect.who == "drawer":
        return (state.turn,)
    return state.others(state.turn) if effect.who == "others" else state.turn_order


def _money(course: Course, effect: Effect) -> None:
    drawer, others = course.state.turn, course.state.others(course.state.turn)
    if effect.players:
        for other in others:
            debtor, creditor = (other, drawer) if effect.do == "receive" else (drawer, other)
            course.owe(debtor, creditor, effect.amount)
        return
    for player in _concerned(course, effect):
        amount = effect.amount * _number(course.here, player, effect.per)
        if effect.do == "pay":
            course.owe(player, "bank", amount)
        elif amount:
            course.happens(e.MoneyReceived(player, amount))


def _number(here: Here, player: str, per: Per | None) -> int:
    buildings = [one for one in here.state.board if one.owner == player]
    match per:
        case None:
            return 1
        case "deed":
            return len(here.state.player(player).deeds)
        case "building":
            return len(buildings)
        case "floor":
            return sum(one.height for one in buildings)
        case _:
            return count_of(here, player)


def _chips(course: Course, effect: Effect) -> None:
    players = _concerned(course, effect)
    if effect.kind == "any":
        what: Choice = "take" if effect.do == "gain" else "return_chips"
        course.happens(e.ChoicesCame(tuple(Chooser(player, what, effect.count) for player in players)))
    elif effect.do == "gain":
        own = course.catalog.own_kind
        deal(
            course,
            [(player, {own(player) if effect.kind == "own" else effect.kind: effect.count}) for player in players],
        )
    else:
        for player in players:
            lost: dict[str, int] = {effect.kind: min(effect.count, chips(course.here, player)[effect.kind])}
            if some(lost):
                course.happens(e.ChipsReturned(player, some(lost)))


def settle_choice(course: Course) -> None:
    """Settle a choice that is none: no more chips are there than are due."""
    chooser = course.state.choosers[0]
    there = tray(course.here) if chooser.what == "take" else chips(course.here, chooser.player)
    if total(there) <= chooser.count:
        course.happens(e.ChipsChosen(chooser.player, chooser.what, some(there)))
