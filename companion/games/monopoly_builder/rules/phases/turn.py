"""Turns: dice, moves, the space landed on, jail."""

from companion.engine.game import Refused
from companion.games.monopoly_builder.rules import commands as c
from companion.games.monopoly_builder.rules import events as e
from companion.games.monopoly_builder.rules.accounting import count_of, on_spaces
from companion.games.monopoly_builder.rules.catalog import GO, JAIL_FEE, LIMIT, Effect, SpaceType, some, total
from companion.games.monopoly_builder.rules.phases import (
    Recorder,
    require_chips,
    require_deed,
    require_money,
    require_stage,
    validate_chips,
    validate_dice,
)
from companion.games.monopoly_builder.rules.phases.chips import CHIPS, deal, gather
from companion.games.monopoly_builder.rules.state import Chooser, Stage

# Moving a token, space by space: chips that lie there, then GO (rulings MO-D13, D14, D31).


def move(recorder: Recorder, steps: int) -> None:
    """Move the player on turn forwards, or backwards where ``steps`` is negative; then the space is due."""
    player, at = recorder.mover.id, recorder.mover.space
    way = 1 if steps > 0 else -1
    heaps = on_spaces(recorder.position)
    for taken in range(1, abs(steps) + 1):
        at = (at + way) % len(recorder.catalog.spaces)
        if at in heaps:
            recorder.record(e.ChipsPicked(player, at, heaps[at]))
        if at == 0 and (way > 0 or taken == abs(steps)):
            recorder.record(e.GoPassed(player, GO))
    recorder.record(e.TokenMoved(player, at))


def move_to(recorder: Recorder, effect: Effect) -> None:
    """Move forwards to a space by its number, or to the next one of a type; one space at least."""
    spaces = recorder.catalog.spaces
    at = recorder.mover.space
    aims = [number for number in range(len(spaces)) if effect.space in (None, number)]
    steps = ((number - at - 1) % len(spaces) + 1 for number in aims if effect.type in (None, spaces[number].type))
    move(recorder, min(steps))


def to_jail(recorder: Recorder) -> None:
    """Put the player on turn into jail: the turn is over at once."""
    recorder.record(e.Jailed(recorder.mover.id, recorder.catalog.jail))
    recorder.pass_turn()


# The turn: surplus chips, dice, jail, its end (rulings MO-D06 to D09, D12, D24, D31 to D34).

THIRD = 3
"""The third double in a row leads to jail, the third failure to get out of it costs the fee."""


def discard(recorder: Recorder, command: c.Discard) -> None:
    """Lay exactly the surplus onto the own space."""
    player = require_stage(recorder.state, command.player, "discard")
    chips = validate_chips(recorder.position, player.id, command.chips)
    due = count_of(recorder.position, player.id) - LIMIT
    if total(chips) != due:
        raise Refused("not_as_many_as_due", due=due)
    require_chips(recorder.position, player.id, chips)
    recorder.record(e.ChipsDiscarded(player.id, player.space, some(chips)))


def roll(recorder: Recorder, command: c.Roll) -> None:
    """Roll: rents of others lapse, everybody gathers, the token moves, or jail is tried to be left."""
    player = require_stage(recorder.state, command.player, "roll")
    validate_dice(command.dice)
    lapsed = {claim.payer for claim in recorder.state.claims} - {player.id}
    if lapsed:
        recorder.record(e.ClaimsLapsed(tuple(seat for seat in recorder.state.seats if seat in lapsed)))
    if player.in_jail:
        _roll_in_jail(recorder, command.dice)
        return
    doubles = recorder.state.doubles + 1 if is_double(command.dice) else 0
    recorder.record(e.DiceRolled(player.id, command.dice, doubles, player.tries))
    if doubles < THIRD:
        gather(recorder, sum(command.dice))
        move(recorder, sum(command.dice))
        return
    if recorder.rules.third_double == "gathers":
        gather(recorder, sum(command.dice))
    to_jail(recorder)


def is_double(dice: tuple[int, int]) -> bool:
    """Return whether both dice show the same."""
    return dice[0] == dice[1]


def _roll_in_jail(recorder: Recorder, dice: tuple[int, int]) -> None:
    player, free = recorder.mover, is_double(dice)
    counted = 1 if free and recorder.rules.jail_double == "extra_turn" else 0
    tries = player.tries if free else min(THIRD, player.tries + 1)
    recorder.record(e.DiceRolled(player.id, dice, counted, tries))
    gather(recorder, sum(dice))
    if free:
        recorder.record(e.Freed(player.id, "double"))
        move(recorder, sum(dice))
    elif tries == THIRD:
        recorder.enter_stage("fee")
        recorder.incur_debt(player.id, "bank", JAIL_FEE)
    else:
        recorder.enter_stage("act")


