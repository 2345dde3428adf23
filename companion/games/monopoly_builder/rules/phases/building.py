"""Building floors, and the penthouse that ends the game (rulings MO-D17 to D19, D42)."""

from companion.engine.game import Refused
from companion.games.monopoly_builder.rules import commands as c
from companion.games.monopoly_builder.rules import events as e
from companion.games.monopoly_builder.rules.catalog import KINDS, PENTHOUSE, Catalog, Chips, some, total
from companion.games.monopoly_builder.rules.event_recorder import Recorder
from companion.games.monopoly_builder.rules.guards import at_stage, has_chips, validate_chips


def build(recorder: Recorder, command: c.Build) -> None:
    """Build the next floor on a cell."""
    state = recorder.state
    player = at_stage(state, command.player, "act")
    if command.cell not in state.catalog.foundation.cells:
        raise Refused("unknown_cell", cell=command.cell)
    if player.in_jail:
        raise Refused("no_building_in_jail", player=player.id)
    stands = state.building(command.cell)
    if stands is not None and stands.owner != player.id:
        raise Refused("not_your_building", cell=command.cell, player=player.id)
    height = (stands.height if stands is not None else 0) + 1
    if height < PENTHOUSE and not state.blocks(player.id):
        raise Refused("no_block_left", player=player.id)
    chips = _paid(state.catalog, height, command.chips)
    has_chips(recorder.position, player.id, chips)
    recorder.record(e.FloorBuilt(player.id, command.cell, height, some(chips)))
    if height == PENTHOUSE:
        recorder.record(e.GameEnded("penthouse"))


def cost(catalog: Catalog, height: int) -> dict[str, int]:
    """Return what a floor costs: chips by kind, and ``any``."""
    return dict(catalog.floors[height - 1])


def pays(price: Chips, chips: Chips) -> bool:
    """Return whether chips are what a floor costs: the named kinds, and for ``any`` whichever."""
    return total(chips) == total(price) and all(chips.get(kind, 0) >= price.get(kind, 0) for kind in KINDS)


def _paid(catalog: Catalog, height: int, said: Chips | None) -> dict[str, int]:
    price = cost(catalog, height)
    if said is None:
        if price.get("any", 0):
            raise Refused("say_the_chips", floor=height)
        return price
    chips = validate_chips(said)
    if not pays(price, chips):
        raise Refused("not_the_cost", floor=height)
    return chips
