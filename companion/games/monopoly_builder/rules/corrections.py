"""What the banker puts right: money, cards, chips, names, counts; tokens, blocks and turns beside."""

from typing import TypeAlias

from companion.engine.errors import Refused
from companion.engine.ledger import BANK
from companion.games.monopoly_builder.rules import correcting_commands as c
from companion.games.monopoly_builder.rules import events as e
from companion.games.monopoly_builder.rules.course import Course
from companion.games.monopoly_builder.rules.guards import (
    can_spend,
    chance_named,
    has_chips,
    reason_given,
    seated,
    solvent,
    whole_amount,
)
from companion.games.monopoly_builder.rules.holdings import cash
from companion.games.monopoly_builder.rules.place_corrections import correct_block, correct_position, correct_turn
from companion.games.monopoly_builder.rules.seats import sound_name
from companion.games.monopoly_builder.rules.state import State

Correction: TypeAlias = (
    c.CorrectMoney
    | c.CorrectCard
    | c.CorrectChips
    | c.CorrectBlock
    | c.CorrectPosition
    | c.CorrectTurn
    | c.CountCash
    | c.RenamePlayer
)
CORRECTIONS = (
    c.CorrectMoney,
    c.CorrectCard,
    c.CorrectChips,
    c.CorrectBlock,
    c.CorrectPosition,
    c.CorrectTurn,
    c.CountCash,
    c.RenamePlayer,
)


def put_right(course: Course, command: Correction) -> None:
    """Put the books right; ``Refused``."""
    match command:
        case c.CountCash(player, amount):
            _count(course, player, amount)
        case c.RenamePlayer(player, name):
            _rename(course, player, name)
        case _:
            reason_given(command.reason)
            _correct(course, command)


def _correct(
    course: Course,
    command: c.CorrectMoney | c.CorrectCard | c.CorrectChips | c.CorrectBlock | c.CorrectPosition | c.CorrectTurn,
) -> None:
    match command:
        case c.CorrectMoney():
            _money(course, command)
        case c.CorrectCard():
            _card(course, command)
        case c.CorrectChips():
            _chips(course, command)
        case c.CorrectBlock():
            correct_block(course, command)
        case c.CorrectPosition():
            correct_position(course, command)
        case _:
            correct_turn(course, command)


def _count(course: Course, player: str, amount: int) -> None:
    seated(course.state, player)
    whole_amount(amount, 0)
    booked = cash(course.here, player)
    secret = course.rules.money == "hidden" and not course.state.finished
    course.happens(e.CashCounted(player, amount, booked, amount - booked, secret))


def _rename(course: Course, player: str, name: str) -> None:
    before = seated(course.state, player)
    after = sound_name(name)
    if after == before.name:
        raise Refused("nothing_would_change")
    course.happens(e.PlayerRenamed(player, after))


def _money(course: Course, command: c.CorrectMoney) -> None:
    for side in (command.from_, command.to):
        if side != BANK:
            solvent(course.state, side)
    if command.from_ == command.to:
        raise Refused("nothing_would_change")
    whole_amount(command.amount)
    if command.from_ != BANK:
        can_spend(course.here, command.from_, command.amount)
    course.happens(e.MoneyCorrected(command.from_, command.to, command.amount, command.reason))


def _card(course: Course, command: c.CorrectCard) -> None:
    if course.catalog.deed(command.card) is not None:
        _deed(course, command)
        return
    card = chance_named(course.state, command.card)
    if command.mortgaged is not None:
        raise Refused("not_mortgaged_ever", card=card.id)
    if command.to != "deck":
        solvent(course.state, command.to)
        if not card.keep:
            raise Refused("nobody_keeps_it", card=card.id)
    keeper = next((one.id for one in course.state.players if card.id in one.cards), "deck")
    if keeper == command.to:
        raise Refused("nothing_would_change")
    course.happens(e.ChanceCorrected(card.id, command.to, command.reason))


def _deed(course: Course, command: c.CorrectCard) -> None:
    state = course.state
    if command.to == BANK:
        if command.mortgaged is not None:
            raise Refused("not_mortgaged_ever", card=command.card)
    else:
        solvent(state, command.to)
    if _on_offer(state, command.card) or not any(site.deed == command.card for site in state.sites):
        raise Refused("on_offer", card=command.card)
    owner = state.owner_of(command.card)
    before = owner is not None and command.card in owner.mortgaged
    after = before if command.mortgaged is None else command.mortgaged
    if command.to == BANK:
        after = False
    if ((owner.id if owner else BANK), before) == (command.to, after):
        raise Refused("nothing_would_change")
    course.happens(e.DeedCorrected(command.card, command.to, after, command.reason))


def _on_offer(state: State, deed: str) -> bool:
    return deed == state.offered or (state.auction is not None and state.auction.deed == deed)


def _chips(course: Course, command: c.CorrectChips) -> None:
    for place in (command.from_, command.to):
        if isinstance(place, int):
            if not 0 <= place < len(course.catalog.spaces):
                raise Refused("unknown_space", space=place)
        elif place != BANK:
            solvent(course.state, place)
    if command.from_ == command.to or command.count == 0:
        raise Refused("nothing_would_change")
    if command.count < 0:
        raise Refused("not_so_many_chips")
    has_chips(course.here, command.from_, {command.kind: command.count})
    course.happens(
        e.ChipsCorrected(command.kind, command.count, command.from_, command.to, command.reason),
    )
