"""What the player on turn may do on a space and after it."""

from collections.abc import Iterator

from companion.engine.game import Bag, Offer, OneOf
from companion.games.monopoly_builder.rules.building import cost
from companion.games.monopoly_builder.rules.dealings import PARKING_CHIPS
from companion.games.monopoly_builder.rules.holdings import chips, tray
from companion.games.monopoly_builder.rules.kinds import BANK_RATE, KINDS, PENTHOUSE, some, total
from companion.games.monopoly_builder.rules.moments import expects, phase_of
from companion.games.monopoly_builder.rules.state import Here


def act_offers(here: Here, player: str) -> Iterator[Offer]:
    """List what may be done in phases ``steal``, ``parking`` and ``act``."""
    match phase_of(here.state):
        case "steal":
            for other in here.state.others(player):
                kinds = tuple(some(chips(here, other)))
                if kinds:
                    yield Offer("steal", player, (("from", other),), (("kind", OneOf(kinds)),))
        case "parking":
            yield from _parking(here, player)
            yield Offer("pass", player)
        case "act":
            yield Offer("end_turn", player)
            if "build" in expects(here.state):
                yield from _building(here, player)
            if "bank_trade" in expects(here.state):
                yield from _bank(here, player)
        case _:
            return


def _parking(here: Here, player: str) -> Iterator[Offer]:
    """Offer each kind that the tray has, for two chips of other kinds."""
    mine, there = chips(here, player), some(tray(here))
    for kind in there:
        others = {one: count for one, count in some(mine).items() if one != kind}
        if total(others) >= PARKING_CHIPS:
            bag = Bag(tuple(others.items()), PARKING_CHIPS, PARKING_CHIPS)
            yield Offer("free_parking", player, (("get", kind),), (("give", bag),), "possible")


def _building(here: Here, player: str) -> Iterator[Offer]:
    state, mine = here.state, chips(here, player)
    by_height: dict[int, list[str]] = {}
    for cell in state.catalog.foundation.cells:
        stands = state.building(cell)
        if stands is None or stands.owner == player:
            by_height.setdefault((stands.height if stands else 0) + 1, []).append(cell)
    for height, cells in sorted(by_height.items()):
        if height > PENTHOUSE or (height < PENTHOUSE and not state.blocks(player)):
            continue
        price = cost(state.catalog, height)
        if total(mine) < total(price) or any(mine[kind] < price.get(kind, 0) for kind in KINDS):
            continue
        bag = Bag(tuple(some(mine).items()), total(price), total(price))
        fields = (("cell", OneOf(tuple(cells))),)
        yield Offer("build", player, (), (*fields, ("chips", bag)) if price.get("any", 0) else fields, "possible")


def _bank(here: Here, player: str) -> Iterator[Offer]:
    mine, there = chips(here, player), some(tray(here))
    for give, count in mine.items():
        gets = tuple(kind for kind in there if kind != give)
        if count >= BANK_RATE and gets:
            yield Offer("bank_trade", player, (("give", give),), (("get", OneOf(gets)),), "possible")
