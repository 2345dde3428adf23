"""What a Chance card must be: one that is kept, or effects that can be carried out one after the other."""

from collections.abc import Iterator, Sequence

from companion.game_api.catalog_parsing import Fault, Place
from companion.games.monopoly_builder.rules.catalog import Chance, Effect, Space
from companion.games.monopoly_builder.rules.kinds import UNIT

KEPT = ("out_of_jail", "forced_trade", "manual")
ONLY_KEPT = ("out_of_jail", "forced_trade")
LAST = ("move", "move_to", "go_to_jail")
LONGEST_TEXT = 400


def chance_faults(place: Place, chance: Chance, spaces: Sequence[Space]) -> Iterator[Fault]:
    """Find everything that is wrong with a card."""
    if not chance.text.strip() or len(chance.text) > LONGEST_TEXT:
        yield Fault((*place, "text"), f"write 1 to {LONGEST_TEXT} characters")
    if not chance.effects:
        yield Fault((*place, "effects"), "no effect: say what the card does, manual where the banker settles it")
    verbs = [effect.do for effect in chance.effects]
    if chance.keep and (len(verbs) != 1 or verbs[0] not in KEPT):
        yield Fault((*place, "keep"), f"a card that is kept has one effect, of {' '.join(KEPT)}")
    if not chance.keep and any(verb in ONLY_KEPT for verb in verbs):
        yield Fault((*place, "keep"), f"{' and '.join(ONLY_KEPT)} are kept: write keep = true")
    for index, effect in enumerate(chance.effects):
        at = (*place, "effects", index)
        if effect.do in LAST and index != len(verbs) - 1:
            yield Fault(at, f"{effect.do} is the last thing that a card does")
        yield from _effect(at, effect, spaces)


def _effect(place: Place, effect: Effect, spaces: Sequence[Space]) -> Iterator[Fault]:
    match effect.do:
        case "receive" | "pay" if effect.amount < UNIT or effect.amount % UNIT:
            yield Fault((*place, "amount"), f"{effect.amount} is no positive multiple of {UNIT}")
        case "gain" | "lose" if effect.count < 1:
            yield Fault((*place, "count"), f"{effect.count} is below 1")
        case "move" if effect.by == 0 or abs(effect.by) >= len(spaces):
            yield Fault((*place, "by"), f"{effect.by} spaces are none, or a full round")
        case "move_to":
            yield from _aim(place, effect, spaces)
        case _:
            pass


def _aim(place: Place, effect: Effect, spaces: Sequence[Space]) -> Iterator[Fault]:
    if effect.space is not None and not 0 <= effect.space < len(spaces):
        yield Fault((*place, "space"), f"there is no space {effect.space}")
    elif effect.space is not None and spaces[effect.space].type == "chance":
        yield Fault((*place, "space"), "a card does not lead to another card")
    if effect.type is not None and not any(space.type == effect.type for space in spaces):
        yield Fault((*place, "type"), f"there is no space of type {effect.type}")
    elif effect.type == "chance":
        yield Fault((*place, "type"), "a card does not lead to another card")
