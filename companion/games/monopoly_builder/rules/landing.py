"""What a space asks of whoever lands on it (section 5.2), and deeds that are turned up, bought or declined."""

from companion.engine.errors import Refused
from companion.games.monopoly_builder.rules import commands as c
from companion.games.monopoly_builder.rules import events as e
from companion.games.monopoly_builder.rules.catalog import SpaceType
from companion.games.monopoly_builder.rules.course import Course
from companion.games.monopoly_builder.rules.gathering import CHIPS, deal
from companion.games.monopoly_builder.rules.guards import at_stage, can_spend, deed_named, sound_dice
from companion.games.monopoly_builder.rules.moving import to_jail
from companion.games.monopoly_builder.rules.state import Chooser, Stage, State

FIRST_TOTAL = 2
"""Of two dice, which the first entry of a table is for."""
ASKS: dict[SpaceType, Stage] = {
    "roll_for_resources": "resources",
    "chance": "chance",
    "steal": "steal",
    "free_parking": "parking",
}


def land(course: Course) -> None:
    """Carry out what the space of the player on turn says."""
    player = course.mover
    landed = course.state.landed
    space = course.catalog.spaces[landed]
    if space.type == "deed":
        site = next(one for one in course.state.sites if one.space == landed)
        if site.deed is None:
            course.stage("turn_deed")
        else:
            _beside(course, site.deed)
    elif space.type == "collect" and space.kind is not None:
        deal(course, [(player.id, {space.kind: CHIPS})])
        course.stage("act")
    elif space.type == "go_to_jail":
        to_jail(course)
    else:
        course.stage(ASKS.get(space.type, "act"))


def _beside(course: Course, deed: str) -> None:
    """Offer an unowned deed; another's that is not mortgaged gives its owner a claim."""
    player, owner = course.mover, course.state.owner_of(deed)
    if owner is None:
        course.happens(e.DeedOffered(player.id, deed, course.catalog.deed_of(deed).price))
        return
    course.stage("act")
    if owner.id == player.id or deed in owner.mortgaged:
        return
    amount = rent_of(course.state, owner.id, deed)
    if course.rules.rent == "auto":
        course.owe(player.id, owner.id, amount)
    else:
        course.happens(e.RentFell(owner.id, player.id, deed, amount))


def rent_of(state: State, owner: str, deed: str) -> int:
    """Say what a landing costs: more where the owner has the set, mortgaged or not (MO-D25)."""
    found = state.catalog.deed_of(deed)
    return found.set_rent if state.has_set(owner, deed) else found.rent


def turn_deed(course: Course, command: c.TurnDeed) -> None:
    """Lay the deed that was turned up beside its space for the rest of the game."""
    at_stage(course.state, command.player, "turn_deed")
    deed_named(course.state, command.deed)
    if any(site.deed == command.deed for site in course.state.sites):
        raise Refused("turned_up_already", card=command.deed)
    course.happens(e.DeedTurnedUp(course.state.landed, command.deed))
    _beside(course, command.deed)


def buy(course: Course, command: c.Buy) -> None:
    """Buy the deed on offer."""
    player = at_stage(course.state, command.player, "buy")
    deed = deed_named(course.state, course.state.offered or "")
    can_spend(course.here, player.id, deed.price)
    course.happens(e.DeedBought(player.id, deed.id, deed.price))


def decline(course: Course, command: c.Decline) -> None:
    """Let the deed on offer be auctioned."""
    player = at_stage(course.state, command.player, "buy")
    bidders = course.state.turn_order
    if not course.rules.decliner_bids:
        bidders = tuple(one for one in bidders if one != player.id)
    course.happens(e.AuctionOpened(player.id, course.state.offered or "", bidders))


def roll_for_resources(course: Course, command: c.RollForResources) -> None:
    """Give what the table of the space says for the dice."""
    player = at_stage(course.state, command.player, "resources")
    sound_dice(command.dice)
    kind = course.catalog.spaces[course.state.landed].table[sum(command.dice) - FIRST_TOTAL]
    if kind == "any":
        course.happens(e.ChoicesCame((Chooser(player.id, "take", CHIPS),)))
    else:
        deal(course, [(player.id, {kind: CHIPS})])
        course.stage("act")