def leave_jail(recorder: Recorder, command: c.LeaveJail) -> None:
    """Pay the fee before rolling."""
    player = require_stage(recorder.state, command.player, "roll")
    if not player.in_jail:
        raise Refused("not_in_jail", player=player.id)
    require_money(recorder.position, player.id, JAIL_FEE)
    recorder.record(e.Freed(player.id, "fee", JAIL_FEE))


def fee_paid(recorder: Recorder) -> None:
    """Go on after the fee of a third failure: with a new roll, or by the one that failed."""
    dice = recorder.state.dice
    recorder.record(e.Freed(recorder.mover.id, "fee"))
    if recorder.rules.third_failure == "move_with_it" and dice is not None:
        move(recorder, sum(dice))
    else:
        recorder.enter_stage("roll")


def end_turn(recorder: Recorder, command: c.EndTurn) -> None:
    """Pass the dice on, or roll again after a double."""
    player = require_stage(recorder.state, command.player, "act")
    if recorder.state.doubles and not player.in_jail:
        recorder.record(e.TurnBegan(player.id, recorder.state.doubles))
    else:
        recorder.pass_turn()


# What a space asks of whoever lands on it (section 5.2), and deeds that are turned up, bought or declined.

FIRST_TOTAL = 2
"""Of two dice, which the first entry of a table is for."""
ASKS: dict[SpaceType, Stage] = {
    "roll_for_resources": "resources",
    "chance": "chance",
    "steal": "steal",
    "free_parking": "parking",
}


def land(recorder: Recorder) -> None:
    """Carry out what the space of the player on turn says."""
    player = recorder.mover
    landed = recorder.state.landed
    space = recorder.catalog.spaces[landed]
    if space.type == "deed":
        site = next(site for site in recorder.state.sites if site.space == landed)
        if site.deed is None:
            recorder.enter_stage("turn_deed")
        else:
            _offer_or_claim(recorder, site.deed)
    elif space.type == "collect" and space.kind is not None:
        deal(recorder, [(player.id, {space.kind: CHIPS})])
        recorder.enter_stage("act")
    elif space.type == "go_to_jail":
        to_jail(recorder)
    else:
        recorder.enter_stage(ASKS.get(space.type, "act"))


def _offer_or_claim(recorder: Recorder, deed: str) -> None:
    """Offer an unowned deed; another's that is not mortgaged gives its owner a claim."""
    player, owner = recorder.mover, recorder.state.owner_of(deed)
    if owner is None:
        recorder.record(e.DeedOffered(player.id, deed, recorder.catalog.deed_of(deed).price))
        return
    recorder.enter_stage("act")
    if owner.id == player.id or deed in owner.mortgaged:
        return
    amount = recorder.state.rent_of(owner.id, deed)
    if recorder.rules.rent == "auto":
        recorder.incur_debt(player.id, owner.id, amount)
    else:
        recorder.record(e.RentFell(owner.id, player.id, deed, amount))


def turn_deed(recorder: Recorder, command: c.TurnDeed) -> None:
    """Lay the deed that was turned up beside its space for the rest of the game."""
    require_stage(recorder.state, command.player, "turn_deed")
    require_deed(recorder.state, command.deed)
    if any(site.deed == command.deed for site in recorder.state.sites):
        raise Refused("turned_up_already", card=command.deed)
    recorder.record(e.DeedTurnedUp(recorder.state.landed, command.deed))
    _offer_or_claim(recorder, command.deed)


def buy(recorder: Recorder, command: c.Buy) -> None:
    """Buy the deed on offer."""
    player = require_stage(recorder.state, command.player, "buy")
    deed = require_deed(recorder.state, recorder.state.offered or "")
    require_money(recorder.position, player.id, deed.price)
    recorder.record(e.DeedBought(player.id, deed.id, deed.price))


def decline(recorder: Recorder, command: c.Decline) -> None:
    """Let the deed on offer be auctioned."""
    player = require_stage(recorder.state, command.player, "buy")
    bidders = recorder.state.turn_order
    if not recorder.rules.decliner_bids:
        bidders = tuple(bidder for bidder in bidders if bidder != player.id)
    recorder.record(e.AuctionOpened(player.id, recorder.state.offered or "", bidders))


def roll_for_resources(recorder: Recorder, command: c.RollForResources) -> None:
    """Deal what the table of the space names for the dice."""
    player = require_stage(recorder.state, command.player, "resources")
    validate_dice(command.dice)
    kind = recorder.catalog.spaces[recorder.state.landed].table[sum(command.dice) - FIRST_TOTAL]
    if kind == "any":
        recorder.record(e.ChoicesCame((Chooser(player.id, "take", CHIPS),)))
    else:
        deal(recorder, [(player.id, {kind: CHIPS})])
        recorder.enter_stage("act")
